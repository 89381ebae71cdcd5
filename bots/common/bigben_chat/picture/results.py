"""Pictures of results for all to see: the race of all players, and the card of one of them.

They name no card. A picture is a value that is drawn late, and equal if it shows the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from bigben_chat.picture import sprites
from bigben_chat.picture.files import font, png
from bigben_chat.picture.page import PAGE
from bigben_protocol.share import SIGNS, Hours

MOST: Final = 8
"""The most players of a picture; the first ones are shown."""
_INK: Final = PAGE.results["ink"]
_FAINT: Final = PAGE.results["faint"]
_GOLD: Final = PAGE.results["rim"]
_PART: Final = PAGE.results["part"]
_TRACK: Final = PAGE.results["none"]
_DONE: Final = PAGE.results["done"]
_DISC: Final = PAGE.results["disc"]


@dataclass(frozen=True)
class Racer:
    """One player of a race; from the first on."""

    name: str
    home: int
    below: str
    """How they play, or how their game has ended."""
    place: int = 0
    """Once it is certain; 0 before."""
    gap: str = ""
    """How far from the first."""
    hours: Hours = ()
    """Once they are public."""


@dataclass(frozen=True)
class RacePicture:
    """The progress of all players of one race."""

    title: str
    below: str
    total: int
    racers: Sequence[Racer]
    more: str = ""
    """How many players are not shown."""

    def png(self) -> bytes:
        """The picture: up to four players side by side, more of them smaller in two rows."""
        racers = self.racers[:MOST]
        rows = ceil(len(racers) / 4)
        columns = ceil(len(racers) / max(1, rows))
        high = 436 if rows == 1 else 218
        boxes = [
            (
                500 - min(columns, len(racers) - number // columns * columns) * 116
                + number % columns * 232 + 4,
                138 + number // columns * 228,
            )
            for number in range(len(racers))
        ]  # fmt: skip
        first = bool(racers) and racers[0].home > 0
        frame = 'x="10" y="10" width="980" height="600" rx="18" fill="none" stroke-width="1.5"'
        edge = f'<rect {frame} stroke="{_GOLD}"/>'
        sheet = _Sheet(*_ground(1000, 620, edge + _boxes(boxes, high, first=first), "felt-mid"))
        sheet.words(44, 78, self.title, 44, _INK, room=912, serif=True)
        sheet.words(44, 113, self.below, 23, _FAINT, room=720)
        sheet.words(956, 113, self.more, 23, _FAINT, anchor="rs", room=180)
        for racer, (x, y) in zip(racers, boxes, strict=True):
            middle, part = x + 112, racer.home / self.total
            big = rows == 1
            size = 180 if big else 116
            sheet.paste(
                wheel(size, racer.home, self.total, tuple(racer.hours)),
                middle - size / 2,
                y + (20 if big else 12),
            )
            sheet.paste(_bar(part), x + 24, y + (362 if big else 172))
            if racer.place:
                sheet.place(racer.place, x + 12, y + 12)
            if big:
                sheet.centred(middle, y + 252, racer.name, 33, _INK, serif=True)
                sheet.centred(middle, y + 286, racer.below, 24, _FAINT)
                sheet.centred(middle, y + 342, str(racer.home), 50, _INK, serif=True)
                sheet.centred(middle, y + 408, racer.gap, 24, _FAINT)
            else:
                sheet.centred(middle, y + 160, racer.name, 26, _INK, serif=True)
                sheet.centred(middle, y + 206, racer.below, 22, _FAINT)
        return sheet.png()


@dataclass(frozen=True)
class ShareCard:
    """The card of one finished game."""

    title: str
    result: str
    """The place, or the cards home."""
    below: str
    home: int
    total: int
    of: str
    """``of 104``."""
    hours: Hours = ()
    address: str = ""

    def png(self) -> bytes:
        """The picture."""
        frame = 'x="12" y="12" width="976" height="500" rx="24" fill="none" stroke-width="2"'
        ground = _ground(1000, 524, f'<rect {frame} stroke="{_GOLD}"/>', "felt-far")
        sheet = _Sheet(*ground)
        size = round(488 * PAGE.numbers.scale)
        sheet.paste(_numbers(), 18, 18)
        dial = wheel(size, self.home, self.total, tuple(self.hours), named=False)
        sheet.paste(dial, 262 - size / 2, 262 - size / 2)
        sheet.words(262, 276, str(self.home), 63, _INK, anchor="ms", serif=True)
        sheet.words(262, 304, self.of, 24, _FAINT, anchor="ms", room=120)
        sheet.words(536, 112, self.title, 32, _FAINT)
        sheet.words(536, 200, self.result, 72, _INK, serif=True)
        sheet.words(536, 254, self.below, 32, _FAINT)
        known = len(self.hours) == SIGNS
        hours = [*self.hours[1:], *self.hours[:1]] if known else [
            (self.home * SIGNS - self.total * tile, self.total) for tile in range(SIGNS)
        ]  # fmt: skip
        for number, (have, whole) in enumerate(hours):
            x, y = 534 + number % 6 * 64, 298 + number // 6 * 64
            part = max(0.0, min(1.0, have / whole))
            sheet.paste(_tile(part), x, y)
            if known:
                ink, edge = (_DISC, "") if part == 1 else (_INK, _DISC)
                sheet.words(x + 28, y + 37, str(number + 1), 24, ink, anchor="ms", edge=edge)
        sheet.words(536, 480, self.address, 25, _FAINT)
        return sheet.png()


class _Sheet:
    """A picture in the making."""

    def __init__(self, ground: Image.Image, clear: Image.Image) -> None:
        self._image = ground.copy()
        self._draw = ImageDraw.Draw(self._image)
        self._clear = clear

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """A piece with its upper left corner here."""
        self._image.paste(image, (round(x), round(y)), image)

    def words(
        self,
        x: float,
        y: float,
        said: str,
        size: float,
        colour: str,
        *,
        anchor: str = "ls",
        room: float = 420,
        serif: bool = False,
        edge: str = "",
    ) -> None:
        """Text on a line, smaller where it is too long for its room, and then cut."""
        known = "".join(letter for letter in said if _is_known(letter, serif=serif))
        said = " ".join(known.split())
        measured = font(100, serif=serif).getlength
        while len(said) > 1 and measured(said) * size * 0.6 > 100 * room:
            said = said.rstrip("…")[:-1] + "…"
        size = min(size, 100 * room / max(1, measured(said)))
        drawn = font(int(size), serif=serif)
        at, wide = (x, y), 3 if edge else 0
        self._draw.text(
            at, said, colour, drawn, anchor, stroke_width=wide, stroke_fill=edge or None
        )

    def centred(
        self, x: float, y: float, said: str, size: float, colour: str, *, serif: bool = False
    ) -> None:
        """Text in the middle of a player's box."""
        self.words(x, y, said, size, colour, anchor="ms", room=204, serif=serif)

    def place(self, place: int, x: float, y: float) -> None:
        """A medal, or from the fourth place on the number alone."""
        if place <= len(PAGE.medals):
            self.paste(_medal(place), x, y)
        ink = PAGE.medals[place - 1].digit if place <= len(PAGE.medals) else _INK
        size = 22 if place <= len(PAGE.medals) else 30
        self.words(x + 22, y + 22 + size * 0.36, str(place), size, ink, anchor="ms", serif=True)

    def png(self) -> bytes:
        """The finished picture."""
        return png(self._image, self._clear)


