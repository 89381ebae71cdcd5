"""Searches the positions of any game that a player can reach before a new card is shown."""

from collections.abc import Mapping
from typing import TypeVar

from bigben_rules import IllegalMove, Move, Position
from bigben_rules.position import STOCK, shows
from bigben_solver.players.player import Plan

P = TypeVar("P", bound=Position)

Reached = Mapping[P, tuple[P, Move] | None]
"""Positions, each with its predecessor and the move between; None for the first."""


def follow(position: P, move: Move) -> P | None:
    """The position after a legal move; None if the move shows a new card."""
    if move.source == STOCK:
        return None
    try:
        after, steps = position.apply(move)
    except IllegalMove:  # the card is not known
        return None
    return None if shows(steps) else after


def reachable(position: P, limit: int) -> Reached[P]:
    """Positions that known cards lead to, nearest first, ``position`` among them.

    Stops at ``limit`` positions or a few more.
    """
    reached: dict[P, tuple[P, Move] | None] = {position: None}
    waiting = [position]
    for current in waiting:  # it grows on the way
        if len(reached) >= limit:
            break
        for move in current.legal_moves():
            after = follow(current, move)
            if after is not None and after not in reached:
                reached[after] = (current, move)
                waiting.append(after)
    return reached


def moves_to(end: P, reached: Reached[P]) -> Plan:
    """The moves of the shortest path that was found to the position."""
    moves: list[Move] = []
    step = reached[end]
    while step:
        before, move = step
        moves.append(move)
        step = reached[before]
    return tuple(reversed(moves))
