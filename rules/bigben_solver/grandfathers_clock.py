"""Solves Grandfather's Clock, where all cards are seen: a search through the best positions first.

Cards are 0 … 51 in the order of ``PACK``. A move is ``source * 8 + target`` for columns, and
``source * 8 + source`` for a play, since each card has one foundation.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final, NamedTuple

from bigben_rules import Move
from bigben_rules.cards import PACK, RANK
from bigben_rules.grandfathersclock import COLUMNS, FOUNDATION, HOME, WRAPS, Position
from bigben_solver.solution import Solution

_WIDTH: Final = len(COLUMNS)
_NUMBER: Final = {card: number for number, card in enumerate(PACK)}
_HOURS: Final = {pile: hour for hour, pile in enumerate(FOUNDATION)}
_HOUR: Final = bytes(_HOURS[HOME[card]] for card in PACK)
_BEFORE: Final = bytes(FOUNDATION[HOME[card]].index(card) for card in PACK)
"""By card: its foundation, and how many cards that must have before it."""
_RANK: Final = bytes(RANK[card] - 1 for card in PACK)
_ASKED: Final = 256
"""How many positions are searched between two questions to ``stop``."""


class Node(NamedTuple):
    """A position, and how it was reached."""

    home: bytes
    columns: tuple[bytes, ...]
    before: "Node | None"
    move: int


def solve(position: Position, *, nodes: int, stop: Callable[[], bool]) -> Solution:
    """See ``bigben_solver.solve``."""
    wraps = WRAPS[position.rules]
    columns = tuple(bytes([_NUMBER[card] for card in column]) for column in position.columns)
    start = Node(bytes(position.foundations), columns, None, -1)
    # Which column is which does not matter, and what is not in the columns is home.
    seen = {tuple(sorted(columns))}
    waiting = [(0, 0, start)]
    used = 0
    while waiting:
        node = heappop(waiting)[2]
        if not any(node.columns):
            return Solution("won", _line(node, position), used)
        if used >= nodes or (used % _ASKED == 0 and stop()):
            return Solution("unknown", (), used)
        used += 1
        for move in _moves(node, wraps):
            new = _after(node, move)
            key = tuple(sorted(new.columns))
            if key not in seen:
                seen.add(key)
                heappush(waiting, (_score(new), -len(seen), new))
    return Solution("lost", (), used)


def _moves(node: Node, wraps: bool) -> list[int]:
    """Moves that are enough for a win if there is one.

    One empty column is as good as another, and a lone card gains nothing there. A play comes alone
    if all cards that could be built on the card are home: the card is of no more use, and a shorter
    column is never worse.
    """
    home, columns = node.home, node.columns
    moves: list[int] = []
    empty = next((i for i, column in enumerate(columns) if not column), -1)
    for source, column in enumerate(columns):
        if not column:
            continue
        card = column[-1]
        if home[_HOUR[card]] == _BEFORE[card]:
            move = source * _WIDTH + source
            if _useless(home, card, wraps):
                return [move]
            moves.append(move)
        on = (_RANK[card] + 1) % 13
        for target, other in enumerate(columns):
            if other and _RANK[other[-1]] == on and (on or wraps) and target != source:
                moves.append(source * _WIDTH + target)
        if empty >= 0 and len(column) > 1:
            moves.append(source * _WIDTH + empty)
    return moves


def _useless(home: bytes, card: int, wraps: bool) -> bool:
    """Whether no card that is not home could be built on this one."""
    rank = _RANK[card]
    if not (rank or wraps):
        return True
    below = (rank - 1) % 13
    return all(home[_HOUR[other]] > _BEFORE[other] for other in range(below, 52, 13))


def _after(node: Node, move: int) -> Node:
    source, target = divmod(move, _WIDTH)
    columns = list(node.columns)
    top = columns[source][-1:]
    columns[source] = columns[source][:-1]
    home = node.home
    if source == target:
        counts = bytearray(home)
        counts[_HOUR[top[0]]] += 1
        home = bytes(counts)
    else:
        columns[target] += top
    return Node(home, tuple(columns), node, move)


def _score(node: Node) -> int:
    """Small if the position is good: cards home, empty columns, few cards above a sooner one."""
    home = node.home
    score = -2 * sum(home)
    for column in node.columns:
        if not column:
            score -= 3
        soonest = 99
        for card in column:
            wait = _BEFORE[card] - home[_HOUR[card]]
            if wait > soonest:
                score += 3
            else:
                soonest = wait
    return score


def _line(end: Node, position: Position) -> tuple[Move, ...]:
    moves: list[int] = []
    node = end
    while node.before is not None:
        moves.append(node.move)
        node = node.before
    line: list[Move] = []
    for number in reversed(moves):
        source, target = divmod(number, _WIDTH)
        top = position.columns[source][-1]
        move = Move(COLUMNS[source], HOME[top] if source == target else COLUMNS[target])
        position, _ = position.apply(move)
        line.append(move)
    return tuple(line)
