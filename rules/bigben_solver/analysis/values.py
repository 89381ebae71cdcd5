"""What an analysis says: values, without a position or a search."""

from dataclasses import dataclass
from typing import Final

VERSION: Final = 2
"""Of the figures: an analysis that another version has made is made again."""
CERTAIN: Final = 10_000
"""The chance of a position that is won. Chances are whole numbers, so that they add up exactly."""
CARD: Final = 100
"""One card, where cards that can be expected are counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """One place on the curves: the game after move ``n``."""

    n: int
    chance: int
    """Of winning for a simple player who knows only what the player knew, of ``CERTAIN``. Once
    all cards are known, whether a win is still found."""
    expected: int
    """The cards home that such a player could expect at the end, of which one is ``CARD``."""
    home: int
    """The cards home now."""


@dataclass(frozen=True, slots=True)
class CostlyMove:
    """A move that cost something, and what was better."""

    n: int
    """The move's number in the log."""
    move: str
    better: str
    cost: int
    """The winning chance that it gave away."""
    cards: int
    """The expected cards home that it gave away."""


@dataclass(frozen=True, slots=True)
class SeatAnalysis:
    """One seat's play. ``last - first`` is ``skill + luck``, for chances and for cards home.

    A player who gave up has no more than the chance of the position that they left.
    """

    points: tuple[Point, ...]
    """At the start and after each move that was not taken back, in their order."""
    costly: tuple[CostlyMove, ...]
    """At most three, the one that cost most first."""
    skill: int
    """How much better the choices were than a simple player's; less than 0 if they were worse."""
    luck: int
    """How much better the cards came than was to be expected, less than 0 if worse; 0 on average.
    """
    skill_cards: int
    luck_cards: int
