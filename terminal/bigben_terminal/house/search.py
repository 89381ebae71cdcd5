"""Searches the positions that a player can reach before the next card is dealt."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from bigben_rules import Move
from bigben_rules.bigben import Position
from bigben_rules.bigben.layout import FOUNDATION, HOURS
from bigben_rules.cards import PACK
from bigben_rules.game import STOCK

Reached = Mapping[Position, tuple[Position, Move] | None]
"""Positions, each with its predecessor and the move between; None for the first."""

_BOTH_PACKS: Final = Counter(PACK + PACK)


def reachable(position: Position, limit: int) -> Reached:
    """Positions that plays and builds lead to, nearest first, ``position`` among them.

    Stops at ``limit`` positions or a few more.
    """
    reached: dict[Position, tuple[Position, Move] | None] = {position: None}
    waiting = [position]
    for current in waiting:  # it grows on the way
        if len(reached) >= limit:
            break
        for move in current.legal_moves():
            if move.source != STOCK:
                after, _ = current.apply(move)
                if after not in reached:
                    reached[after] = (current, move)
                    waiting.append(after)
    return reached


def moves_to(end: Position, reached: Reached) -> tuple[Move, ...]:
    """The moves of the shortest path that was found to the position."""
    moves: list[Move] = []
    step = reached[end]
    while step:
        before, move = step
        moves.append(move)
        step = reached[before]
    return tuple(reversed(moves))


def deal_move(position: Position) -> Move | None:
    """The legal refill or turn; the refill if both are legal."""
    return next((move for move in position.legal_moves() if move.source == STOCK), None)


def is_play(move: Move) -> bool:
    """Whether the move brings a card home."""
    return move.source != STOCK and move.target.startswith("f")


def guessed(position: Position, rng: Random) -> Position:
    """The position with a possible stock: the unseen cards, shuffled."""
    unseen = _BOTH_PACKS.copy()
    for hour, count in zip(HOURS, position.foundations, strict=True):
        unseen.subtract(FOUNDATION[hour][:count])
    for pile in (*position.fans, position.waste):
        unseen.subtract(pile)
    stock = list(unseen.elements())
    rng.shuffle(stock)
    return replace(position, stock=tuple(stock))
