"""Where every pile of a game lies on the board picture: a dial, columns below it, rows below both.

Nothing here knows a game: the slots of its description say where its piles belong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bigben_chat.picture.dial import Outline, dial
from bigben_chat.picture.geometry import BADGE, CARD, STRIP, Berth, Point, Size
from bigben_protocol import Pile, Slot

_WIDTH: Final = 1040
"""Of columns and rows."""
_BROADEST: Final = 110
"""The width of their cards, if there is room."""
_PITCH: Final = 148
"""The most from pile to pile in a row."""
_HEADER: Final = 2 * BADGE + 10
"""Above a pile, for its label."""
_COUNT: Final = 60
"""The height of the line that counts the cards home, where there is no dial."""
_MARGIN: Final = 16
_SMALL: Final = 4
"""How many cards a pile in a row has room for from the start, so the rows below do not move."""


class Ring(NamedTuple):
    """The ring of a dial: its middle, and its outline."""

    middle: Point
    outline: Outline


@dataclass(frozen=True)
class Arrangement:
    """The picture's size, and the berths by pile."""

    width: int
    height: int
    berths: Mapping[str, Berth]
    home: Point
    """The middle of the number of cards home."""
    ring: Ring | None


class _Area(NamedTuple):
    """A part of the picture, measured from its upper left corner."""

    width: float
    height: float
    berths: Mapping[str, Berth]
    home: Point | None = None
    ring: Ring | None = None


def arranged(slots: Sequence[Slot], piles: Mapping[str, Pile]) -> Arrangement:
    """The places of these piles; a picture grows with its longest columns."""
    areas = _areas(slots, piles)
    width = max(area.width for area in areas)
    berths, top, count, ring = {}, 0.0, Point(0, 0), None
    for area in areas:
        left = (width - area.width) / 2
        for pile, berth in area.berths.items():
            berths[pile] = berth.moved(left, top)
        if area.home:
            count = Point(left + area.home.x, top + area.home.y)
        if area.ring:
            x, y = area.ring.middle
            ring = area.ring._replace(middle=Point(left + x, top + y))
        top += area.height
    return Arrangement(round(width), round(top), berths, count, ring)


def _areas(slots: Sequence[Slot], piles: Mapping[str, Pile]) -> list[_Area]:
    def at(*places: str) -> list[Slot]:
        return sorted((slot for slot in slots if slot.place in places), key=lambda slot: slot.at)

    on_dial, columns, in_rows = at("inner", "outer", "centre"), at("column"), at("row")
    if on_dial:
        areas = [_dial(on_dial)]
    else:
        areas = [_Area(_WIDTH, _COUNT, {}, Point(_WIDTH / 2, _COUNT / 2 + 4))]
    if columns:
        areas.append(_row(columns, piles))
    rows = sorted({slot.row for slot in in_rows})
    return areas + [_row([s for s in in_rows if s.row == row], piles) for row in rows]


def _dial(slots: Sequence[Slot]) -> _Area:
    centre = [slot for slot in slots if slot.place == "centre"]
    there = dial([slot for slot in slots if slot.place != "centre"], centre)
    x, y = there.width / 2, there.height / 2
    berths = {pile: berth.moved(x, y) for pile, berth in there.berths.items()}
    count = Point(x + there.home.x, y + there.home.y)
    return _Area(there.width, there.height, berths, count, Ring(Point(x, y), there.outline))


def _row(slots: Sequence[Slot], piles: Mapping[str, Pile]) -> _Area:
    """Piles beside each other, each below its label; one that fans down has room for its cards."""
    most = max(slot.at for slot in slots)
    pitch = min(_PITCH, (_WIDTH - _MARGIN) / most)
    width = min(_BROADEST, round(pitch - 10))
    card: Size = (width, round(width * CARD[1] / CARD[0]))
    longest = max(_length(slot, piles[slot.pile]) for slot in slots)
    height = card[1] * (1 + STRIP * (longest - 1))
    left = (_WIDTH - most * pitch) / 2
    berths = {}
    for slot in slots:
        x = left + (slot.at - 0.5) * pitch
        label = Point(x, BADGE + 4)
        berths[slot.pile] = Berth(
            x, _HEADER, (0, 1), pitch - 10, height, card, label, slot.fans == "down"
        )
    return _Area(_WIDTH, _HEADER + height + 2 * _MARGIN, berths)


def _length(slot: Slot, pile: Pile) -> int:
    """The cards below each other for which a pile needs room."""
    if slot.fans != "down":
        return 1
    return max(_SMALL, len(pile.up) + (bool(pile.down) if slot.kind == "reserve" else pile.down))
