"""The pieces of the board picture, each drawn once, larger than needed, and cached."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from PIL import Image

from bigben_chat.cards import SIGNS
from bigben_chat.picture.geometry import BADGE, Size
from bigben_chat.picture.sheet import OVERSAMPLED, Colour, Sheet, font

CAPTION: Final = 112
"""The room for a word under stock or waste, in pixels."""

FELT: Final[Colour] = (18, 58, 52)
FELT_EDGE: Final[Colour] = (11, 38, 35)
DIAL: Final[Colour] = (30, 80, 71)
LINE: Final[Colour] = (84, 138, 124)
GOLD: Final[Colour] = (236, 197, 102)
PAPER: Final[Colour] = (252, 251, 246)
PAPER_DONE: Final[Colour] = (214, 226, 205)
INK: Final[Colour] = (24, 26, 32)
EDGE: Final[Colour] = (120, 128, 124)
MARK: Final[Colour] = (255, 151, 28)
HINT: Final[Colour] = (120, 226, 255)
BACK: Final[Colour] = (38, 74, 128)
DONE: Final[Colour] = (44, 140, 76)

RED: Final[Colour] = (206, 30, 42)
BLUE: Final[Colour] = (18, 98, 204)
GREEN: Final[Colour] = (16, 122, 56)
TWO_COLOURS: Final[Mapping[str, Colour]] = {"S": INK, "C": INK, "H": RED, "D": RED}
FOUR_COLOURS: Final[Mapping[str, Colour]] = {"S": INK, "C": GREEN, "H": RED, "D": BLUE}


def _paper(sheet: Sheet, *, fill: Colour = PAPER) -> None:
    width, height = sheet.size
    sheet.box((0, 0, width, height), width * 0.12, fill, EDGE, max(1.0, width * 0.018))


def _rank(sheet: Sheet, x: float, y: float, card: str, size: float, colour: Colour) -> None:
    """A rank's middle at a point; a ten is wide and a jack hangs low, so they are smaller."""
    rank = card[:-1]
    sheet.write(x, y, rank, size * {"10": 0.86, "J": 0.82}.get(rank, 1), colour)


@cache
def card(name: str, colour: Colour, size: Size, *, top: bool) -> Image.Image:
    """A card of a fan: rank over suit in its left strip; on top of the fan one suit more."""
    width, height = size
    sheet = Sheet(width, height)
    _paper(sheet)
    strip = width * 0.325
    _rank(sheet, strip, height * 0.22, name, height * 0.40, colour)
    sheet.write(strip, height * 0.55, SIGNS[name[-1]], height * 0.36, colour)
    if top:
        sheet.write(width * 0.75, height * 0.82, SIGNS[name[-1]], height * 0.26, colour)
    return sheet.done()


@cache
def column_card(name: str, colour: Colour, size: Size, *, top: bool) -> Image.Image:
    """A card of a column: rank beside suit in its upper strip; on top of the column a big suit."""
    width, height = size
    sheet = Sheet(width, height)
    _paper(sheet)
    strip = height * 0.18
    _rank(sheet, width * 0.32, strip, name, height * 0.32, colour)
    sheet.write(width * 0.74, strip, SIGNS[name[-1]], height * 0.28, colour)
    if top:
        sheet.write(width / 2, height * 0.66, SIGNS[name[-1]], height * 0.46, colour)
    return sheet.done()


@cache
def face(name: str, colour: Colour, size: Size, *, done: bool) -> Image.Image:
    """A card that nothing covers: rank and suit in its middle."""
    sheet = Sheet(*size)
    _paper(sheet, fill=PAPER_DONE if done else PAPER)
    width, height = size
    _rank(sheet, width / 2, height * 0.25, name, height * 0.42, colour)
    sheet.write(width / 2, height * 0.59, SIGNS[name[-1]], height * 0.38, colour)
    return sheet.done()


@cache
def back(size: Size) -> Image.Image:
    """A card face down."""
    sheet = Sheet(*size)
    width, height = size
    _paper(sheet)
    margin = width * 0.07
    sheet.box((margin, margin, width - margin, height - margin), width * 0.08, BACK)
    step = width / 6
    for row in range(1, round(height / step)):
        for column in range(1, 6):
            shift = step / 2 if row % 2 else 0
            x, y = column * step + shift - step / 4, row * step
            if margin * 2 < x < width - margin * 2 and y < height - margin * 1.5:
                sheet.write(x, y, "♦", step * 0.7, (92, 132, 190))
    return sheet.done()


@cache
def gap(size: Size) -> Image.Image:
    """A place where a card is missing: a dashed outline."""
    sheet = Sheet(*size)
    width, height = size
    sheet.box((0, 0, width, height), width * 0.12, None, LINE, width * 0.045)
    k = OVERSAMPLED
    for length, across in ((width, False), (height, True)):
        dashes = round(length / (width * 0.16)) | 1
        dash = length / dashes
        for i in range(1, dashes, 2):
            start, end = i * dash * k, (i + 1) * dash * k
            box = (0, start, width * k, end) if across else (start, 0, end, height * k)
            sheet.draw.rectangle(box, (0, 0, 0, 0))
    return sheet.done()


