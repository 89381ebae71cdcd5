"""The interface of every patience: piles, moves, steps, ``Position`` and ``Game``.

Code outside this package uses only this interface, so it works with every game.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NewType, Protocol, Self

from bigben_rules.cards import Card

Pile = NewType("Pile", str)
"""A pile's name in the notation: ``3`` fan 3, ``f9`` the foundation at nine, ``w`` and ``s``."""

STOCK = Pile("s")
WASTE = Pile("w")


class Move(NamedTuple):
    """From one pile to another. Moves that deal from the stock are constants of their game."""

    source: Pile
    target: Pile


class Step(NamedTuple):
    """One card that moves from the top of one pile to the top of another, where it is face up."""

    source: Pile
    target: Pile
    card: Card


class Cards(NamedTuple):
    """A pile as its player sees it: face-up cards from the bottom, on ``down`` face-down cards."""

    up: tuple[Card, ...]
    down: int = 0


class NotationError(ValueError):
    """The text is not a move in any position. The message is safe to show to the player."""


class IllegalMove(ValueError):
    """The rules forbid the move here; the position is unchanged.

    ``reason`` is a sentence for the player that reveals no face-down card. The exception's text
    also has the position with the stock: use it in a bug report, and never send it.
    """

    def __init__(self, reason: str, position: str) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        return f"{self.reason} In: {self.position}"


class Reading(NamedTuple):
    """What a player is told of a position."""

    legal: tuple[str, ...]
    """The legal moves in the notation, in the order of ``Position.legal_moves``."""
    piles: str
    """Every pile as the player sees it: ``f1:6C f2:7H … 3:7H,KD … s:56?``."""


class Position(Protocol):
    """One state of one player's game: an immutable, hashable value."""

    @property
    def won(self) -> bool:
        """Whether every card is on its foundation."""
        ...

    @property
    def blocked(self) -> bool:
        """Whether the game is not won and no move is legal."""
        ...

    @property
    def progress(self) -> int:
        """The number of cards on the foundations, including those of the layout."""
        ...

    def legal_moves(self) -> list[Move]:
        """Exactly the moves that ``apply`` accepts."""
        ...

    def apply(self, move: Move) -> tuple[Self, tuple[Step, ...]]:
        """The position after the move, and the cards that moved, in order. Raises IllegalMove."""
        ...

    def reading(self) -> Reading:
        """The legal moves and the piles. A game that has a faster way equals ``plain_reading``."""
        return plain_reading(self)

    def followed(self) -> Self:
        """An equal position for a game that is read after every move.

        It and all positions that ``apply`` makes of it may share what makes readings fast.
        """
        return self

    def parse(self, text: str) -> Move:
        """The move that a player means by ``text`` in this position; it may be illegal.

        Raises NotationError, and IllegalMove if the text leaves a choice that has no solution.
        """
        ...

    def format(self, move: Move) -> str:
        """The move in the notation of the log; ``parse`` reads it back in this position."""
        ...

    def piles(self) -> dict[Pile, Cards]:
        """What the player sees: all piles, always in the same order."""
        ...

    def pile(self, name: Pile) -> Cards:
        """One pile as the player sees it. Raises KeyError."""
        ...

    def text(self) -> str:
        """The whole position in one line, face-down cards included; ``Game.read`` reads it."""
        ...


def plain_reading(position: Position) -> Reading:
    """The reading of a position, made from nothing but its own methods."""
    legal = tuple(map(position.format, position.legal_moves()))
    piles = (pile_text(name, *cards) for name, cards in position.piles().items())
    return Reading(legal, " ".join(piles))


def pile_text(name: Pile, up: Sequence[Card], down: int = 0) -> str:
    """A pile as its player sees it: ``3:7H,KD``, with face-down cards ``s:56?``."""
    return f"{name}:{f'{down}?' if down else ''}{','.join(up)}"


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

        It behaves like the real position until an unknown card is dealt. Raises ValueError.
        """
        ...
