"""Lines as players type them, and what they mean."""

import pytest
from tests.terminal.support import BIG_BEN, INFO

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
        ("3f", Send("3f")),
        ("3 F", Send("3 f")),
        ("h", Do("help")),
        ("why 3", Do("why", ("3",))),
        ("why 3 5", Do("why", ("3", "5"))),
        (
            "why 3 5 6",
            Unclear("'why 3 5 6' is neither a move nor a command; type help for a list."),
        ),
        ("hint", Do("hint")),
        ("fin", Unclear("'fin' could be finish or final; type a little more.")),
        ("share copy", Do("share", ("copy",))),
        ("dance", Unclear("'dance' is neither a move nor a command; type help for a list.")),
        ("a b c", Unclear("'a b c' is neither a move nor a command; type help for a list.")),
        ("", None),
    ],
)
def test_a_line_means(line: str, meant: Send | Do | Unclear | None) -> None:
    assert understand(line, BIG_BEN) == meant


@pytest.mark.parametrize(
    ("game", "line", "meant"),
    [
        ("watch", "t", Send("turn")),
        ("watch", "SWAP 7  2", Send("swap 7 2")),
        ("watch", "sw c", Send("swap c")),
        ("watch", "swap", Send("swap")),
        ("watch", "swap 7 2 1", None),
        ("watch", "s", "swap or start or standings"),
        ("watch", "turn 7", None),
        ("watch", "h", Do("help")),
        ("watch", "w", "why or words"),
        ("watch", "wo", Do("words")),
        ("clock", "swap 7", None),
        ("germanclock", "red", Send("redeal")),
        ("germanclock", "w fdn", Send("w fdn")),
        ("germanclock", "wf5", Send("wf5")),
        ("grandfathersclock", "3 5", Send("3 5")),
        ("grandfathersclock", "turn", None),
    ],
)
def test_a_line_means_what_it_can_mean_in_the_game(
    game: str, line: str, meant: Send | Do | str | None
) -> None:
    understood = understand(line, INFO[game])
    if isinstance(meant, Send | Do):
        assert understood == meant
    else:
        assert isinstance(understood, Unclear)
        assert (meant or "neither a move nor a command") in understood.why
