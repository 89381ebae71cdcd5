"""How the cards of one pile lie in its berth on the board picture, in pixels."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

Size = tuple[int, int]
"""Width and height."""

CARD: Final[Size] = (96, 134)
"""A card of a fan beside a dial."""
STEP: Final = 0.46
"""The most from card to card in a row, as a part of its width: rank and suit stay visible."""
LEAST: Final = 0.23
"""The least of it: where it would be less, the cards are smaller."""
STRIP: Final = 0.36
"""The most from card to card in a column, as a part of its height: its index is one line."""
BADGE: Final = 17
"""Half the height of a pile's label."""


class Point(NamedTuple):
    """A place on the picture."""

    x: float
    y: float


@dataclass(frozen=True)
class Berth:
    """The place of a pile: the point it grows from, and the room for its cards."""

    x: float
    y: float
    grows: tuple[int, int]
    """Sideways and up or down: -1, 0 or 1; 0 grows both ways from the point."""
    width: float
    height: float
    card: Size
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
    """The bottom card first, in one row or column; closer to each other where there is no room."""
    places = max(1, cards + gaps)
    width, height = berth.card
    if not berth.column and (most := int(berth.width / (1 + LEAST * (places - 1)))) < width:
        width, height = most, round(most * height / width)
    across, down = 0.0, 0.0
    if berth.column:
        down = min(STRIP * height, (berth.height - height) / max(1, places - 1))
    else:
        across = min(STEP * width, (berth.width - width) / max(1, places - 1))
    left = berth.x - (width + across * (places - 1)) * (1 - berth.grows[0]) / 2
    top = berth.y - (height + down * (places - 1)) * (1 - berth.grows[1]) / 2
    spots = tuple(Point(left + i * across, top + i * down) for i in range(cards + gaps))
    return Spread((width, height), spots[:cards], spots[cards:])
