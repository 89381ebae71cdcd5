"""What a server says of its games: their rules by name, their layout, and how moves are typed.

A front end draws and explains every game from this alone. Texts are ids of
``bigben_protocol.texts``: ``game.NAME`` is a game's name, ``game.NAME.goal`` its goal in a
sentence, and ``game.NAME.luck`` says that nothing is decided in it.
"""

from typing import Literal

import msgspec

from bigben_protocol.types import Card

Place = Literal["outer", "inner", "centre", "column", "row"]
"""The outer and inner ring of a dial, its centre, a column, or a place in a row."""

PileKind = Literal["foundation", "tableau", "reserve", "stock", "waste", "hand"]
"""A ``reserve`` is face down, and cards may lie face up under it; ``hand`` is the exposed card. The
text ``kind.KIND`` names it, in the tableau ``kind.tableau.PLACE``."""

Fans = Literal["", "out", "down", "right"]
"""Where a pile's next card lies: on the last one, away from the dial, below it, or to its right."""


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of the rules. ``rules.GAME.FIELD`` names it, ``rules.GAME.FIELD.VALUE`` a value."""

    field: str
    values: tuple[str, ...]
    default: str


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a pile lies, and what it is."""

    pile: str
    """Its name in moves, Snapshots and steps."""
    kind: PileKind
    place: Place
    at: int
    """On a ring the hour, 1 … 12; elsewhere the number from the left, from 1."""
    row: int = 1
    """Of a ``row``: its number from the top, from 1."""
    fans: Fans = ""
    label: str = ""
    """What is written beside the pile: its name in moves, or the rank that it collects."""
    goal: Card = ""
    """The card that completes a foundation, ``9C``; or its rank if the suit is open, ``9``. All
    foundations with an open suit go in one order of suits."""
    size: int = 0
    """The number of cards to which it is refilled; while it has fewer it has gaps."""


class Typed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of move, as players type it."""

    example: str
    """``3 fdn``, ``turn``, ``swap 7 2``."""
    says: str
    """The text id of what it does: ``move.fdn``."""
    tap: str = ""
    """The pile that stands for a move without piles: who taps it means this move."""


class Deal(msgspec.Struct, frozen=True):
    """Where the cards lie before the first move, so that anyone can deal them again."""

    packs: int
    laid: tuple[tuple[str, Card], ...]
    """Piles with a card that lies there from the start; its first copy is not shuffled."""
    dealt: tuple[str, ...]
    """The pile of each shuffled card, first dealt first. Of a stock the first card is the next one;
    of every other pile the last card is the top."""
    down: tuple[str, ...]
    """The piles whose cards are dealt face down."""


class GameInfo(msgspec.Struct, frozen=True, omit_defaults=True):
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
    deal: Deal | None = None
    certifies: bool = False
    """Whether the server looks for winning lines of its deals."""
    grades: bool = False
    """Whether the server grades its deals."""
