"""House players for any game, which know nothing of it but its moves.

A player plans the moves up to the next new card. Every plan ends with such a card or leaves more
cards home than before. So every game ends, although cards could go back and forth.
"""

from random import Random

from bigben_rules import Move, Position
from bigben_solver.players.player import Plan
from bigben_solver.players.search import Reached, follow, moves_to, reachable


def greedy(position: Position, rng: Random, *, limit: int = 300) -> Plan:
    """Brings a card home if one fits; else shows a new card, of several any; else looks ahead."""
    for move in position.legal_moves():
        after = follow(position, move)
        if after is not None and after.progress > position.progress:
            return (move,)
    reached = reachable(position, limit)
    return next((_plan(end, reached, rng) for end in _ends(position, reached)), ())


def _ends(position: Position, reached: Reached[Position]) -> list[Position]:
    """Where a plan may end, nearest first: a card can be shown there, or more are home."""
    return [end for end in reached if end.progress > position.progress or _shown(end)]


def _plan(end: Position, reached: Reached[Position], rng: Random) -> Plan:
    shown = _shown(end)
    return (*moves_to(end, reached), *([rng.choice(shown)] if shown else []))


def _shown(position: Position) -> list[Move]:
    """The legal moves that show a new card."""
    return [move for move in position.legal_moves() if follow(position, move) is None]
