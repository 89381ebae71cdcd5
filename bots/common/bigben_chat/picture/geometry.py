"""Where everything lies on the board picture, in pixels.

Foundations are on a circle. Fans are outside of it and grow outwards row by row, so the clock never
moves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final, NamedTuple

WIDTH: Final = 1140
HEIGHT: Final = 1120
MIDDLE: Final = (WIDTH // 2, HEIGHT // 2)

CARD: Final = (74, 98)
"""Width and height of every card but those in the middle."""
STEP: Final = (49, 68)
"""From card to card and from row to row where one covers another: rank and suit stay seen."""
BIG_CARD: Final = (104, 143)
"""Of stock and waste."""
RADIUS: Final = 216
"""From the middle of the clock to the middle of a foundation."""
BADGE: Final = 21
"""Radius of an hour's numeral."""


class Point(NamedTuple):
    """A place on the picture."""

    x: float
    y: float


@dataclass(frozen=True)
class Berth:
    """The place of a fan: the point it grows from, and its largest size."""

    x: float
    y: float
    grows: tuple[int, int]
    """Sideways and up or down: -1, 0 or 1; 0 grows both ways from the point."""
    width: float
    height: float
    badge: Point


def foundation_at(hour: int) -> Point:
    """The middle of the hour's foundation."""
    angle = hour * pi / 6
    return Point(MIDDLE[0] + RADIUS * sin(angle), MIDDLE[1] - RADIUS * cos(angle))


def _berths() -> Iterator[tuple[int, Berth]]:
    """By hour: above and below the clock, at its corners, at its sides."""
    x, y = MIDDLE
    for hour, up in ((12, 1), (6, -1)):
        badge = Point(x, y - up * 300)
        yield hour, Berth(x, y - up * 330, (0, -up), 330, 206, badge)
    for hour, side, up in ((1, 1, 1), (5, 1, -1), (7, -1, -1), (11, -1, 1)):
        badge = Point(x + side * 226, y - up * 340)
        yield hour, Berth(x + side * 176, y - up * 368, (side, -up), 376, 168, badge)
    for hour, side, up in ((2, 1, 1), (3, 1, 0), (4, 1, -1), (8, -1, -1), (9, -1, 0), (10, -1, 1)):
        badge = Point(x + side * 279, y - up * 240)
        yield hour, Berth(x + side * 306, y - up * 240, (side, 0), 252, 236, badge)


BERTH: Final[Mapping[int, Berth]] = dict(_berths())
"""By hour."""


class Spread(NamedTuple):
    """How a fan is laid out: the corners of its cards and gaps, and how much smaller it is."""

    scale: float
    cards: tuple[Point, ...]
    gaps: tuple[Point, ...]


def spread(hour: int, cards: int, gaps: int) -> Spread:
    """Row by row, bottom card first; smaller where there is no room at full size."""
    berth = BERTH[hour]
    scale, in_row, rise = _fitting(berth, cards)
    width, height, step = CARD[0] * scale, CARD[1] * scale, STEP[0] * scale
    wide = (min(cards, in_row) - 1) * step + width if cards else 0
    wide += gaps * (width + _BETWEEN_GAPS) - (0 if cards else _BETWEEN_GAPS)
    high = (-(-max(cards, 1) // in_row) - 1) * rise + height
    left = berth.x - wide * (1 - berth.grows[0]) / 2
    top = berth.y - high * (1 - berth.grows[1]) / 2
    spots = tuple(Point(left + i % in_row * step, top + i // in_row * rise) for i in range(cards))
    free = left + (cards - 1) * step + width + _BETWEEN_GAPS if cards else left
    missing = tuple(Point(free + i * (width + _BETWEEN_GAPS), top) for i in range(gaps))
    return Spread(scale, spots, missing)


_BETWEEN_GAPS: Final = 8
_SCALES: Final = (1.0, 0.88, 0.76, 0.66, 0.57, 0.5, 0.42)


def _fitting(berth: Berth, cards: int) -> tuple[float, int, float]:
    """The largest scale at which a fan fits its berth, its cards in a row, its rows' distance."""
    for scale in _SCALES:
        in_row = int((berth.width - CARD[0] * scale) // (STEP[0] * scale)) + 1
        rows = max(1, -(-cards // in_row))
        if ((rows - 1) * STEP[1] + CARD[1]) * scale <= berth.height:
            return scale, in_row, STEP[1] * scale
    raise AssertionError(f"a fan of {cards} cards: more than there are in play")
