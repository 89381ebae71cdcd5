"""How the house plays Big Ben: every move legal, every game at an end, nothing seen face down."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solver.worlds import reshuffled
from tests.support.torture import examples

from bigben_rules import GAMES, shuffle
from bigben_rules.bigben import BigBen, Position
from bigben_rules.bigben.variants import RULES
from bigben_rules.position import STOCK
from bigben_solver.players import PLAYERS, HousePlayer

BIG_BEN = PLAYERS["bigben"]
QUICK = ("beginner", "casual", "steady")
"""Who plays a whole game in a fifth of a second."""
BY_KEY = pytest.mark.parametrize("player", BIG_BEN, ids=lambda player: player.key)


def dealt(seed: int, rules: str = "standard") -> Position:
    return BigBen.deal(shuffle(BigBen.pack, seed.to_bytes(32, "big")), rules)


def plans(
    player: HousePlayer, position: Position, chance: int
) -> Iterator[tuple[Position, Position]]:
    """The positions before and after each of its plans, until it has none. Moves are applied by
    the rules, which raise IllegalMove."""
    rng = Random(chance)
    while plan := player.plan(BigBen.seen(position.piles(), position.rules), rng):
        before = position
        for move in plan:
            position, _ = position.apply(move)
        yield before, position


@BY_KEY
@examples(2)
@given(st.integers(0, 2**64), st.sampled_from(sorted(RULES)))
def test_every_plan_is_legal_and_brings_the_game_nearer_its_end(
    player: HousePlayer, seed: int, rules: str
) -> None:
    end = dealt(seed, rules)
    some = None if player.key in QUICK else 2
    for before, after in islice(plans(player, end, seed), some):
        assert after.progress > before.progress or len(after.stock) < len(before.stock)
        end = after
    if some is None:
        assert all(move.source != STOCK for move in end.legal_moves()), "cards could be dealt"


@BY_KEY
@examples(2)
@given(st.integers(0, 2**64), st.randoms(use_true_random=False))
def test_two_worlds_that_look_the_same_get_the_same_plan(
    player: HousePlayer, seed: int, luck: Random
) -> None:
    *_, (position, _) = islice(plans(BIG_BEN[0], dealt(seed), seed), 10)
    plan = player.plan(position, Random(1))
    assert plan == player.plan(reshuffled(position, luck), Random(1))
    assert plan == player.plan(BigBen.seen(position.piles(), position.rules), Random(1))


def test_players_who_look_further_bring_more_cards_home() -> None:
    home = {
        player.key: sum([*plans(player, dealt(seed), seed)][-1][1].progress for seed in range(10))
        for player in BIG_BEN
        if player.key in QUICK
    }
    assert home["beginner"] < home["casual"] < home["steady"]


def test_a_won_position_needs_no_plan() -> None:
    line = "bigben standard AC,2H,3S,4D,5C,6H,7S,8D,9C,10H,JS,QD -/-/-/-/-/-/-/-/-/-/-/- - -"
    position = GAMES["bigben"].read(line)
    assert isinstance(position, Position)
    assert [player.plan(position, Random(0)) for player in BIG_BEN] == [()] * len(BIG_BEN)
