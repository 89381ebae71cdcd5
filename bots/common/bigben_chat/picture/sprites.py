"""The pieces of the board picture, each drawn once and cached, in the page's shapes and colours."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from io import BytesIO
from typing import Final

import resvg_py
from PIL import Image, ImageDraw

from bigben_chat.picture.files import Colour, font
from bigben_chat.picture.page import PAGE, Layout, Size

CAPTION: Final = 84
"""The room for a word under stock or waste, in pixels."""


def _colour(name: str) -> Colour:
    red, green, blue = bytes.fromhex(PAGE.colours[name][1:])
    return red, green, blue


RIM: Final = _colour("rim")
GOLD: Final = _colour("goes-home")
PAPER: Final = _colour("on-felt")
FAINT: Final = _colour("on-felt-faint")
INK: Final = _colour("black")
CASE: Final = _colour("case")
MARK: Final = _colour("moved")


def _inks(pack: str) -> dict[str, Colour]:
    inks = PAGE.inks
    return {suit: _colour(inks.get(f"{pack}{suit}", inks[f"two{suit}"])[0]) for suit in "SCHD"}


TWO_COLOURS: Final[Mapping[str, Colour]] = _inks("two")
FOUR_COLOURS: Final[Mapping[str, Colour]] = _inks("four")
_TINTS: Final = {_colour(name): tint for name, tint in PAGE.inks.values()}


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


def drawn(markup: str, size: Size, *, units: str = "", colour: Colour = INK) -> Image.Image:
    """The page's markup in its own style, at this size; ``units`` are 100 to the width if empty."""
    suit = _hex(colour)
    named = {**PAGE.colours, "suit": suit, "tint": _TINTS.get(colour, suit), "mark": _hex(GOLD)}
    style = re.sub(r"var\(--([\w-]+)\)", lambda found: named[found[1]], PAGE.style)
    units = units or f"0 0 100 {100 * size[1] / size[0]:.2f}"
    box = f'viewBox="{units}" width="{size[0]}" height="{size[1]}"'
    shapes = f"<style>{style}</style>{markup.format_map(PAGE.shapes)}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>'
    data = resvg_py.svg_to_bytes(svg_string=f"{svg}{shapes}</svg>", skip_system_fonts=True)
    return Image.open(BytesIO(bytes(data))).convert("RGBA")


@cache
def card(name: str, colour: Colour, size: Size, form: str) -> Image.Image:
    """A card: rank over suit in its left strip, ``far``; beside it in its upper strip, ``row``;
    or, ``goal``, with its lower quarter left to a plate."""
    return drawn(PAGE.faces[form][name], size, colour=colour)


@cache
def back(size: Size) -> Image.Image:
    """A card face down."""
    return drawn(PAGE.back, size)


@cache
def edge(size: Size) -> Image.Image:
    """What is seen of a card below a back."""
    return drawn('<rect class="under" x="1" y="1" width="98" height="138" rx="9"/>', size)


@cache
def plate(goal: str, suits: str, whole: int, size: Size) -> Image.Image:
    """What a pile is to collect, for the lower quarter of its card.

    ``goal`` is a card, or a rank of which each suit has a place; ``suits`` are those of its cards.
    """
    if len(suits) >= whole:
        return drawn(f'<g class="needs complete">{PAGE.complete}</g>', size)
    of = PAGE.plates[f"{goal} {whole}"]
    there = [of.there.get("", of.there.get(suit, ()))[place] for place, suit in enumerate(suits)]
    places = "".join([*there, *of.open[len(suits) :]])
    return drawn(f'<g class="needs">{of.rest}{places}</g>', size)


