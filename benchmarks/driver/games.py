"""How a player finds the next move: in what the server says, or with rules of their own."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from bigben_protocol import Snapshot, Step

_STOCK: Final = frozenset({"refill", "turn"})
"""Played only if nothing else is legal, because games that use the stock late last longer."""

Draw = Callable[[], float]
"""Gives numbers from 0 to 1."""


class Answer(msgspec.Struct):
    """What the driver reads of a Diff."""

    race: str
    n: int
    move: str
    steps: tuple[Step, ...]
    legal: tuple[str, ...] = ()
    can_undo: bool = False


class Game(Protocol):
    """One player's game after the last acknowledged move."""

    def choice(self, draw: Draw) -> str | None:
        """A legal move; None at the end of the game."""
        ...

    def take(self, answer: Answer) -> None:
        """The last move is acknowledged."""
        ...


def chosen(legal: Sequence[str], draw: Draw) -> str | None:
    """One of the legal moves, or None if there is none."""
    moves = [move for move in legal if move not in _STOCK] or legal
    return moves[int(draw() * len(moves))] if moves else None


class ToldGame:
    """The server says which moves are legal."""

    def __init__(self, snapshot: Snapshot, *, undo: bool) -> None:
        """``undo``: take each move back where that is legal, so that games hardly ever end."""
        self._undo = undo
        self._legal = snapshot.legal
        self._can_undo = snapshot.can_undo

    def choice(self, draw: Draw) -> str | None:
        if self._undo and self._can_undo:
            return "undo"
        return chosen(self._legal, draw)

    def take(self, answer: Answer) -> None:
        self._legal = answer.legal
        self._can_undo = answer.can_undo


_SHORT: Final = 3
"""A fan with fewer cards has gaps, and nothing is built on it."""
_FULL: Final = {f"f{hour}": 8 if hour in (9, 10, 11, 12) else 9 for hour in range(1, 13)}
_FANS: Final = tuple(str(hour) for hour in range(1, 13))
_SOURCES: Final = (*_FANS, "w")
_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_ABOVE: Final = {
    rank + suit: _RANKS[(i + 1) % len(_RANKS)] + suit
    for suit in "CDHS"
    for i, rank in enumerate(_RANKS)
}
_BELOW: Final = {above: card for card, above in _ABOVE.items()}


class NotKept(RuntimeError):
    """The server sends legal moves to a player who wants none: it does not know Hello's field."""


class KeptGame:
    """The player keeps the standard rules of Big Ben, and the server sends no legal moves."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._piles = {name: list(pile.up) for name, pile in snapshot.piles.items()}
        self._stock = snapshot.piles["s"].down

    def choice(self, draw: Draw) -> str | None:
        piles = self._piles
        wanted = {_BELOW[piles[fan][-1]]: fan for fan in _FANS if len(piles[fan]) >= _SHORT}
        for name, full in _FULL.items():
            if len(piles[name]) < full:
                wanted[_ABOVE[piles[name][-1]]] = name
        first = int(draw() * len(_SOURCES))
        for source in _SOURCES[first:] + _SOURCES[:first]:
            pile = piles[source]
            if pile and (target := wanted.get(pile[-1])):
                return f"{source} {target}"
        if not self._stock:
            return None
        return "refill" if any(len(piles[fan]) < _SHORT for fan in _FANS) else "turn"

    def take(self, answer: Answer) -> None:
        if answer.legal:
            raise NotKept("the server sends legal moves to players who keep the rules")
        for step in answer.steps:
            if step.source == "s":
                self._stock -= 1
            else:
                self._piles[step.source].pop()
            self._piles[step.target].append(step.card)
