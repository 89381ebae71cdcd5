"""Positions that look the same to their player."""

from dataclasses import replace
from random import Random

from bigben_rules import Position, bigben, clock_kind, germanclock


def reshuffled(position: Position, luck: Random) -> Position:
    """The position with its face-down cards in another order."""
    match position:
        case bigben.Position() | germanclock.Position():
            stock = list(position.stock)
            luck.shuffle(stock)
            return replace(position, stock=tuple(stock))
        case clock_kind.Position():
            cards = [card for pile in position.down for card in pile]
            luck.shuffle(cards)
            left = iter(cards)
            return replace(
                position, down=tuple(tuple(next(left) for _ in p) for p in position.down)
            )
        case _:
            return position
