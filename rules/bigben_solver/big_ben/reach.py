"""The positions of Big Ben that a player can reach before the next card of the stock."""

from typing import NamedTuple

from bigben_solver.big_ben.table import REFILL, Table


class Reached(NamedTuple):
    """Positions, nearest first. The first is where the search began."""

    tables: list[Table]
    origins: list[tuple[int, int]]
    """For each: the index of the position before it, and the move between."""

    def line(self, index: int) -> list[int]:
        """The moves of the shortest way that was found to a position."""
        moves: list[int] = []
        while index:
            index, move = self.origins[index]
            moves.append(move)
        return moves[::-1]


def reachable(table: Table, limit: int) -> Reached:
    """Positions that known cards lead to. Stops at ``limit`` or a few more."""
    tables, origins, known = [table], [(0, 0)], {table.key()}
    for index, current in enumerate(tables):  # it grows on the way
        if len(tables) >= limit:
            break
        for move in current.legal():
            if move < REFILL:
                after = current.copy()
                after.play(move)
                key = after.key()
                if key not in known:
                    known.add(key)
                    tables.append(after)
                    origins.append((index, move))
    return Reached(tables, origins)


def deal_of(table: Table) -> int | None:
    """The legal refill or turn, the refill if both are legal; None if there is none."""
    return next((move for move in table.legal() if move >= REFILL), None)
