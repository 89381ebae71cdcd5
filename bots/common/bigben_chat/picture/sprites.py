"""The pieces of the board picture, each drawn once, larger than needed, and cached."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from math import cos, pi, sin
from typing import Final

import msgspec
import resvg_py
from PIL import Image, ImageDraw

from bigben_chat.picture.geometry import BADGE, Size
from bigben_chat.picture.sheet import OVERSAMPLED, Colour, Sheet, font

CAPTION: Final = 84
"""The room for a word under stock or waste, in pixels."""

_FACES: Final = files("bigben_chat.picture").joinpath("faces.json")
_DRAWN: Final = msgspec.json.decode(_FACES.read_bytes())
"""Shapes, style and colours of the page's cards, written by ``tools/draw_faces.py``."""


def _colour(name: str) -> Colour:
    red, green, blue = bytes.fromhex(_DRAWN["colours"][name][1:])
    return red, green, blue


FELT: Final = _colour("felt-mid")
FELT_EDGE: Final = _colour("case")
DIAL: Final = _colour("band")
FELT_DEEP: Final = _colour("felt-deep")
PLATE: Final = _colour("plate")
LINE: Final[Colour] = (143, 168, 155)
RIM: Final = _colour("rim")
GOLD: Final = _colour("goes-home")
PAPER: Final = _colour("on-felt")
INK: Final = _colour("black")
MARK: Final[Colour] = (255, 151, 28)
HINT: Final = GOLD
BACK: Final = _colour("back")
DONE: Final[Colour] = (242, 197, 90)


def _inks(pack: str) -> dict[str, Colour]:
    inks = _DRAWN["inks"]
    return {suit: _colour(inks.get(f"{pack}{suit}", inks[f"two{suit}"])[0]) for suit in "SCHD"}


TWO_COLOURS: Final[Mapping[str, Colour]] = _inks("two")
FOUR_COLOURS: Final[Mapping[str, Colour]] = _inks("four")
RED: Final = FOUR_COLOURS["H"]
BLUE: Final = FOUR_COLOURS["D"]
_TINTS: Final = {_colour(name): tint for name, tint in _DRAWN["inks"].values()}


def _drawn(markup: str, size: Size, colour: Colour = INK) -> Image.Image:
    """What is drawn in units of 100 x 140, at this size."""
    suit = _hex(colour)
    named = {**_DRAWN["colours"], "suit": suit, "tint": _TINTS.get(colour, suit)}
    style = re.sub(r"var\(--([\w-]+)\)", lambda found: named[found[1]], _DRAWN["style"])
    return _image(f"<style>{style}</style>{markup}", size, f"100 {100 * size[1] / size[0]:.2f}")


def _image(markup: str, size: Size, units: str) -> Image.Image:
    """SVG as an image of this size, whose width and height are these units."""
    box = f'viewBox="0 0 {units}" width="{size[0]}" height="{size[1]}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{markup}</svg>'
    return Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGBA")


def _face(form: str, name: str, colour: Colour, size: Size) -> Image.Image:
    return _drawn(_DRAWN["faces"][form][name], size, colour)


@cache
def card(name: str, colour: Colour, size: Size) -> Image.Image:
    """A card of a fan: rank over suit in its left strip."""
    return _face("far", name, colour, size)


@cache
def column_card(name: str, colour: Colour, size: Size) -> Image.Image:
    """A card of a column: rank beside suit in its upper strip."""
    return _face("row", name, colour, size)


@cache
def face(name: str, colour: Colour, size: Size, *, home: bool) -> Image.Image:
    """A card that nothing covers; at ``home`` its lower quarter is left to a plate."""
    return _face("goal" if home else "far", name, colour, size)


@cache
def back(size: Size) -> Image.Image:
    """A card face down."""
    return _drawn(_DRAWN["back"], size)


