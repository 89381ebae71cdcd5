"""The interface of every patience: its deal, its rules, and how a game in play is read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from bigben_rules.cards import Card
from bigben_rules.description import Description
from bigben_rules.position import Cards, Pile, Position, Reading, Step


class Reader(Protocol):
    """Reads the positions of one game in play, each after the one that it has read before."""

    def read(self, position: Position, moved: Iterable[Step]) -> Reading:
        """The same as ``position.reading()``.

        ``moved`` has all cards that moved since the last reading. Before the first reading it does
        not matter.
        """
        ...


class PlainReader:
    """Reads every position as if it was the first."""

    def read(self, position: Position, moved: Iterable[Step]) -> Reading:
        """The same as ``position.reading()``."""
        return position.reading()


class Game(Protocol):
    """One patience: its pack, its rules and its deal."""

    @property
    def name(self) -> str:
        """The name in commands and Redis keys: ``bigben``."""
        ...

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards that are shuffled, sorted, without those that the layout takes out."""
        ...

    @property
    def total(self) -> int:
        """The number of cards on the foundations when the game is won."""
        ...

    @property
    def variants(self) -> tuple[str, ...]:
        """The main name of each set of rules."""
        ...

    @property
    def description(self) -> Description:
        """What front ends need to know of the game."""
        ...

    def rules(self, wanted: str | Mapping[str, str]) -> str:
        """The main name of a rules variant that is given by any of its names or by its fields.

        Raises ValueError with a sentence that lists the possible values.
        """
        ...

    def deal(self, order: Sequence[Card], rules: str) -> Position:
        """The first position for the shuffled pack and the named rules. Raises ValueError."""
        ...

    def read(self, text: str) -> Position:
        """The position written by ``Position.text``. Raises ValueError with a sentence."""
        ...

    def seen(self, piles: Mapping[Pile, Cards], rules: str) -> Position:
        """The position of a player who sees these piles; face-down cards are unknown.

        It behaves like the real position until an unknown card is dealt. What no pile shows, such
        as the redeals that are left, is as in a new game. Raises ValueError.
        """
        ...

    def reader(self, rules: str) -> Reader:
        """A reader for one game in play under these rules, given by their main name."""
        ...