@lru_cache(maxsize=16)
def _ground(width: int, height: int, markup: str, colour: str) -> tuple[Image.Image, Image.Image]:
    """The felt with what is always on it, and where it is clear."""
    felt = f'<rect width="{width}" height="{height}" rx="28" fill="{PAGE.colours[colour]}"/>'
    drawn = sprites.drawn(felt + markup, (width, height), units=f"0 0 {width} {height}")
    return drawn.convert("RGB"), sprites.clear(drawn)


def _boxes(places: Sequence[tuple[float, float]], height: int, *, first: bool) -> str:
    edges = [f'stroke="{_GOLD}" stroke-width="2.5"', *['stroke="#ffffff24"'] * MOST]
    return "".join(
        f'<rect x="{x}" y="{y}" width="224" height="{height}" rx="18" fill="{_DISC}"'
        f' fill-opacity="0.6" {edge}/>'
        for (x, y), edge in zip(places, edges[not first :], strict=False)
    )


@lru_cache(maxsize=256)
def wheel(
    size: int, home: int, total: int, hours: Hours = (), *, named: bool = True
) -> Image.Image:
    """The page's wheel: the hours, or before they are public a ring that the cards home fill."""
    drawn = PAGE.wheels.get(" ".join(str(whole) for _, whole in hours))
    if drawn is None:
        colour = _DONE if home >= total else _PART if home else "none"
        drawn = PAGE.ring.drawn.format(colour=colour, dash=PAGE.ring.long * home / total)
    else:
        drawn = drawn.format_map(
            {
                f"c{hour}_{card}": _TRACK if card >= have else _DONE if have >= whole else _PART
                for hour, (have, whole) in enumerate(hours)
                for card in range(whole)
            }
        )
    image = sprites.drawn(drawn, (size, size), units="-100 -100 200 200")
    if named:
        drawing = ImageDraw.Draw(image)
        number = font(round(size * 0.155), serif=True)
        drawing.text((size / 2, size * 0.552), str(home), _INK, number, "ms")
    return image


