"""What people type and what logs hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.support import EVERY_MOVE, RANDOM_PLAY, board, positions

from bigben_rules import IllegalMove, NotationError
from bigben_rules.bigben import Position


def meant(text: str, position: Position | None = None) -> str:
    """What the typed text means, as logs hold it."""
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
        "3",
        "3 5 7",
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
    with pytest.raises(NotationError, match="is not a move: write 3 fdn, 3 f9, 3 5"):
        board().parse(text)


def test_a_fan_on_itself_is_not_a_move() -> None:
    with pytest.raises(NotationError, match=r"Fan 7 can't be built on itself\."):
        board().parse("7 7")


def test_a_long_text_is_quoted_only_in_part() -> None:
    with pytest.raises(NotationError) as caught:
        board().parse("x" * 10_000)
    assert len(str(caught.value)) < 300


@RANDOM_PLAY
@given(positions())
def test_every_move_is_read_back_as_it_was_written(position: Position) -> None:
    for move in EVERY_MOVE:
        assert position.parse(position.format(move)) == move


@RANDOM_PLAY
@given(st.text(max_size=30) | st.text("0123456789fwdnresilutk ", max_size=12))
def test_no_text_does_anything_but_name_a_move_or_be_refused(text: str) -> None:
    position = board()
    try:
        move = position.parse(text)
    except (NotationError, IllegalMove):
        return
    assert move in EVERY_MOVE
