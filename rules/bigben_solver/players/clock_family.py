"""The house players of the games with one pack: as many strengths as make a difference."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Final

from bigben_rules import Position, grandfathersclock
from bigben_rules.position import HAND
from bigben_solver.players import any_game
from bigben_solver.players.player import HousePlayer, Plan, house_player
from bigben_solver.solving import solve


def deepest(position: Position, rng: Random) -> Plan:
    """In Watch, the king goes under as many cards as it can: then it comes last more often."""
    swaps = [move for move in position.legal_moves() if move.source == HAND != move.target]
    if not swaps:
        return any_game.greedy(position, rng)
    return (max(swaps, key=lambda move: move.depth),)


def foreseeing(position: grandfathersclock.Position, rng: Random, *, nodes: int) -> Plan:
    """In Grandfather's Clock, a winning line if a search of ``nodes`` positions finds one."""
    return solve(position, nodes=nodes).moves or any_game.greedy(position, rng)


PLAYERS: Final[Mapping[str, tuple[HousePlayer, ...]]] = {
    "grandfathersclock": (
        house_player("beginner", partial(any_game.greedy, limit=20)),
        house_player("casual", partial(any_game.greedy, limit=100)),
        house_player("steady", any_game.greedy),
        house_player("sharp", partial(foreseeing, nodes=50)),
        house_player("master", partial(foreseeing, nodes=20_000)),
    ),
    "watch": (house_player("beginner", any_game.greedy), house_player("steady", deepest)),
    # To play a card that fits is nearly never wrong there.
    "germanclock": (house_player("steady", any_game.greedy),),
}
"""By the name of the game, weakest first."""
