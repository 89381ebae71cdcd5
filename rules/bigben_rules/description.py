"""What a game says of itself: its rules by name, where its piles lie, and how moves are typed.

Front ends draw and explain every game from this alone. Texts are ids of the catalogues that all
front ends share; ``game.NAME`` is a game's name and ``game.NAME.goal`` its goal in one sentence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bigben_rules.cards import Card
from bigben_rules.position import Pile

Place = Literal["outer", "inner", "centre", "column", "row"]
"""The outer and inner ring of a dial, its centre, a column, or a place in a row."""

Kind = Literal["foundation", "tableau", "reserve", "stock", "waste", "hand"]
"""A ``reserve`` is face down, and cards may lie face up under it; ``hand`` is the exposed card."""

Fans = Literal["", "out", "down", "right"]
"""Where a pile's next card lies: on the last one, away from the dial, below it, or to its right."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a pile lies, and what it is."""

    pile: Pile
    kind: Kind
    place: Place
    at: int
    """On a ring the hour, 1 … 12; elsewhere the number from the left, from 1."""
    row: int = 1
    """Of a ``row``: its number from the top, from 1."""
    fans: Fans = ""
    label: str = ""
    """What is written beside the pile: its name in moves, or the rank that it collects."""
    goal: str = ""
    """The card that completes a foundation, ``9C``; or its rank if the suit is open, ``9``. All
    foundations with an open suit go in one order of suits."""
    size: int = 0
    """The number of cards to which it is refilled; while it has fewer it has gaps."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A kind of move, as players type it."""

    example: str
    """``3 fdn``, ``turn``, ``swap 7 2``."""
    says: str
    """The text id of what it does: ``move.fdn``."""
    tap: str = ""
    """The pile that stands for a move without piles: who taps it means this move."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of the rules. The text ``rules.GAME.FIELD.VALUE`` explains a value."""

    field: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Where the cards lie before the first move, so that anyone can deal them again."""

    packs: int
    laid: tuple[tuple[Pile, Card], ...]
    """Cards that lie on a pile from the start; their first copies are not shuffled."""
    dealt: tuple[Pile, ...]
    """The pile of each shuffled card, first dealt first. Of a stock the first card is the next one;
    of every other pile the last card is the top."""
    down: tuple[Pile, ...]
    """The piles whose cards are dealt face down."""

    def piles(self, order: Sequence[Card]) -> dict[Pile, tuple[Card, ...]]:
        """The cards of each pile that has any, face-down cards included, in the order of dealing.

        ``order`` is the shuffled cards, first dealt first.
        """
        piles: dict[Pile, tuple[Card, ...]] = {}
        for pile, card in (*self.laid, *zip(self.dealt, order, strict=True)):
            piles[pile] = (*piles.get(pile, ()), card)
        return piles


@dataclass(frozen=True, slots=True)
class Description:
    """A game as its players meet it."""

    name: str
    total: int
    """Cards home when the game is won."""
    decides: bool
    """Whether players decide anything; if not, everybody's result is the same."""
    choices: tuple[Choice, ...]
    presets: tuple[str, ...]
    """Rules with a name, each once, ``standard`` first. ``rules.GAME.PRESET`` is for people."""
    slots: tuple[Slot, ...]
    """Every pile, in the order of Snapshots."""
    moves: tuple[Typed, ...]
    """In the order in which help shows them."""
    deal: Deal


def choices(values: Mapping[str, Iterable[str]]) -> tuple[Choice, ...]:
    """Fields of the rules from their values, the default first."""
    return tuple(Choice(field, (*these,), next(iter(these))) for field, these in values.items())


def foundation(pile: Pile, place: Place, at: int, goal: Card | str) -> Slot:
    """A foundation at an hour, which is its label."""
    return Slot(pile, "foundation", place, at, label=str(at), goal=goal)
