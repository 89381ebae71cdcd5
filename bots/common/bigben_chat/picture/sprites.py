"""The pieces of the board picture, each drawn once, larger than needed, and cached."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import cos, radians, sin
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bigben_chat.cards import SIGNS
from bigben_chat.picture.geometry import BADGE, CARD

OVERSAMPLED: Final = 3
"""Pieces are drawn this many times larger and then reduced, for smooth edges."""

CAPTION: Final = 112
"""The room for a word under stock or waste, in pixels."""

Colour = tuple[int, int, int]

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
BACK: Final[Colour] = (38, 74, 128)
DONE: Final[Colour] = (44, 140, 76)

RED: Final[Colour] = (206, 30, 42)
BLUE: Final[Colour] = (18, 98, 204)
GREEN: Final[Colour] = (16, 122, 56)
TWO_COLOURS: Final[Mapping[str, Colour]] = {"S": INK, "C": INK, "H": RED, "D": RED}
FOUR_COLOURS: Final[Mapping[str, Colour]] = {"S": INK, "C": GREEN, "H": RED, "D": BLUE}


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The one font that comes with the package; it has the suits."""
    data = files("bigben_chat.picture").joinpath("fonts/DejaVuSansCondensed-Bold.ttf").read_bytes()
    return ImageFont.truetype(BytesIO(data), size)


class Sheet:
    """A drawing at several times its size; ``done`` brings it to its own."""

    def __init__(self, width: float, height: float) -> None:
        self.size = round(width), round(height)
        big = self.size[0] * OVERSAMPLED, self.size[1] * OVERSAMPLED
        self.image = Image.new("RGBA", big, (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def box(
        self,
        box: tuple[float, float, float, float],
        radius: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 0,
    ) -> None:
        """A rectangle with round corners."""
        left, top, right, bottom = (value * OVERSAMPLED for value in box)
        self.draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            radius * OVERSAMPLED,
            fill,
            outline,
            round(width * OVERSAMPLED),
        )

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """A circle."""
        k = OVERSAMPLED
        box = ((x - radius) * k, (y - radius) * k, (x + radius) * k - 1, (y + radius) * k - 1)
        self.draw.ellipse(box, fill)

    def hand(self, angle: float, length: float, width: float, fill: Colour) -> None:
        """A hand of a clock, from the middle; the angle from noon, clockwise, in degrees."""
        k = OVERSAMPLED
        x, y = self.size[0] * k / 2, self.size[1] * k / 2
        towards = sin(radians(angle)), -cos(radians(angle))

        def at(along: float, aside: float) -> tuple[float, float]:
            return (
                x + k * (along * towards[0] - aside * towards[1]),
                y + k * (along * towards[1] + aside * towards[0]),
            )

        half = width / 2
        outline = (at(-length / 6, half / 2), at(length * 0.7, half), at(length, 0),
                   at(length * 0.7, -half), at(-length / 6, -half / 2))  # fmt: skip
        self.draw.polygon(outline, fill)

    def write(
        self, x: float, y: float, text: str, size: float, fill: Colour, anchor: str = "mm"
    ) -> None:
        """Text about a point."""
        place = (x * OVERSAMPLED, y * OVERSAMPLED)
        self.draw.text(place, text, fill, font(round(size * OVERSAMPLED)), anchor)

    def done(self) -> Image.Image:
        """The drawing at its own size, with smooth edges."""
        return self.image.resize(self.size, Image.Resampling.LANCZOS)


def _paper(sheet: Sheet, *, fill: Colour = PAPER) -> None:
    width, height = sheet.size
    sheet.box((0, 0, width, height), width * 0.12, fill, EDGE, max(1.0, width * 0.018))


def _rank(sheet: Sheet, x: float, y: float, card: str, size: float, colour: Colour) -> None:
    """A rank's middle at a point; a ten is wide and a jack hangs low, so they are smaller."""
    rank = card[:-1]
    sheet.write(x, y, rank, size * {"10": 0.86, "J": 0.82}.get(rank, 1), colour)


@cache
def card(name: str, colour: Colour, *, top: bool, scale: float = 1.0) -> Image.Image:
    """A card of a fan: rank over suit in its left strip; on top of the fan one suit more."""
    width, height = CARD[0] * scale, CARD[1] * scale
    sheet = Sheet(width, height)
    _paper(sheet)
    strip = width * 0.325
    _rank(sheet, strip, height * 0.22, name, height * 0.40, colour)
    sheet.write(strip, height * 0.55, SIGNS[name[-1]], height * 0.36, colour)
    if top:
        sheet.write(width * 0.75, height * 0.82, SIGNS[name[-1]], height * 0.26, colour)
    return sheet.done()


@cache
def face(name: str, colour: Colour, size: tuple[int, int], *, done: bool) -> Image.Image:
    """A card that nothing covers: rank and suit in its middle."""
    sheet = Sheet(*size)
    _paper(sheet, fill=PAPER_DONE if done else PAPER)
    width, height = size
    _rank(sheet, width / 2, height * 0.25, name, height * 0.42, colour)
    sheet.write(width / 2, height * 0.59, SIGNS[name[-1]], height * 0.38, colour)
    return sheet.done()


@cache
def back(size: tuple[int, int]) -> Image.Image:
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
def gap(size: tuple[int, int]) -> Image.Image:
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
def mark(size: tuple[int, int]) -> Image.Image:
    """The frame around a card of the last move; larger than the card by 10 pixels."""
    sheet = Sheet(size[0] + 10, size[1] + 10)
    sheet.box((0, 0, *sheet.size), size[0] * 0.17, None, MARK, 6)
    return sheet.done()


@cache
def badge(text: str, *, marked: bool) -> Image.Image:
    """An hour's numeral."""
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


def caption(text: str) -> Image.Image:
    """The word under stock or waste, smaller if it is long."""
    size = min(25, int(25 * CAPTION / font(25).getlength(text)))
    return label(text, size)


@cache
def label(text: str, size: int, colour: Colour = PAPER) -> Image.Image:
    """A line of text, as wide as it is."""
    sheet = Sheet(font(size).getlength(text) + 8, size * 1.4)
    sheet.write(sheet.size[0] / 2, sheet.size[1] / 2, text, size, colour)
    return sheet.done()
