"""The page's own shapes, colours and layouts, as ``tools/draw_faces.py`` has written them down.

Nothing here knows a game: a layout is found by its name, and a game without one has plain rows.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Final, Literal, NamedTuple

import msgspec

from bigben_protocol import GameInfo, Pile, Slot

Size = tuple[int, int]
"""Width and height."""


class Point(NamedTuple):
    """A place on the picture."""

    x: float
    y: float


class Words(msgspec.Struct, frozen=True):
    """The middle of a text, and how large it is."""

    x: float
    y: float
    size: float = 0
    text: str = ""


class Berth(msgspec.Struct, frozen=True):
    """The room of one pile: its upper left corner, its size, and a card's size."""

    x: float
    y: float
    width: float
    height: float
    w: float
    h: float
    along: Literal["", "x", "y"] = ""
    """The way to the next card; without one, only the top card shows."""
    step: float = 0
    anchor: float = 0
    """Where a short pile lies in its room: 0 at its start, 1 at its end."""
    lead: float = 0
    """The way from the first place to what is tucked under it and shows below; or 0."""
    least: int = 1
    """Places that are shown, with cards or without."""
    label: Words | None = None


class Pendulum(msgspec.Struct, frozen=True):
    """Hangs in the case of a clock."""

    x: float
    top: float = msgspec.field(name="from")
    bottom: float = msgspec.field(name="to")
    r: float


class Layout(msgspec.Struct, frozen=True, eq=False):
    """Where everything lies on the picture, in pixels; ``rim`` and ``plate`` are to be scaled."""

    width: float
    height: float
    berths: Mapping[str, Berth]
    text: Words | None = None
    """The middle of the number of cards home."""
    rim: str = ""
    plate: str = ""
    scale: float = 1
    ticks: tuple[tuple[float, float, float, float], ...] = ()
    """One for each card that is to come home: from where to where."""
    numerals: tuple[Words, ...] = ()
    pendulum: Pendulum | None = None
    face: float = 0
    """How large the face of a clock can be in the middle when all cards are home."""


class Plate(msgspec.Struct, frozen=True):
    """What a pile is to collect, in parts."""

    rest: str
    open: Sequence[str]
    """Each place while no card is there."""
    there: Mapping[str, Sequence[str]]
    """Each place with a card: by suit, or under the empty one where the suit is the goal's."""


class Ring(msgspec.Struct, frozen=True):
    """A wheel before its hours are public."""

    drawn: str
    long: float
    """The length of the ring that the cards home fill."""


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of a wheel's hours."""

    places: Sequence[tuple[float, float, str]]
    """The middle of each below it, and the number."""
    scale: float
    """How large the wheel is within them."""


class Medal(msgspec.Struct, frozen=True):
    """A place: its disc, as large as 28, and the colour of its number."""

    disc: str
    digit: str


class _Page(msgspec.Struct, frozen=True):
    shapes: Mapping[str, str]
    back: str
    faces: Mapping[str, Mapping[str, str]]
    complete: str
    plates: Mapping[str, Plate]
    sign: str
    layouts: Mapping[str, Layout]
    colours: Mapping[str, str]
    style: str
    inks: Mapping[str, tuple[str, str]]
    wheels: Mapping[str, str]
    """By how many cards each hour has. The wheels are as large as 200, around their middle."""
    ring: Ring
    numbers: Numbers
    medals: Sequence[Medal]
    results: Mapping[str, str]
    """The colours of wheels."""


_FILE: Final = files("bigben_chat.picture").joinpath("faces.json")
PAGE: Final = msgspec.json.decode(_FILE.read_bytes(), type=_Page)

_SIDE: Final = 1000
"""The width and height of plain rows."""
_LABEL: Final = 60
LEAST: Final = {"x": 0.23, "y": 0.25}
"""The least way to the next card, as a part of its size: rank and suit stay visible. Where there
is no room for it, the cards are smaller."""


def layout_of(game: GameInfo) -> Layout:
    """The game's layout; plain rows if it is none of the page's, or has other piles by now."""
    known = PAGE.layouts.get(game.name)
    if known and {*known.berths} == {slot.pile for slot in game.slots}:
        return known
    return rows(game.slots)


def rows(slots: Sequence[Slot]) -> Layout:
    """Piles beside each other by their place and row."""
    lines = [
        list(line)
        for _, line in groupby(sorted(slots, key=_line), key=lambda slot: _line(slot)[:2])
    ]
    high = (_SIDE - _LABEL) / len(lines)
    berths = {}
    for number, line in enumerate(lines):
        pitch = (_SIDE - 20) / max(6, len(line))
        w = min(pitch - 10, (high - _LABEL - 12) / 1.4)
        top = _LABEL + number * high + _LABEL
        for place, slot in enumerate(line):
            x = _SIDE / 2 + (place - len(line) / 2) * pitch + (pitch - w) / 2
            label = Words(x + w / 2, top - _LABEL + 14)
            way: Literal["", "y"] = "y" if slot.fans else ""
            berths[slot.pile] = Berth(
                x, top, w, high - _LABEL - 12, w, 1.4 * w, way, 0.3 * w, label=label
            )
    return Layout(_SIDE, _SIDE, berths, Words(_SIDE / 2, _LABEL / 2 - 6, 30))


def _line(slot: Slot) -> tuple[str, int, int]:
    return slot.place, slot.row, slot.at


class Lie(NamedTuple):
    """What is drawn of a pile, the lowest first: the size of a card, the cards, and the gaps."""

    card: Size
    cards: tuple[tuple[int, Point], ...]
    """Which of the cards that lie face up, or -1 for all that lie face down, and its corner."""
    gaps: tuple[Point, ...]


def lie(slot: Slot, pile: Pile, berth: Berth) -> Lie:
    """As on the page: all cards of a pile that fans, those face down as one; or the top alone."""
    up, backs = tuple(range(len(pile.up))), (-1,) * bool(pile.down)
    cards = (*up, *backs) if slot.kind == "reserve" else (*backs, *up)
    first, part = 0, 1.0
    if berth.lead:
        # The place of what lies face down stays, and the latest card that is tucked is the lowest.
        cards, first = cards[::-1], 1 - len(backs)
        ways = [0.0, *(berth.lead + n * berth.step for n in up)]
        part = min(1, berth.height / (berth.h + ways[-1]))
    elif berth.along:
        size, room = (berth.w, berth.width) if berth.along == "x" else (berth.h, berth.height)
        steps = max(len(cards), berth.least) - 1
        part = min(1, room / (size * (1 + LEAST[berth.along] * steps)))
        step = min(berth.step, (room - size * part) / max(1, steps))
        start = (room - size * part - step * steps) * berth.anchor
        ways = [(start + n * step) / part for n in range(steps + 1)]
    else:
        cards, ways = cards[-1:], [0.0]
    across = (berth.h if berth.along == "x" else berth.w) * (1 - part) / 2
    spots = [
        Point(berth.x + way * part, berth.y + across)
        if berth.along == "x"
        else Point(berth.x + across, berth.y + way * part)
        for way in ways
    ]
    end = first + len(cards)
    laid = tuple(zip(cards, spots[first:end], strict=True))
    return Lie((round(berth.w * part), round(berth.h * part)), laid, (*spots[:first], *spots[end:]))
