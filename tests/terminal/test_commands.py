"""Lines as players type them, and what they mean."""

import doctest

import pytest

from bigben_terminal import typed_commands
from bigben_terminal.typed_commands import Do, Send, Unclear, understand


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("3 fdn", Send("3 fdn")),
        ("  W   Foundation ", Send("w foundation")),
        ("12 5", Send("12 5")),
        ("deal", Send("deal")),
        ("d", Send("deal")),
        ("t", Send("turn")),
        ("REF", Send("refill")),
        ("resign", Send("resign")),
        ("sta", Unclear("'sta' could be start or standings; type a little more.")),
        ("stan", Do("standings")),
        ("re", Unclear("'re' could be refill or ready or rematch; type a little more.")),
        ("res", Unclear("Type resign in full to give up.")),
        ("?", Do("help")),
        ("exit", Do("quit")),
        ("fair", Do("fairness")),
        ("un", Unclear("'un' could be undo or unready; type a little more.")),
        ("3fdn", Send("3fdn")),
        ("35", Send("35")),
        ("w5", Send("w5")),
        ("wf9", Send("wf9")),
        ("wastefdn", Send("wastefdn")),
        ("w", Send("w")),
        ("wo", Do("words")),
        ("3", Send("3")),
        ("dance", Unclear("'dance' is neither a move nor a command; type help for a list.")),
        ("a b c", Unclear("'a b c' is neither a move nor a command; type help for a list.")),
        ("", None),
    ],
)
def test_a_line_means(line: str, meant: Send | Do | Unclear | None) -> None:
    assert understand(line) == meant


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(typed_commands).failed == 0
