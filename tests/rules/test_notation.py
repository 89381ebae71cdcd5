"""What people type and what the log has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.support import (
    EVERY_MOVE,
    RANDOM_PLAY,
    board,
    positions,
    refused,
)

from bigben_protocol import texts
from bigben_rules import IllegalMove, NotationError
from bigben_rules.bigben import Position


def meant(text: str, position: Position | None = None) -> str:
    """The meaning of the typed text, in the notation of the log."""
    here = position or board(fans={3: "KS QH 3C"}, waste="4H")
    return here.format(here.parse(text))


@pytest.mark.parametrize(
    ("typed", "logged"),
    [
        ("3 fdn", "3 f9"),
        ("3 f9", "3 f9"),
        ("3 5", "3 5"),
        ("12 11", "12 11"),
        ("w fdn", "w f10"),
        ("w f9", "w f9"),
        ("w 5", "w 5"),
        ("refill", "refill"),
        ("turn", "turn"),
    ],
)
def test_the_moves(typed: str, logged: str) -> None:
    assert meant(typed) == logged


@pytest.mark.parametrize(
    ("typed", "logged"),
    [
        ("3 FDN", "3 f9"),
        ("  3    f9  ", "3 f9"),
        ("\t3\tF9\n", "3 f9"),
        ("3 foundation", "3 f9"),
        ("3 Foundation", "3 f9"),
        ("3 f", "3 f9"),
        ("waste 5", "w 5"),
        ("Waste F", "w f10"),
        ("REFILL", "refill"),
        (" Turn ", "turn"),
    ],
)
def test_case_and_extra_spaces_do_not_matter_and_long_names_are_accepted(
    typed: str, logged: str
) -> None:
    assert meant(typed) == logged


@pytest.mark.parametrize(
    ("typed", "logged"),
    [
        ("3fdn", "3 f9"),
        ("3FDN", "3 f9"),
        ("3f", "3 f9"),
        ("3f9", "3 f9"),
        ("3foundation", "3 f9"),
        ("12f11", "12 f11"),
        ("1f12", "1 f12"),
        ("35", "3 5"),
        ("312", "3 12"),
        ("123", "12 3"),
        ("110", "1 10"),
        ("101", "10 1"),
        ("1211", "12 11"),
        ("wf", "w f10"),
        ("wfdn", "w f10"),
        ("wf9", "w f9"),
        ("w5", "w 5"),
        ("W12", "w 12"),
        ("waste5", "w 5"),
        ("wastef", "w f10"),
    ],
)
def test_spaces_may_be_left_out(typed: str, logged: str) -> None:
    assert meant(typed) == logged


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("112", "112 could be 1 12 or 11 2; write the space."),
        ("111", "111 could be 1 11 or 11 1; write the space."),
        ("12", "Where does the top of fan 12 go? Write 12 fdn."),
        ("waste", "Where does the waste’s top go? Write w fdn, or w 5."),
        ("77", "Fan 7 can’t be built on itself."),
    ],
)
def test_if_two_moves_could_be_meant_neither_is_played(typed: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        board().parse(typed)
    assert texts.said(caught.value.said) == sentence


@RANDOM_PLAY
@given(positions())
def test_a_move_without_its_space_is_the_same_move_or_refused(position: Position) -> None:
    refused = []
    for move in EVERY_MOVE:
        text = position.format(move)
        try:
            assert position.parse(text.replace(" ", "")) == move
        except NotationError:
            refused.append(text)
    assert refused == ["1 2", "1 11", "1 12", "11 1", "11 2"]


def test_deal_is_a_refill_if_a_fan_is_short() -> None:
    assert meant("deal", board(fans={6: "KS QH"})) == "refill"


def test_deal_is_a_turn_if_no_fan_is_short() -> None:
    assert meant("deal", board()) == "turn"
    assert meant(" DEAL ", board()) == "turn"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "f9",
        "fdn",
        "3 5 7",
        "357",
        "3 f 9",
        "1 1 2",
        "05",
        "305",
        "3f13",
        "ww",
        "w3 5",
        "3f9f9",
        "0 5",
        "13 5",
        "3 13",
        "3 0",
        "3 f13",
        "3 f0",
        "3 w",
        "w w",
        "s w",
        "s fans",
        "f9 3",
        "f9 f1",
        "fdn 3",
        "03 5",
        "3 f09",
        "+3 5",
        "-3 5",
        "3.0 5",
        "3→5",
        "３ ５",
        "٣ ٥",
        "refill 3",
        "refill turn",
        "undo",
        "foo bar",
        "3 fdn; 4 fdn",
        "\x00",
        "\ud800 5",
    ],
)
def test_anything_else_is_not_a_move(text: str) -> None:
    with refused(NotationError, match="is not a move: write 3 fdn, 3 f9, 3 5"):
        board().parse(text)


def test_a_fan_on_itself_is_not_a_move() -> None:
    with refused(NotationError, match=r"Fan 7 can’t be built on itself\."):
        board().parse("7 7")


def test_a_long_text_is_quoted_only_in_part() -> None:
    with pytest.raises(NotationError) as caught:
        board().parse("x" * 10_000)
    assert len(texts.said(caught.value.said)) < 300


@RANDOM_PLAY
@given(positions())
def test_every_move_is_read_back_as_it_was_written(position: Position) -> None:
    for move in EVERY_MOVE:
        assert position.parse(position.format(move)) == move


@given(st.text(max_size=30) | st.text("0123456789fwdnresilutk ", max_size=12))
def test_any_text_is_a_move_or_is_refused(text: str) -> None:
    position = board()
    try:
        move = position.parse(text)
    except (NotationError, IllegalMove):
        return
    assert move in EVERY_MOVE