@cache
def _numbers() -> Image.Image:
    """The hours around the wheel of a card."""
    image = Image.new("RGBA", (488, 488), (*sprites.RIM, 0))
    for x, y, hour in PAGE.numbers.places:
        place = 244 + 2.44 * x, 244 + 2.44 * y
        ImageDraw.Draw(image).text(place, hour, _GOLD, font(26, serif=True), "ms")
    return image


@cache
def _medal(place: int) -> Image.Image:
    return sprites.drawn(PAGE.medals[place - 1].disc, (44, 44), units="0 0 28 28")


@lru_cache(maxsize=128)
def _bar(part: float) -> Image.Image:
    colour = _PART if part < 1 else _DONE
    there = f'<rect width="{max(12, 176 * part):.1f}" height="12" rx="6" fill="{colour}"/>'
    track = f'<rect width="176" height="12" rx="6" fill="{_TRACK}"/>'
    return sprites.drawn(track + (there if part else ""), (176, 12), units="0 0 176 12")


@lru_cache(maxsize=64)
def _tile(part: float) -> Image.Image:
    """An hour, or a twelfth of all cards, filled from below."""
    colour = _TRACK if not part else _DONE if part == 1 else _PART
    box = 'x="1.5" y="1.5" width="53" height="53" rx="11"'
    high = 53 * part
    filled = f'<rect x="1.5" y="{54.5 - high:.1f}" width="53" height="{high:.1f}"'
    return sprites.drawn(
        f'<clipPath id="a"><rect {box}/></clipPath><rect {box} fill="{_DISC}"/>'
        f'{filled} clip-path="url(#a)" fill="{colour}"/>'
        f'<rect {box} fill="none" stroke="{colour}" stroke-width="3"/>',
        (56, 56),
        units="0 0 56 56",
    )


@cache
def _is_known(letter: str, *, serif: bool) -> bool:
    """Whether the font has this letter: names may have any."""
    return letter == " " or _shape(letter, serif=serif) != _shape("\uffff", serif=serif)


def _shape(letter: str, *, serif: bool) -> bytes:
    image = Image.new("L", (60, 60))
    ImageDraw.Draw(image).text((30, 30), letter, 255, font(40, serif=serif), "mm")
    return image.tobytes()
