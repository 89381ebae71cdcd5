"""Looks at every position that can be reached, so that nothing left to try is a proof of loss."""

from collections.abc import Callable
from typing import Final

from bigben_solver.big_ben.moves import Piles, after, card_moves, deal_moves, dealt
from bigben_solver.big_ben.table import TARGETS, TOTAL, WASTE, Table

_ASKED: Final = 1024
"""How many positions are searched between two questions to ``stop``."""


class Proof:
    """A search through at most ``most`` positions; ``run`` it once.

    Afterwards ``lost`` is whether all positions that matter were looked at and none is won. Left
    out are only moves that no win needs, as ``card_moves`` says.
    """

    def __init__(self, table: Table, most: int) -> None:
        self._table = table
        self._most = most
        self._reached: dict[Piles, tuple[Piles, int] | None] = {}
        self.lost = False
        self.nodes = 0

    def run(self, stop: Callable[[], bool]) -> list[int] | None:
        """The moves of a winning line, if it is found."""
        table, end = self._table, len(self._table.stock)
        start: Piles = (bytes(table.home), tuple(table.fans), table.waste)
        # The piles say how many cards the stock has dealt, so they are the whole position.
        self._reached[start] = None
        waiting = [(start, table.at)]
        while waiting:
            piles, at = waiting.pop()
            if sum(piles[0]) == TOTAL:
                return self._line(piles)
            self.nodes += 1
            if self.nodes > self._most or (self.nodes % _ASKED == 0 and stop()):
                return None
            moves, safe = card_moves(piles, table, at == end)
            if not safe and at < end:
                for move in deal_moves(piles, table, stuck=not moves):
                    self._add(waiting, dealt(table, piles, at, move), piles, move)
            for move in moves:
                if move % TARGETS >= WASTE:
                    self._add(waiting, (after(piles, move), at), piles, move)
            for move in moves:  # the last one added is looked at first
                if move % TARGETS < WASTE:
                    self._add(waiting, (after(piles, move), at), piles, move)
        self.lost = True
        return None

    def _add(
        self, waiting: list[tuple[Piles, int]], new: tuple[Piles, int], before: Piles, move: int
    ) -> None:
        if new[0] not in self._reached:
            self._reached[new[0]] = (before, move)
            waiting.append(new)

    def _line(self, end: Piles) -> list[int]:
        moves: list[int] = []
        step = self._reached[end]
        while step:
            before, move = step
            moves.append(move)
            step = self._reached[before]
        return moves[::-1]
