"""How the cards of one pile lie in its berth on the board picture, in pixels."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

Size = tuple[int, int]
"""Width and height."""

CARD: Final[Size] = (74, 98)
"""A card of a fan beside a dial, at full size."""
STEP: Final = (49 / 74, 68 / 98)
"""From card to card and from row to row, as parts of a card: rank and suit stay visible."""
STRIP: Final = 0.36
"""From card to card in a column, as a part of its height: rank and suit lie side by side."""
BADGE: Final = 21
"""Radius of a pile's label."""
_BETWEEN_GAPS: Final = 8
_SMALLER: Final = 0.88


class Point(NamedTuple):
    """A place on the picture."""

    x: float
    y: float


@dataclass(frozen=True)
class Berth:
    """The place of a pile: the point it grows from, and its largest size."""

    x: float
    y: float
    grows: tuple[int, int]
    """Sideways and up or down: -1, 0 or 1; 0 grows both ways from the point."""
    width: float
    height: float
    card: Size
    """A card at full size."""
    label: Point | None = None
    """The middle of its label or caption."""
    column: bool = False
    """Whether its cards lie one below the other, and not side by side."""

    def moved(self, x: float, y: float) -> "Berth":
        """The same berth further to the right and further down."""
        label = Point(self.label.x + x, self.label.y + y) if self.label else None
        return replace(self, x=self.x + x, y=self.y + y, label=label)


def single(x: float, y: float, card: Size, label: Point | None = None) -> Berth:
    """A berth for a pile that shows one card, with its middle at a point."""
    return Berth(x, y, (0, 0), *card, card, label)


class Spread(NamedTuple):
    """How a pile is laid out: the size of its cards, and the corners of its cards and gaps."""

    card: Size
    cards: tuple[Point, ...]
    gaps: tuple[Point, ...]


def spread(berth: Berth, cards: int, gaps: int) -> Spread:
    """The bottom card first, row by row or downwards; smaller where there is no room."""
    size, in_row = _fitting(berth, cards)
    width, height = size
    step = width * STEP[0]
    rise = height * (STRIP if berth.column else STEP[1])
    wide = (min(cards, in_row) - 1) * step + width if cards else 0
    wide += gaps * (width + _BETWEEN_GAPS) - (0 if cards else _BETWEEN_GAPS)
    high = (-(-max(cards, 1) // in_row) - 1) * rise + height
    left = berth.x - wide * (1 - berth.grows[0]) / 2
    top = berth.y - high * (1 - berth.grows[1]) / 2
    spots = tuple(Point(left + i % in_row * step, top + i // in_row * rise) for i in range(cards))
    free = left + (cards - 1) * step + width + _BETWEEN_GAPS if cards else left
    missing = tuple(Point(free + i * (width + _BETWEEN_GAPS), top) for i in range(gaps))
    return Spread(size, spots, missing)


def _fitting(berth: Berth, cards: int) -> tuple[Size, int]:
    """The largest size of a card at which the pile fits its berth, and the cards in a row."""
    scale = 1.0
    while True:
        width, height = berth.card[0] * scale, berth.card[1] * scale
        across = (berth.width - width) / (width * STEP[0]) + 0.001
        in_row = 1 if berth.column else max(1, int(across) + 1)
        rise = height * (STRIP if berth.column else STEP[1])
        rows = max(1, -(-cards // in_row))
        if (rows - 1) * rise + height <= berth.height + 0.001:
            return (round(width), round(height)), in_row
        scale *= _SMALLER