@lru_cache(maxsize=8)
def grounds(layout: Layout) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The felt and its dial with no card home, and with all of them; and where it is clear."""
    size = round(layout.width), round(layout.height)
    dark, lit = _ground(layout, size, ""), _ground(layout, size, " lit")
    return dark.convert("RGB"), lit.convert("RGB"), clear(dark)


def clear(ground: Image.Image) -> Image.Image:
    """Where nothing is on this ground, such as behind its corners."""
    return ground.getchannel("A").point([255] * 128 + [0] * 128)


def _ground(layout: Layout, size: Size, lit: str) -> Image.Image:
    ticks = "".join(f"M{x} {y}L{to_x} {to_y}" for x, y, to_x, to_y in layout.ticks)
    parts = [
        f'<rect width="{size[0]}" height="{size[1]}" rx="28" fill="{PAGE.colours["felt-mid"]}"/>',
        f'<g transform="scale({layout.scale})"><path class="rim" d="{layout.rim}"/>',
        f'<path class="inside" d="{layout.plate}"/></g>',
        f'<path class="ticks{lit}" d="{ticks}" style="stroke-width: {3.6 if lit else 2}"/>',
    ]
    if at := layout.pendulum:
        parts += [
            f'<g class="pendulum"><path d="M{at.x} {at.top}V{at.bottom}" stroke-width="5"/>',
            f'<circle cx="{at.x}" cy="{at.top}" r="{0.14 * at.r}"/>',
            f'<circle class="bob" cx="{at.x}" cy="{at.bottom}" r="{at.r}"/>',
            f'<circle class="engraved" cx="{at.x}" cy="{at.bottom}" r="{0.8 * at.r}"/></g>',
        ]
    return drawn("".join(parts), size, units=f"0 0 {size[0]} {size[1]}")


@cache
def gap(size: Size) -> Image.Image:
    """A place where a card is missing: a dashed outline."""
    width, height = 98, 100 * size[1] / size[0] - 2
    line = 'style="stroke-width: 3; stroke-dasharray: 9 8"'
    return drawn(
        f'<rect class="gap" x="1" y="1" width="{width}" height="{height}" rx="9" {line}/>', size
    )


_AROUND: Final = 28
"""How much larger than its card a mark is; both have the same middle."""


def _mark(
    shape: str, size: Size, colour: Colour, widths: tuple[int, int], above: str
) -> Image.Image:
    """A line on a dark case, so that it shows on cards and on felt alike."""
    lines = "".join(
        f'<g fill="none" stroke="{_hex(ink)}" stroke-width="{width}">{shape}</g>'
        for ink, width in zip((CASE, colour), widths, strict=True)
    )
    box = size[0] + _AROUND, size[1] + _AROUND
    units = f"{-_AROUND // 2} {-_AROUND // 2} {box[0]} {box[1]}"
    return drawn(lines + above, box, units=units)


@cache
def fresh(size: Size) -> Image.Image:
    """Brackets round the corners of a card of the last move."""
    w, h = size
    q, r, b = w * 0.24, w + 1, h + 1
    shape = f"M-1 {q}V-1H{q}M{w - q} -1H{r}V{q}M{r} {h - q}V{b}H{w - q}M{q} {b}H-1V{h - q}"
    return _mark(f'<path d="{shape}"/>', size, MARK, (11, 5), "")


@cache
def hint(size: Size) -> Image.Image:
    """The frame around a card to point at, with a sign in its corner."""
    w, h = size
    shape = f'<rect x="-4" y="-4" width="{w + 8}" height="{h + 8}" rx="{w * 0.09 + 4}"/>'
    r = max(15, 0.17 * w)
    at = f"translate({w + 12 - r} {r - 12}) scale({r / 10})"
    return _mark(shape, size, GOLD, (12, 7), f'<g transform="{at}">{PAGE.sign}</g>')


@cache
def number(count: int, width: int) -> Image.Image:
    """How many cards lie face down, for the top of a back of this width."""
    radius = round(max(width * 0.15, min(17, width * 0.22)))
    return _disc(str(count), radius, CASE, RIM, PAPER)


@cache
def hour(text: str, *, marked: bool) -> Image.Image:
    """An hour of the dial; on a disc where the last move took a card."""
    return _disc(text, 19, MARK, MARK, CASE) if marked else label(text, 29, RIM, serif=True)


def _disc(text: str, radius: int, fill: Colour, edge: Colour, ink: Colour) -> Image.Image:
    size = 2 * radius + 4
    circle = f'<circle r="{radius}" fill="{_hex(fill)}" stroke="{_hex(edge)}" stroke-width="2"/>'
    image = drawn(circle, (size, size), units=f"{-size / 2} {-size / 2} {size} {size}")
    number = font(round(radius * 1.3), serif=True)
    ImageDraw.Draw(image).text((size / 2, size / 2), text, ink, number, "mm")
    return image


@cache
def hands(radius: int) -> Image.Image:
    """The hands of a clock in a gold ring, at ten past ten."""

    def hand(angle: int, long: float, wide: float) -> str:
        shape = (
            f"{-wide / 4} {long / 6}L{-wide / 2} {-0.7 * long}L0 {-long}L{wide / 2} {-0.7 * long}"
        )
        return f'<path transform="rotate({angle})" d="M{shape}L{wide / 4} {long / 6}Z"/>'

    case, gold = _hex(CASE), _hex(GOLD)
    face = f'<circle r="97" fill="{case}" stroke="{gold}" stroke-width="5"/>'
    both = f'<g fill="{gold}">{hand(305, 52, 20)}{hand(60, 80, 15)}<circle r="13"/></g>'
    axle = f'<circle r="5" fill="{case}"/>'
    return drawn(face + both + axle, (2 * radius, 2 * radius), units="-100 -100 200 200")


def caption(text: str, room: int = CAPTION) -> Image.Image:
    """The word below stock or waste, smaller if it is long."""
    return label(text, min(21, int(21 * room / font(21).getlength(text))), FAINT)


@cache
def label(text: str, size: int, colour: Colour = PAPER, *, serif: bool = False) -> Image.Image:
    """A line of text, as wide as it is."""
    letters = font(size, serif=serif)
    image = Image.new("RGBA", (round(letters.getlength(text)) + 8, round(size * 1.4)), (*colour, 0))
    middle = image.width / 2, image.height / 2
    ImageDraw.Draw(image).text(middle, text, colour, letters, "mm")
    return image
