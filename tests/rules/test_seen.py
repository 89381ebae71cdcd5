"""The position of a player who sees the piles and not the stock."""

from collections.abc import Callable

import pytest
from hypothesis import given
from tests.rules.support import EVERY_MOVE, RANDOM_PLAY, board, positions, reason, why_illegal

from bigben_rules import Cards, Pile
from bigben_rules.bigben import Position, read, seen
from bigben_rules.bigben.moves import REFILL, TURN
from bigben_rules.cards import UNKNOWN, card

Piles = dict[Pile, Cards]
NEVER = "these cards never lie on the foundation at 9"


@RANDOM_PLAY
@given(positions())
def test_it_has_the_same_legal_moves_as_the_real_one(position: Position) -> None:
    known = seen(position.piles(), position.rules)
    assert known.legal_moves() == position.legal_moves()
    assert known.piles() == position.piles()
    assert (known.won, known.blocked, known.progress) == (
        position.won,
        position.blocked,
        position.progress,
    )


@RANDOM_PLAY
@given(positions())
def test_moves_that_deal_no_card_behave_like_those_of_the_real_position(position: Position) -> None:
    known = seen(position.piles(), position.rules)
    for move in EVERY_MOVE:
        if move in (REFILL, TURN):
            continue
        assert reason(known, move) == reason(position, move)
        if reason(position, move) is None:
            after, steps = position.apply(move)
            known_after, known_steps = known.apply(move)
            assert (known_after.piles(), known_steps) == (after.piles(), steps)


@RANDOM_PLAY
@given(positions())
def test_it_reads_back_from_its_text(position: Position) -> None:
    known = seen(position.piles(), position.rules)
    assert read(known.text()) == known


@pytest.mark.parametrize(("fans", "move"), [({}, "turn"), ({6: "KS"}, "refill")])
def test_an_unknown_card_cannot_be_dealt(fans: dict[int, str], move: str) -> None:
    known = seen(board(fans=fans).piles(), "standard")
    assert why_illegal(known, move) == "The next card of the stock is not known here."


def without_the_waste(piles: Piles) -> Piles:
    return {pile: cards for pile, cards in piles.items() if pile != "w"}


def with_pile(pile: str, *names: str, down: int = 0) -> Callable[[Piles], Piles]:
    """The piles with that one replaced."""
    cards = tuple(UNKNOWN if name == UNKNOWN else card(name) for name in names)
    return lambda piles: {**piles, Pile(pile): Cards(cards, down)}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        pytest.param(without_the_waste, "pile 'w' is missing", id="missing"),
        pytest.param(with_pile("f9"), NEVER, id="no card at nine"),
        pytest.param(with_pile("f9", "3C"), NEVER, id="another first card"),
        pytest.param(with_pile("f9", "2C", "4C"), NEVER, id="a card left out"),
        pytest.param(with_pile("s", down=55), "has 104 cards, not 103", id="too few"),
        pytest.param(with_pile("12", "AC", "AC", "??"), r"'\?\?' is not a card", id="unknown"),
        pytest.param(with_pile("12", "AC", "AC", "AC"), "AC is there 3 times", id="thrice"),
    ],
)
def test_impossible_piles_are_refused(change: Callable[[Piles], Piles], complaint: str) -> None:
    piles = change(board().piles())
    with pytest.raises(ValueError, match=complaint):
        seen(piles, "standard")
