"""Finds a winning line of a position whose cards are all known."""

from collections.abc import Callable

from bigben_rules import Position, bigben, grandfathersclock
from bigben_solver import grandfathers_clock
from bigben_solver.big_ben import solver as big_ben
from bigben_solver.games import CERTIFIED
from bigben_solver.solution import Solution, never


def solve(
    position: Position, *, nodes: int, seed: int = 0, stop: Callable[[], bool] = never
) -> Solution:
    """A winning line, a proof that there is none, or "unknown".

    It looks at about ``nodes`` positions, or fewer if ``stop`` says so, which is asked now and
    then. Raises ValueError if the game has no solver or a card is not known.
    """
    if isinstance(position, bigben.Position):
        return big_ben.solve(position, nodes=nodes, seed=seed, stop=stop)
    if isinstance(position, grandfathersclock.Position):
        return grandfathers_clock.solve(position, nodes=nodes, stop=stop)
    game = position.text().split()[0]
    raise ValueError(
        f"there is no solver for {game}; there are solvers for {' and '.join(CERTIFIED)}"
    )
