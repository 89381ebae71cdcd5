"""The dial of the board picture: where its rings and its centre lie.

Around an inner ring the outer piles are fans that grow outwards row by row, so the clock never
moves. Without an inner ring, piles that fan lie in five rows, and single cards on a circle.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Final, NamedTuple

from bigben_chat.picture.geometry import BADGE, CARD, STEP, Berth, Point, Size, single
from bigben_protocol import Slot

HOURS: Final = (12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""The hours clockwise from twelve."""

_FANNED: Final = 4
"""The cards of a pile that fit side by side at full size, on a dial of five rows."""
_PILE_CARD: Final[Size] = (95, 133)
"""A card of such a pile."""
_RING_CARD: Final[Size] = (87, 122)
"""A card on a circle."""
_CENTRE_CARD: Final[Size] = (102, 143)
_CENTRE_PITCH: Final = 124
_ARM: Final = BADGE + 5
"""From a pile to the middle of its label."""


class Outline(NamedTuple):
    """A superellipse around the middle of the dial, in pixels."""

    a: int
    """Half its width."""
    b: int
    """Half its height."""
    band: int
    full: float = 4.2
    """How full its corners are: 2 is an ellipse."""


class Dial(NamedTuple):
    """The berths of a dial by pile, its middle being at 0, 0."""

    width: float
    height: float
    berths: Mapping[str, Berth]
    outline: Outline
    home: Point
    """The middle of the number of cards home."""


def dial(rings: Sequence[Slot], centre: Sequence[Slot]) -> Dial:
    """The dial with these piles, of which any may be missing."""
    inner = {slot.at: slot.pile for slot in rings if slot.place == "inner"}
    outer = {slot.at: slot.pile for slot in rings if slot.place == "outer"}
    if inner and outer:
        return _two_rings(inner, outer, centre)
    if any(slot.fans for slot in rings):
        return _five_rows(inner or outer, centre)
    return _circle(inner or outer, centre)


def _centre(slots: Sequence[Slot], half: float, *, alone: bool) -> tuple[dict[str, Berth], Point]:
    """Piles beside each other, at most ``half`` to each side; captions below, labels above."""
    pitch = min(_CENTRE_PITCH, 2 * half / max(1, len(slots)))
    width = round(pitch - 20)
    card = (width, round(width * _CENTRE_CARD[1] / _CENTRE_CARD[0]))
    berths = {}
    named = False
    for number, slot in enumerate(sorted(slots, key=lambda slot: slot.at)):
        x = (number - (len(slots) - 1) / 2) * pitch
        above = slot.kind in ("foundation", "reserve", "tableau")
        y = -card[1] / 2 - _ARM if above else card[1] / 2 + 20.5
        berths[slot.pile] = single(x, 0, card, Point(x, y))
        named |= above
    if alone or not slots:
        return berths, Point(0, 0)
    return berths, Point(0, -card[1] / 2 - (75 if named else 31))


# An inner ring, and fans around it: a square

