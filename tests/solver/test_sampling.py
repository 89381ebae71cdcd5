"""Moves are judged by what is seen alone, and playouts keep to the rules."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solver.worlds import reshuffled
from tests.support.torture import examples

from bigben_rules import GAMES, Game, Move, Position, bigben, shuffle
from bigben_rules.bigben.moves import PLAY, SOURCES
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import ABOVE
from bigben_rules.position import STOCK, WASTE
from bigben_solver.big_ben import playout
from bigben_solver.big_ben.table import Table
from bigben_solver.sampling import estimated, judged

SEEDS = st.binary(min_size=32, max_size=32)
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def played(game: Game, seed: bytes, rules: str, moves: int, luck: Random) -> Position:
    """A position of random play."""
    position = game.deal(shuffle(game.pack, seed), rules)
    for _ in range(moves):
        if legal := position.legal_moves():
            position, _ = position.apply(luck.choice(legal))
    return position


@EVERY_GAME
@examples(5)
@given(SEEDS, st.integers(0, 60), st.data(), st.randoms(use_true_random=False))
def test_every_legal_move_is_judged_once_and_the_best_is_first(
    game: Game, seed: bytes, moves: int, data: st.DataObject, luck: Random
) -> None:
    rules = data.draw(st.sampled_from(game.variants))
    seen = game.seen(played(game, seed, rules, moves, luck).piles(), rules)
    found = judged(seen, Random(1), playouts=3)
    assert sorted(one.move for one in found) == sorted(seen.legal_moves())
    assert all(0 <= one.chance <= 1 and seen.progress <= one.home <= game.total for one in found)
    assert found == judged(seen, Random(1), playouts=3)
    if found:
        assert found[0].home + 20 * found[0].chance >= found[-1].home + 20 * found[-1].chance


@EVERY_GAME
@examples(5)
@given(SEEDS, st.integers(0, 60), st.randoms(use_true_random=False))
def test_two_worlds_that_look_the_same_are_judged_the_same(
    game: Game, seed: bytes, moves: int, luck: Random
) -> None:
    position = played(game, seed, game.variants[0], moves, luck)
    for other in (reshuffled(position, luck), reshuffled(position, luck)):
        assert other.piles() == position.piles()
        assert judged(position, Random(1), playouts=3) == judged(other, Random(1), playouts=3)
        assert estimated(position, Random(1), playouts=3) == estimated(other, Random(1), playouts=3)


@pytest.mark.parametrize("rules", RULES)
@examples(5)
@given(seed=SEEDS, luck=st.randoms(use_true_random=False), moves=st.integers(0, 40))
def test_a_playout_is_a_game_by_the_rules(
    rules: str, seed: bytes, luck: Random, moves: int
) -> None:
    position = played(GAMES["bigben"], seed, rules, moves, luck)
    assert isinstance(position, bigben.Position)
    table = Table.of(position)
    assert playout.played_out(table, table.stock) == by_the_rules(position)
    assert playout.unseen(table) == sorted(table.stock)


def by_the_rules(position: bigben.Position) -> int:
    """Cards home when the same choices are made with the rules' own moves."""
    forced = 0
    while moves := (position := all_home(position)).legal_moves():
        # Of two fans that want the same card, the last one gets it.
        builds = list({move.source: move for move in moves if move.source != STOCK}.values())
        best = max(builds, key=lambda build: worth(position, build), default=None)
        if best and worth(position, best):
            move = best
        elif moves[-1].source == STOCK:
            move = next(move for move in moves if move.source == STOCK)
            forced = 0
        elif position.stock and forced < 8:  # the rule ``stuck`` demands a build
            move = min(builds, key=lambda build: len(pile(position, build)))
            forced += 1
        else:
            break
        position, _ = position.apply(move)
    return position.progress


def all_home(position: bigben.Position) -> bigben.Position:
    """All plays, pile by pile, and then all that fit then; ``fdn`` is the longer foundation."""
    before = None
    while before != position:
        before = position
        for source in SOURCES:
            while any(move in PLAY[source].values() for move in position.legal_moves()):
                position, _ = position.apply(position.parse(f"{source} fdn"))
    return position


def pile(position: bigben.Position, move: Move) -> tuple[str, ...]:
    return position.waste if move.source == WASTE else position.fans[int(move.source) - 1]


def worth(position: bigben.Position, build: Move) -> int:
    cards = pile(position, build)
    under = cards[-2] if len(cards) > 1 else None
    if under == ABOVE[position.pile(build.source).up[-1]]:
        return 0
    after, _ = position.apply(build)
    if any(move in after.legal_moves() for move in PLAY[build.source].values()):
        return 9
    return 4 if build.source == WASTE else 7 - len(cards)
