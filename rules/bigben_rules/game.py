"""What every patience looks like to the server and the clients: piles, moves, steps. No game.

A game is a ``Game``; its positions are values that offer the methods of ``Position``. Nothing
outside this package needs to know which game is played.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NewType, Protocol, Self

from bigben_rules.cards import Card

Pile = NewType("Pile", str)
"""A pile by its name in the notation: ``3`` fan 3, ``f9`` the foundation at nine, ``w``, ``s``."""

STOCK = Pile("s")
WASTE = Pile("w")


class Move(NamedTuple):
    """From a pile to a pile. Moves that deal from the stock are named constants of their game."""

    source: Pile
    target: Pile


class Step(NamedTuple):
    """One card going from the top of one pile to the top of another, seen by its player."""

    source: Pile
    target: Pile
    card: Card


class Cards(NamedTuple):
    """A pile as its player sees it: face-up cards, bottom first, on ``down`` face-down ones."""

    up: tuple[Card, ...]
    down: int = 0


class NotationError(ValueError):
    """The text is not a move in any position. Its message is a sentence, safe to show."""


class IllegalMove(ValueError):
    """The rules forbid the move here; the position is unchanged.

    ``reason`` is a sentence for the player and tells nothing about face-down cards. The whole
    exception also holds the position, stock included: it is for a bug report, never for the wire.
    """

    def __init__(self, reason: str, position: str) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        return f"{self.reason} In: {self.position}"


class Position(Protocol):
    """One state of one player's game: an immutable, hashable value."""

    @property
    def won(self) -> bool:
        """Every card is on its foundation."""
        ...

    @property
    def blocked(self) -> bool:
        """Not won, and no legal move of any kind."""
        ...

    @property
    def progress(self) -> int:
        """Cards on the foundations, those of the layout included; all of them when won."""
        ...

    def legal_moves(self) -> list[Move]:
        """Exactly the moves that ``apply`` accepts."""
        ...

    def apply(self, move: Move) -> tuple[Self, tuple[Step, ...]]:
        """The position after the move, and the cards' transfers in order. Raises IllegalMove."""
        ...

    def parse(self, text: str) -> Move:
        """The move that a player means by ``text`` here; it need not be legal.

        Raises NotationError, and IllegalMove where the text asks for a choice that does not exist.
        """
        ...

    def format(self, move: Move) -> str:
        """The move in the notation that logs hold; ``parse`` reads it back in this position."""
        ...

    def piles(self) -> dict[Pile, Cards]:
        """What the player sees, pile by pile, always in the same order."""
        ...

    def pile(self, name: Pile) -> Cards:
        """One of these. Raises KeyError."""
        ...

    def text(self) -> str:
        """The whole position in one line, face-down cards included; ``Game.read`` reads it."""
        ...


class Game(Protocol):
    """One patience: its pack, its rules, its deal."""

    @property
    def name(self) -> str:
        """The word in commands and Redis keys: ``bigben``."""
        ...

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards that a seed shuffles, sorted: those of the layout are taken out."""
        ...

    @property
    def total(self) -> int:
        """Cards on the foundations when the game is won."""
        ...

    @property
    def variants(self) -> tuple[str, ...]:
        """Every rules variant by its one name."""
        ...

    def rules(self, wanted: str | Mapping[str, str]) -> str:
        """The one name of a rules variant, from a preset's name, that name, or its fields.

        Raises ValueError with a sentence that lists what exists.
        """
        ...

    def deal(self, order: Sequence[Card], rules: str) -> Position:
        """The first position of the shuffled pack, under the rules so named. Raises ValueError."""
        ...

    def read(self, text: str) -> Position:
        """The position written by ``Position.text``. Raises ValueError with a sentence."""
        ...

    def seen(self, piles: Mapping[Pile, Cards], rules: str) -> Position:
        """The position of a player who sees these piles; face-down cards stay unknown.

        It answers like the real one as long as no unknown card is dealt. Raises ValueError.
        """
        ...
