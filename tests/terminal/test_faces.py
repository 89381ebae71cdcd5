"""Names from any source, and what terminals can show."""

import doctest
import io
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bigben_terminal.display import faces
from bigben_terminal.display.faces import faces_for, safe
from bigben_terminal.display.screen import make_console


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Ada\x1b[2J", "Ada?[2J"),
        ("\x1b]0;title\x07", "?]0;title?"),
        ("one\ntwo\r\nthree", "one?two??three"),
        ("right\u202eleft", "right?left"),
        ("no\u200bwidth", "no?width"),
        ("\u2028\u2029", "?"),
        ("", "?"),
        ("\U0001f3fb", "?"),
        ("Zoë 春", "Zoë 春"),
        ("[bold]Ada[/bold]", "[bold]Ada[/bold]"),
    ],
)
def test_a_name_cannot_affect_the_terminal(name: str, shown: str) -> None:
    assert safe(name) == shown


@given(st.text(), st.integers(1, 40))
def test_any_name_becomes_one_short_line(name: str, width: int) -> None:
    shown = safe(name, width)
    assert 0 < cell_len(shown) <= width
    assert len(shown) <= 2 * width
    assert not any(unicodedata.category(sign)[0] == "C" or sign == "\n" for sign in shown)


@pytest.mark.parametrize(
    ("encoding", "ascii"), [("utf-8", False), ("ascii", True), ("latin-1", True), ("cp437", True)]
)
def test_a_terminal_without_suit_symbols_gets_letters(encoding: str, ascii: bool) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert faces_for(stream).ascii is ascii
    assert faces_for(stream, ascii_wanted=True).ascii


def test_the_examples_in_the_docstrings_hold() -> None:
    done = doctest.testmod(faces)
    assert done.attempted
    assert not done.failed


def test_a_terminal_without_typographic_signs_has_those_of_a_typewriter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii"))
    make_console().print("A card can’t move … “why”? ♥")
    sys.stdout.flush()
    assert written.getvalue() == b'A card can\'t move ... "why"? ?\n'