_SIDE: Final = 1000
_MARGIN: Final = 12
HOME: Final[Size] = (80, 112)
"""A card of the inner ring."""
_INNER: Final = ((0, -2.17), (1.06, -2.07), (1.62, -1.05), (1.69, 0))
"""Where twelve to three o'clock are, in sizes of such a card; the other hours mirror them."""
_DIAL: Final = Outline(217, _SIDE // 2 - _MARGIN - CARD[1] - 10, 40)


def _two_rings(inner: Mapping[int, str], outer: Mapping[int, str], slots: Sequence[Slot]) -> Dial:
    berths, count = _centre(slots, 92, alone=False)
    around = dict(_fans())
    for hour, pile in inner.items():
        x, y = _mirrored(hour)
        berths[pile] = single(x * HOME[0], y * HOME[1], HOME)
    berths |= {pile: around[hour] for hour, pile in outer.items()}
    return Dial(_SIDE, _SIDE, berths, _DIAL, count)


def _mirrored(hour: int) -> tuple[float, float]:
    side = -1 if hour > 6 else 1
    back = 12 - hour if hour > 6 else hour % 12
    x, y = _INNER[6 - back if back > 3 else back]
    return side * x, -y if back > 3 else y


def _fans() -> Iterator[tuple[int, Berth]]:
    """By hour: three above, three below, three at each side, in one row each."""
    edge = _SIDE / 2 - _MARGIN
    third = (2 * edge - 60) / 3
    pitch = (2 * edge - CARD[1]) / 4
    for hour in HOURS:
        side = (hour < 6) - (6 < hour < 12)
        row = (12 - hour if hour > 6 else hour % 12) - 3
        level = {-3: -2, -2: -2, -1: -1, 0: 0, 1: 1, 2: 2, 3: 2}[row]
        room = third if abs(level) == 2 else edge - _DIAL.a - 14
        yield (
            hour,
            Berth(side * edge, level * pitch, (-side, 0), room, CARD[1], CARD, _numeral(hour)),
        )


def _numeral(hour: int) -> Point:
    """The hour in the band of the dial, beside its foundation."""
    x, y = _mirrored(hour)
    if hour % 6 == 0:
        return Point(0, (_DIAL.b - 0.62 * _DIAL.band) * (1 if hour == 6 else -1))
    if abs(y) > 2:
        return Point(x * HOME[0] * 1.28, (_DIAL.b - 34) * (1 if y > 0 else -1))
    return Point((_DIAL.a - 0.58 * _DIAL.band) * (1 if x > 0 else -1), y * HOME[1])


# One ring of piles that fan

_WIDE: Final = round(_PILE_CARD[0] * (1 + (_FANNED - 1) * STEP)) + 60


def _five_rows(ring: Mapping[int, str], slots: Sequence[Slot]) -> Dial:
    berths, count = _centre(slots, 150, alone=False)
    rows = dict(_in_five_rows())
    berths |= {pile: rows[hour] for hour, pile in ring.items()}
    return Dial(1060, 784, berths, Outline(152, 198, 14, 3), Point(0, count.y - 12))


def _in_five_rows() -> Iterator[tuple[int, Berth]]:
    """11, 12 and 1 above, 7, 6 and 5 below, and three at each side."""
    height = _PILE_CARD[1]
    for hour, up in ((12, 1), (6, -1)):
        y, label = -up * 314, Point(0, -up * 221)
        yield hour, Berth(0, y, (0, 0), _WIDE, height, _PILE_CARD, label)
    for hour, side, up in ((1, 1, 1), (5, 1, -1), (7, -1, -1), (11, -1, 1)):
        x, y = side * (_WIDE / 2 + 26), -up * 284
        yield hour, _beside(x, y, side, Point(x - side * _ARM, -up * 205))
    for hour, side, up in ((2, 1, 1), (4, 1, -1), (8, -1, -1), (10, -1, 1)):
        yield hour, _beside(side * 205, -up * 142, side, Point(side * 173, -up * 110))
    for hour, side in ((3, 1), (9, -1)):
        yield hour, _beside(side * 214, 0, side, Point(side * 173, 0))


def _beside(x: float, y: float, side: int, label: Point) -> Berth:
    return Berth(x, y, (side, 0), _WIDE, _PILE_CARD[1], _PILE_CARD, label)


# One ring of single cards

_RING: Final = 275


def _circle(ring: Mapping[int, str], slots: Sequence[Slot]) -> Dial:
    berths, count = _centre(slots, 190, alone=not slots)
    for hour, pile in ring.items():
        x, y = _on_circle(hour, _RING)
        away = min(
            side / abs(part) if abs(part) > 0.01 else _RING
            for side, part in ((_RING_CARD[0] / 2, x / _RING), (_RING_CARD[1] / 2, y / _RING))
        )
        label = _on_circle(hour, _RING + away + _ARM)
        berths[pile] = single(x, y, _RING_CARD, label)
    size = 2 * (_RING + _RING_CARD[1] / 2 + _ARM + BADGE + 12)
    return Dial(size, size, berths, Outline(_RING + 44, _RING + 44, 118, 2), count)


def _on_circle(hour: int, radius: float) -> Point:
    angle = hour * pi / 6
    return Point(radius * sin(angle), -radius * cos(angle))
