"""Keys as a terminal sends them, and the lines that they make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigben_terminal.display.line_editor import END, LineEditor


@pytest.mark.parametrize(
    ("keys", "lines"),
    [
        ("3 fdn\r", ["3 fdn"]),
        ("turn\nrefill\n", ["turn", "refill"]),
        ("3 fdx\x7fn\r", ["3 fdn"]),
        ("wrong\x15w 5\r", ["w 5"]),
        ("w fdn\x17\x175 6\r", ["5 6"]),
        ("fdn\x013 \x05!\x7f\r", ["3 fdn"]),
        ("3fdn\x1b[D\x1b[D\x1b[D \r", ["3 fdn"]),
        ("xturn\x1b[H\x1b[3~\r", ["turn"]),
        ("turn\x01\x0b\r", [""]),
        ("turn\rrefill\r\x1b[A\x1b[A\r", ["turn", "refill", "turn"]),
        ("turn\r\x1b[A\x1b[B\r", ["turn", ""]),
        ("\x1b[15~\x1bxturn\t\r", ["turn"]),
        ("\x04", [END]),
        ("turn\x04\x01\x04\r", ["urn"]),
        ("春\r", ["春"]),
    ],
)
def test_keys_become_lines(keys: str, lines: list[str | None]) -> None:
    assert LineEditor().feed(keys) == lines


@given(
    st.lists(st.sampled_from(["a", "b", " ", "\x7f", "\x1b[D", "\x1b[A", "\r", "\x1bOC", "\x17"]))
)
def test_keys_may_arrive_in_any_pieces(keys: list[str]) -> None:
    typed = "".join(keys)
    at_once, one_by_one = LineEditor(), LineEditor()
    lines = at_once.feed(typed)
    assert [line for sign in typed for line in one_by_one.feed(sign)] == lines
    assert (one_by_one.text, one_by_one.cursor) == (at_once.text, at_once.cursor)


@given(st.text())
def test_no_key_leaves_the_cursor_outside_the_line(keys: str) -> None:
    editor = LineEditor()
    editor.feed(keys)
    assert 0 <= editor.cursor <= len(editor.text)
    assert editor.text.isprintable()
