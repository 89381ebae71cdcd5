"""The hints of docs/rules.md are true: where a card goes in Watch, when to play in German Clock."""

from random import Random

import pytest
from hypothesis import assume, given
from tests.rules.support import RANDOM_PLAY, randoms, seeds

from bigben_rules import GAMES, shuffle
from bigben_rules.cards import PACK
from bigben_rules.germanclock import Position as GermanClock
from bigben_rules.germanclock import deal

WATCH = GAMES["watch"]


@RANDOM_PLAY
@given(seeds, randoms)
def test_a_king_that_lies_on_another_card_never_comes_last(seed: bytes, random: Random) -> None:
    position = WATCH.deal(shuffle(PACK, seed), "standard")
    while (moves := position.legal_moves()) and position.format(moves[0]) == "turn":
        position, _ = position.apply(moves[0])
    higher = [move for move in moves if move.depth < position.pile(move.target).down]
    assume(higher)
    position, _ = position.apply(random.choice(higher))
    while moves := position.legal_moves():
        position, _ = position.apply(moves[0])
    assert position.blocked


@RANDOM_PLAY
@given(seeds)
def test_german_clock_with_two_redeals_is_won_if_every_card_that_fits_is_played(
    seed: bytes,
) -> None:
    position = deal(shuffle(PACK, seed), "standard")
    while moves := position.legal_moves():
        position, _ = position.apply(moves[0])
    assert position.won


@pytest.mark.parametrize("rules", ["standard", "1"])
@RANDOM_PLAY
@given(seed=seeds, random=randoms)
def test_who_plays_at_once_has_no_fewer_cards_home_in_the_same_order_of_suits(
    rules: str, seed: bytes, random: Random
) -> None:
    start = deal(shuffle(PACK, seed), rules)
    slow = start
    while moves := slow.legal_moves():
        slow, _ = slow.apply(random.choice(moves))
    assert at_once(start, slow.suits).progress >= slow.progress


def at_once(position: GermanClock, suits: str) -> GermanClock:
    """The end of the game if every card of these suits, in this order, is played when it fits."""
    while moves := position.legal_moves():
        after, _ = position.apply(moves[0])
        if not suits.startswith(after.suits):
            if len(moves) == 1:
                break
            after, _ = position.apply(moves[1])
        position = after
    return position
