"""What holds in every position of Big Ben, under all twelve variants, beside test_every_game.py."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from tests.rules import oracle
from tests.rules.support import (
    EVERY_MOVE,
    RANDOM_PLAY,
    board,
    deal_from,
    legal,
    play,
    positions,
    random_game,
    randoms,
    reason,
    seeds,
    variants,
)

from bigben_rules.bigben import Position, read
from bigben_rules.bigben.moves import REFILL
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import PACK, Card


def cards_of(position: Position) -> Counter[Card]:
    """Every card, including the stock."""
    seen = [name for cards in position.piles().values() for name in cards.up]
    return Counter(seen) + Counter(position.stock)


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_there_are_always_two_packs(seed: bytes, rules: str, random: Random) -> None:
    for _, _, after, _ in random_game(deal_from(seed, rules), random):
        assert cards_of(after) == Counter(PACK + PACK)


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_the_steps_explain_the_whole_change(seed: bytes, rules: str, random: Random) -> None:
    for before, _, after, steps in random_game(deal_from(seed, rules), random):
        piles = {pile: (list(cards.up), cards.down) for pile, cards in before.piles().items()}
        stock = list(before.stock)
        for source, target, name, _ in steps:
            if source == "s":
                assert stock.pop(0) == name
                piles[source] = ([], len(stock))
            else:
                assert piles[source][0].pop() == name
            piles[target][0].append(name)
        assert piles == {p: (list(c.up), c.down) for p, c in after.piles().items()}
        assert tuple(stock) == after.stock


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_the_legal_moves_are_those_of_the_rules_written_a_second_time(
    seed: bytes, rules: str, random: Random
) -> None:
    position = deal_from(seed, rules)
    assert legal(position) == oracle.legal(position)
    for _, _, after, _ in random_game(position, random):
        assert legal(after) == oracle.legal(after)


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_a_refill_goes_where_the_rules_written_a_second_time_say(
    seed: bytes, rules: str, random: Random
) -> None:
    for before, move, _, steps in random_game(deal_from(seed, rules), random):
        if move == REFILL:
            assert [step.target for step in steps] == oracle.refill_order(before)


@RANDOM_PLAY
@given(seeds, variants, randoms)
def test_a_game_ends_won_or_blocked_and_never_both(seed: bytes, rules: str, random: Random) -> None:
    position = deal_from(seed, rules)
    for _, _, after, _ in random_game(position, random):
        position = after
        over = not position.legal_moves()
        assert over == (position.won or position.blocked)
        assert not (position.won and position.blocked)
        assert not (position.blocked and position.stock)
        assert position.won == (position.progress == 104)


@RANDOM_PLAY
@given(positions(), randoms)
def test_the_reason_of_a_refusal_reveals_nothing_about_the_stock(
    position: Position, random: Random
) -> None:
    stock = random.sample(position.stock, len(position.stock))
    other = replace(position, stock=tuple(stock))
    for move in EVERY_MOVE:
        assert reason(position, move) == reason(other, move)


@RANDOM_PLAY
@given(positions())
def test_equal_positions_are_one_key(position: Position) -> None:
    again = read(position.text())
    assert again == position
    assert {position: "here"}[again] == "here"


@pytest.mark.parametrize("rules", RULES)
def test_the_same_cards_under_other_rules_are_another_position(rules: str) -> None:
    others = {deal_from(bytes(32), other) for other in RULES if other != rules}
    assert deal_from(bytes(32), rules) not in others
    assert len(others) == 11


def test_two_ways_to_the_same_cards_are_one_position() -> None:
    start = board(fans={3: "KS QH 3C", 7: "KS KH 4H"})
    one, other = play(start, "3 fdn", "7 fdn"), play(start, "7 fdn", "3 fdn")
    assert one == other
    assert len({one, other}) == 1