@cache
def plate(goal: str, suits: str, whole: int, width: int) -> Image.Image:
    """What a pile is to collect, for the lower quarter of its card: as the page's ``plate``.

    ``goal`` is a card, or a rank of which each suit has a place; ``suits`` are those of its cards.
    """
    size = width, round(1.4 * width)
    if len(suits) >= whole:
        line = f'fill="none" stroke="{_hex(PLATE)}" stroke-width="5"'
        tick = f'<path d="{_DRAWN["tick"]}" {line}/>'
        return _drawn(f'<path d="{_DRAWN["plate"]}" fill="{_hex(DONE)}"/>{tick}', size)
    parts = [f'<path d="{_DRAWN["plate"]}" fill="{_hex(PLATE)}"/>']
    suit = goal[-1] if goal[-1] in _DRAWN["suits"] else ""
    line, wide = _DRAWN["ranks"][goal[:-1] if suit else goal]
    wide *= 0.9
    left = 93 - wide - (20 if suit else 2)
    each = (left - 11) / whole
    for place in range(whole):
        there = place < len(suits)
        x = 8 + place * each
        if suit:
            fill = f'fill="{_hex(GOLD)}"' if there else f'fill="none" stroke="{_hex(LINE)}"'
            parts.append(f'<rect x="{x}" y="117" width="{each - 1.6}" height="14" rx="1" {fill}/>')
        elif there:
            parts.append(_suit(suits[place], x + each / 2, 124, min(19, each * 1.02), GOLD))
        else:
            ring = f'fill="none" stroke="{_hex(LINE)}" stroke-width="1.4"'
            parts.append(
                f'<circle cx="{x + each / 2}" cy="124" r="{min(5.2, each * 0.3)}" {ring}/>'
            )
    parts.append(
        f'<path d="{line}" transform="translate({left + 1} 115) scale(.9)" fill="none"'
        f' stroke="{_hex(PAPER)}" stroke-width="3.5" stroke-linejoin="round"/>'
    )
    if suit:
        parts.append(_suit(suit, left + wide + 11.5, 124, 17, PAPER))
    return _drawn("".join(parts), size)


def _suit(suit: str, x: float, y: float, size: float, colour: Colour) -> str:
    place = f"translate({x - size / 2} {y - size / 2}) scale({size / 20})"
    return f'<path d="{_DRAWN["suits"][suit]}" transform="{place}" fill="{_hex(colour)}"/>'


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


def felt(size: Size) -> Image.Image:
    """The cloth, with round corners on nothing."""
    sheet = Image.new("RGBA", size, (0, 0, 0, 0))
    ImageDraw.Draw(sheet).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), 28, FELT)
    return sheet


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
    sheet.box((0, 0, *sheet.size), size[0] * 0.14, None, FELT_EDGE, 8)
    sheet.box((1.5, 1.5, sheet.size[0] - 1.5, sheet.size[1] - 1.5), size[0] * 0.13, None, MARK, 5)
    return sheet.done()


@cache
def hint(size: Size) -> Image.Image:
    """The frame around a card to point at, with an arrow in its corner; as large as a mark."""
    sheet = Sheet(size[0] + 10, size[1] + 10)
    sheet.box((0, 0, *sheet.size), size[0] * 0.14, None, FELT_EDGE, 9)
    sheet.box((1.5, 1.5, sheet.size[0] - 1.5, sheet.size[1] - 1.5), size[0] * 0.13, None, HINT, 6)
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
    """A pile's label; a disc where the last move took a card."""
    if not marked:
        return label(text, 29, RIM)
    sheet = Sheet(2 * BADGE + 4, 2 * BADGE + 4)
    sheet.disc(BADGE + 2, BADGE + 2, BADGE + 2, MARK)
    sheet.write(BADGE + 2, BADGE + 2, text, 25, FELT_EDGE)
    return sheet.done()


@lru_cache(maxsize=16)
def superellipse(a: int, b: int, band: int, full: float, *, ticks: int, lit: int) -> Image.Image:
    """A dial of these half axes with a band, in which the first ticks are lit."""

    def along(inset: float, part: float) -> str:
        angle = 2 * pi * part
        x, y = (a - inset) * sin(angle), -(b - inset) * cos(angle)
        far = (abs(x / (a - inset)) ** full + abs(y / (b - inset)) ** full) ** (-1 / full)
        return f"{a + 3 + x * far:.1f} {b + 3 + y * far:.1f}"

    def outline(inset: float) -> str:
        return "M" + "L".join(along(inset, part / 120) for part in range(120)) + "Z"

    def marks(first: int, last: int) -> str:
        return "".join(
            f"M{along(4, tick / ticks)}L{along(13, tick / ticks)}" for tick in range(first, last)
        )

    markup = (
        f'<path d="{outline(0)}" fill="{_hex(DIAL)}" stroke="{_hex(RIM)}" stroke-width="4"/>'
        f'<path d="{outline(band)}" fill="{_hex(FELT_DEEP)}" stroke="{_hex(RIM)}"/>'
        f'<path d="{marks(lit, ticks)}" stroke="{_hex(LINE)}" stroke-width="1.6"/>'
        f'<path d="{marks(0, lit)}" stroke="{_hex(GOLD)}" stroke-width="3.4"/>'
    )
    size = 2 * a + 6, 2 * b + 6
    return _image(markup, size, f"{size[0]} {size[1]}")


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
    return label(text, min(23, int(23 * room / font(23).getlength(text))))


@cache
def label(text: str, size: int, colour: Colour = PAPER) -> Image.Image:
    """A line of text, as wide as it is."""
    sheet = Sheet(font(size).getlength(text) + 8, size * 1.4)
    sheet.write(sheet.size[0] / 2, sheet.size[1] / 2, text, size, colour)
    return sheet.done()
