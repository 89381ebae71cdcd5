"""Finds winning lines of Big Ben with narrow beams, each with weights of its own.

A beam has a level for each number of cards that the stock has dealt. In a level it looks at the
best positions that play and build lead to; each of them deals into a later level.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from random import Random
from typing import Final, NamedTuple

from bigben_solver.big_ben.judging import Weights, set_aside, turned
from bigben_solver.big_ben.moves import Piles, after, card_moves, deal_moves, dealt
from bigben_solver.big_ben.table import NO_CARD, TARGETS, TOTAL, TURN, WASTE, Table

LAST_LOOKS: Final = 20
"""How many times as many positions are looked at when the stock is empty."""


class Node(NamedTuple):
    """A position of a beam, and how it was reached."""

    piles: Piles
    at: int
    set_aside: int
    """``UNSEEN`` until somebody looks."""
    turned: int
    """In all fans."""
    before: "Node | None"
    move: int


UNSEEN: Final = -1

Scored = tuple[float, int, Node]
"""A position with its score, and a number that tells equal scores apart. An unseen position has
the score of one where no card is set aside, so it is only seen if it could be among the best."""


class Beam:
    """One search of at most about ``nodes`` positions; ``run`` it once."""

    def __init__(
        self,
        table: Table,
        weights: Weights,
        order: bytes,
        width: int,
        looks: int,
        rng: Random,
        nodes: int,
    ) -> None:
        self._table = table
        self._end = len(table.stock)
        self._loose = _loose(table.stock)
        self._weights = weights
        self._order = order
        self._width = width
        self._looks = looks
        self._random = rng.random
        self._most = nodes
        self._levels: list[dict[Piles, Scored]] = [{} for _ in range(self._end + 1)]
        self.nodes = 0

    def run(self, stop: Callable[[], bool]) -> Node | None:
        """The end of a line after which everything goes home without a build, if one is found."""
        table = self._table
        piles = (bytes(table.home), tuple(table.fans), table.waste)
        count = sum(map(turned, table.fans))
        start = Node(piles, table.at, self._set_aside(piles, table.at), count, None, -1)
        self._levels[table.at][piles] = (0.0, 0, start)
        for at in range(table.at, self._end + 1):
            seen: set[Piles] = set()
            for scored in self._best(list(self._levels[at].values())):
                won = self._level(scored, seen)
                if won or self.nodes >= self._most or stop():
                    return won
            self._levels[at].clear()
        return None

    def _best(self, heap: list[Scored]) -> list[Scored]:
        heapify(heap)
        best: list[Scored] = []
        while heap and len(best) < self._width:
            scored = self._pop(heap)
            if scored:
                best.append(scored)
        return best

    def _pop(self, heap: list[Scored]) -> Scored | None:
        """The best position; None if it was unseen and is not so good."""
        score, number, node = heappop(heap)
        if node.set_aside == UNSEEN:
            cards = self._set_aside(node.piles, node.at)
            node = Node(node.piles, node.at, cards, node.turned, node.before, node.move)
            if cards:
                heappush(heap, (score + self._weights.set_aside * cards, number, node))
                return None
        return score, number, node

    def _set_aside(self, piles: Piles, at: int) -> int:
        self.nodes += 1
        home, fans, waste = piles
        return set_aside(home, fans, waste, self._loose[at], self._order)

    def _scored(self, node: Node, number: int) -> Scored:
        waste = node.piles[2]
        weights = self._weights
        score = (
            weights.waste * len(waste)
            + weights.fans_turned * node.turned
            + weights.waste_turned * turned(waste)
            + weights.chance * self._random()
        )
        if node.set_aside > 0:
            score += weights.set_aside * node.set_aside
        return score, number, node

    def _level(self, start: Scored, seen: set[Piles]) -> Node | None:
        """Look at the best positions before the next deal; returns one that is won."""
        last = start[2].at == self._end
        looks = LAST_LOOKS * self._looks if last else self._looks
        heap = [start]
        while heap and looks:
            scored = self._pop(heap)
            if not scored:
                continue
            node = scored[2]
            # A play keeps the number of its predecessor, even if it brings the last card home.
            if last and (not node.set_aside or sum(node.piles[0]) == TOTAL):
                return node
            looks -= 1
            self.nodes += 1
            moves, safe = card_moves(node.piles, self._table, last)
            for move in moves:
                piles = after(node.piles, move)
                if piles not in seen:
                    seen.add(piles)
                    heappush(heap, self._scored(self._moved(node, piles, move), len(seen)))
            if not safe and not last:
                for move in deal_moves(node.piles, self._table, stuck=not moves):
                    self._dealt(node, move)
        return None

    def _moved(self, node: Node, piles: Piles, move: int) -> Node:
        """The position after a play or a build."""
        source, target = divmod(move, TARGETS)
        count = node.turned
        fans, new = node.piles[1], piles[1]
        if source < WASTE:
            count += turned(new[source]) - turned(fans[source])
        # A play changes what can go home hardly ever, and looking is expensive.
        cards = node.set_aside
        if target >= WASTE:
            target -= WASTE
            count += turned(new[target]) - turned(fans[target])
            cards = self._set_aside(piles, node.at) if cards else UNSEEN
        return Node(piles, node.at, cards, count, node, move)

    def _dealt(self, node: Node, move: int) -> None:
        piles, at = dealt(self._table, node.piles, node.at, move)
        level = self._levels[at]
        if piles not in level:
            cards = self._set_aside(piles, at) if node.set_aside else UNSEEN
            count = node.turned if move == TURN else sum(map(turned, piles[1]))
            level[piles] = self._scored(Node(piles, at, cards, count, node, move), len(level))

    def line(self, end: Node) -> list[int]:
        """The whole line to the win that begins with the moves to ``end``."""
        home, fans, waste = end.piles
        plays: list[int] = []
        set_aside(home, fans, waste, bytes(NO_CARD + 1), self._order, plays)
        moves: list[int] = []
        node = end
        while node.before is not None:
            moves.append(node.move)
            node = node.before
        return moves[::-1] + plays


def _loose(stock: bytes) -> list[bytes]:
    """By the number of dealt cards: how many cards of each number the stock has."""
    counts = bytearray(NO_CARD + 1)
    loose = [bytes(counts)]
    for card in reversed(stock):
        counts[card] += 1
        loose.append(bytes(counts))
    return loose[::-1]
