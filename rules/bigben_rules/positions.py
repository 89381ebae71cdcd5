"""The positions of one game by number: some are kept, and the others are made again by its moves.

Kept positions cost memory and work of the garbage collector, and most are never looked at again.
"""

from typing import Final

from bigben_rules.position import Move, Position

EVERY: Final = 16
"""Every sixteenth position is kept: to make another takes fewer moves."""


class Positions:
    """The positions that a game has come to; number 0 is the deal."""

    def __init__(self, dealt: Position) -> None:
        self.last = dealt
        """The position now."""
        self._moves: list[Move | None] = []
        """The move that led to each position from the one before; None if no move did."""
        self._kept = {0: dealt}

    def add(self, position: Position, move: Move | None, *, may_return: bool) -> None:
        """Take the next position. ``move`` is None for one that was there before, after an undo.

        ``may_return``: whether the game may come back to the position before: then that is kept.
        """
        n = len(self._moves)
        if may_return or n % EVERY == 0 or self._moves[-1] is None:
            self._kept[n] = self.last
        self._moves.append(move)
        self.last = position

    def __getitem__(self, n: int) -> Position:
        """Position ``n``."""
        if n == len(self._moves):
            return self.last
        first = n
        while first not in self._kept:
            first -= 1
        position = self._kept[first]
        for move in self._moves[first:n]:
            assert move, "what comes after an undo is kept"
            position, _ = position.apply(move)
        return position
