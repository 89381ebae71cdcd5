"""The house players: every move legal, every game at an end, nothing seen that is face down."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigben_rules import GAMES, shuffle
from bigben_rules.bigben import BigBen, Position
from bigben_rules.bigben.variants import RULES
from bigben_rules.game import STOCK
from bigben_terminal.house.strategies import STRATEGIES, Strategy

BY_NAME = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


def dealt(seed: int, rules: str = "standard") -> Position:
    return BigBen.deal(shuffle(BigBen.pack, seed.to_bytes(32, "big")), rules)


def plans(
    strategy: Strategy, position: Position, chance: int
) -> Iterator[tuple[Position, Position]]:
    """The positions before and after each of its plans, until it has none. Moves are applied by
    the rules, which raise IllegalMove."""
    rng = Random(chance)
    while plan := strategy.plan(BigBen.seen(position.piles(), position.rules), rng):
        before = position
        for move in plan:
            position, _ = position.apply(move)
        yield before, position


@BY_NAME
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**64), st.sampled_from(sorted(RULES)))
def test_every_plan_is_legal_and_brings_the_game_nearer_its_end(
    strategy: Strategy, seed: int, rules: str
) -> None:
    end = dealt(seed, rules)
    for before, after in plans(strategy, end, seed):
        assert after.progress > before.progress or len(after.stock) < len(before.stock)
        end = after
    assert all(move.source != STOCK for move in end.legal_moves()), "cards could still be dealt"


@BY_NAME
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**64), st.randoms(use_true_random=False))
def test_a_plan_never_depends_on_the_cards_of_the_stock(
    strategy: Strategy, seed: int, other: Random
) -> None:
    position = dealt(seed)
    stock = list(position.stock)
    other.shuffle(stock)
    assert strategy.plan(position, Random(1)) == strategy.plan(
        replace(position, stock=tuple(stock)), Random(1)
    )


def test_strategies_that_look_further_bring_more_cards_home() -> None:
    home = {strategy.name: 0 for strategy in STRATEGIES}
    for seed in range(5):
        for strategy in STRATEGIES:
            games = [after for _, after in plans(strategy, dealt(seed), seed)]
            home[strategy.name] += games[-1].progress
    assert max(home["Hasty"], home["Hoarder"]) < min(home["Careful"], home["Gambler"])


def test_a_won_position_needs_no_plan() -> None:
    line = "bigben standard AC,2H,3S,4D,5C,6H,7S,8D,9C,10H,JS,QD -/-/-/-/-/-/-/-/-/-/-/- - -"
    position = GAMES["bigben"].read(line)
    assert isinstance(position, Position)
    assert [strategy.plan(position, Random(0)) for strategy in STRATEGIES] == [()] * len(STRATEGIES)
