"""Near the end of a game the solver agrees with a plain search by the rules alone."""

from random import Random

import pytest
from tests.rules.support import choose, deal_from
from tests.solver.test_solve import check

from bigben_rules import GAMES, Position, shuffle
from bigben_rules.bigben.variants import RULES
from bigben_solver import solve

MOST = 1000
"""Positions of an endgame; larger ones are left out."""


def winnable(position: Position) -> bool | None:
    """Whether any line wins, by looking at every position; None if there are too many."""
    reached = {position}
    waiting = [position]
    while waiting:
        current = waiting.pop()
        if current.won:
            return True
        for move in current.legal_moves():
            after, _ = current.apply(move)
            if after not in reached:
                if len(reached) == MOST:
                    return None
                reached.add(after)
                waiting.append(after)
    return False


@pytest.mark.parametrize("rules", RULES)
def test_endgames_of_big_ben(rules: str) -> None:
    random = Random(rules)
    known = set()
    for number in range(6):
        position = deal_from(bytes([number]) * 32, rules)
        before: list[Position] = []
        while (move := choose(position, random)) and len(before) < 200:
            before.append(position)
            position, _ = position.apply(move)
        for at in (30, 18, 10, 5):
            known.add(agreed(before[-at] if len(before) > at else position))
    assert known & {True, False}


@pytest.mark.parametrize("rules", GAMES["grandfathersclock"].variants)
def test_endgames_of_grandfathers_clock(rules: str) -> None:
    game = GAMES["grandfathersclock"]
    random = Random(rules)
    known = set()
    for number in range(8):
        position = game.deal(shuffle(game.pack, bytes([number]) * 32), rules)
        for _ in range(60):
            moves = position.legal_moves()
            if not moves:
                break
            homes = [move for move in moves if move.target.startswith("f")]
            position, _ = position.apply(random.choice(homes or moves))
        known.add(agreed(position))
    assert known & {True, False}


def agreed(position: Position) -> bool | None:
    """Whether the position can be won, as both say; None if the plain search does not know."""
    wins = winnable(position)
    if wins is None:
        return None
    solution = solve(position, nodes=100_000)
    assert solution.result == ("won" if wins else "lost"), position.text()
    check(position, solution)
    return wins


def test_grandfathers_clock_is_won_by_the_rules() -> None:
    game = GAMES["grandfathersclock"]
    for rules in game.variants:
        for number in range(4):
            position = game.deal(shuffle(game.pack, bytes([number]) * 32), rules)
            solution = solve(position, nodes=20_000)
            assert solution.result == "won"
            check(position, solution)