@cache
def mark(size: Size) -> Image.Image:
    """The frame around a card of the last move; larger than the card by 10 pixels."""
    sheet = Sheet(size[0] + 10, size[1] + 10)
    sheet.box((0, 0, *sheet.size), size[0] * 0.17, None, MARK, 6)
    return sheet.done()


@cache
def hint(size: Size) -> Image.Image:
    """The frame around a card to point at, with an arrow in its corner; as large as a mark."""
    sheet = Sheet(size[0] + 10, size[1] + 10)
    sheet.box((0, 0, *sheet.size), size[0] * 0.17, None, HINT, 7)
    radius = size[0] * 0.17
    x, y = sheet.size[0] - radius - 4, radius + 4
    sheet.disc(x, y, radius, INK)
    sheet.disc(x, y, radius - 2, HINT)
    sheet.write(x, y, "↑", radius * 1.7, INK)
    return sheet.done()


@cache
def number(count: int, width: int) -> Image.Image:
    """A number of face-down cards, for the middle of a back of this width."""
    radius = min(BADGE, round(width * 0.26))
    sheet = Sheet(2 * radius, 2 * radius)
    sheet.disc(radius, radius, radius, PAPER)
    sheet.write(radius, radius, str(count), radius * 1.3, BACK)
    return sheet.done()


@cache
def badge(text: str, *, marked: bool) -> Image.Image:
    """A pile's label."""
    sheet = Sheet(2 * BADGE, 2 * BADGE)
    sheet.disc(BADGE, BADGE, BADGE, FELT_EDGE)
    sheet.disc(BADGE, BADGE, BADGE - 2, MARK if marked else GOLD)
    sheet.write(BADGE, BADGE, text, 25, FELT_EDGE)
    return sheet.done()


@cache
def bar(width: int, part: int, whole: int) -> Image.Image:
    """How full a foundation is, for the foot of its card."""
    sheet = Sheet(width, 9)
    sheet.box((0, 0, width, 9), 4.5, (206, 208, 200))
    if part:
        sheet.box((0, 0, max(9, width * part / whole), 9), 4.5, DONE)
    return sheet.done()


@cache
def goal(rank: str) -> Image.Image:
    """The rank that completes a foundation, for the foot of its card."""
    sheet = Sheet(26, 24)
    sheet.write(13, 12, rank, 19, DONE)
    return sheet.done()


@cache
def pips(suits: Sequence[tuple[str, Colour]], places: int, width: int) -> Image.Image:
    """The suits of a foundation's cards in their order, and dots for those that are missing."""
    step = width / places
    sheet = Sheet(width, step * 1.1)
    for place in range(places):
        x, y = (place + 0.5) * step, step * 0.55
        if place < len(suits):
            suit, colour = suits[place]
            sheet.write(x, y, SIGNS[suit], step * 1.15, colour)
        else:
            sheet.disc(x, y, step * 0.14, EDGE)
    return sheet.done()


@cache
def empty(goal: str, size: Size) -> Image.Image:
    """A foundation without cards: its rank on the felt."""
    sheet = Sheet(*size)
    sheet.write(size[0] / 2, size[1] / 2, goal, size[1] * 0.42, LINE)
    return sheet.done()


@cache
def names(cards: Sequence[tuple[str, Colour]], width: int) -> Image.Image:
    """Short names of cards, two in a line, on a slip of paper."""
    size = width * 0.2
    line = size * 1.3
    lines = -(-len(cards) // 2)
    sheet = Sheet(width if len(cards) > 1 else width / 2, lines * line + size * 0.3)
    sheet.box((0, 0, *sheet.size), size * 0.4, PAPER, EDGE, 1.5)
    for number, (card, colour) in enumerate(cards):
        x, y = (number % 2 + 0.5) * width / 2, (number // 2 + 0.5) * line + size * 0.15
        sheet.write(x, y, f"{card[:-1]}{SIGNS[card[-1]]}", size, colour)
    return sheet.done()


@cache
def band(outer: Size, corner: float, fill: Colour) -> Image.Image:
    """A box with round corners: an edge of the ring of a dial."""
    sheet = Sheet(*outer)
    sheet.box((0, 0, *sheet.size), corner, fill)
    return sheet.done()


@cache
def hands(radius: int) -> Image.Image:
    """The hands of a clock in a gold ring, at ten past ten."""
    sheet = Sheet(2 * radius, 2 * radius)
    sheet.disc(radius, radius, radius, GOLD)
    sheet.disc(radius, radius, radius - 4, FELT_EDGE)
    sheet.hand(305, radius * 0.52, 17, GOLD)
    sheet.hand(60, radius * 0.8, 13, GOLD)
    sheet.disc(radius, radius, 11, GOLD)
    sheet.disc(radius, radius, 4, FELT_EDGE)
    return sheet.done()


def caption(text: str, room: int = CAPTION) -> Image.Image:
    """The words beside stock, waste or hand, smaller if they are long."""
    size = min(25, int(25 * room / font(25).getlength(text)))
    return label(text, size)


@cache
def label(text: str, size: int, colour: Colour = PAPER) -> Image.Image:
    """A line of text, as wide as it is."""
    sheet = Sheet(font(size).getlength(text) + 8, size * 1.4)
    sheet.write(sheet.size[0] / 2, sheet.size[1] / 2, text, size, colour)
    return sheet.done()
