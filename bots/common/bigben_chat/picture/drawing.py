"""A player's board as a PNG, readable on a phone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image

from bigben_chat import layout
from bigben_chat.picture import sprites
from bigben_chat.picture.geometry import (
    BERTH,
    BIG_CARD,
    CARD,
    HEIGHT,
    MIDDLE,
    RADIUS,
    WIDTH,
    foundation_at,
    spread,
)
from bigben_chat.picture.sprites import Sheet
from bigben_chat.texts import Say
from bigben_protocol import Pile, Step, View

_PALETTE: Final = 64
"""Colours of the PNG: enough for smooth edges, and a third of the bytes."""
_REACH: Final = RADIUS + 96
DIAL: Final = (
    MIDDLE[0] - _REACH,
    MIDDLE[1] - _REACH,
    MIDDLE[0] + _REACH,
    MIDDLE[1] + _REACH,
)
"""What is left to show when all cards are home."""


@dataclass(frozen=True)
class Look:
    """A player's look of the board."""

    four_colours: bool = True
    """A colour for each suit; Big Ben builds in suit."""
    text: bool = False
    """A text board in place of the picture."""


def draw(view: View, last: Sequence[Step], look: Look, say: Say) -> bytes:
    """The board as the player sees it; ``last`` are the steps of the last move, to be marked."""
    canvas = _felt().copy()
    board = _Board(canvas, look)
    touched = {step.source for step in last} | {step.target for step in last}
    won = view.state == "won"
    for hour in layout.HOURS:
        if not won:
            board.fan(hour, view.piles[layout.fan(hour)], last, touched)
        home = layout.foundation(hour)
        board.foundation(hour, view.piles[home], marked=home in touched and not won)
    if won:
        board.clock(view)
        return _png(canvas.crop(DIAL))
    board.middle(view, say, marked=any(step.target == layout.WASTE for step in last))
    return _png(canvas)


def warm() -> None:
    """Draw what every picture needs, so that the first one is as quick as the others."""
    _felt()
    for size in (CARD, BIG_CARD):
        sprites.gap(size)
        sprites.mark(size)
    sprites.back(BIG_CARD)
    for hour in layout.HOURS:
        sprites.badge(str(hour), marked=False)
    for colours in (sprites.FOUR_COLOURS, sprites.TWO_COLOURS):
        for suit, colour in colours.items():
            for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"):
                for yes in (True, False):
                    sprites.card(rank + suit, colour, top=yes)
                    sprites.face(rank + suit, colour, CARD, done=yes)


class _Board:
    """A canvas, and what is put on it."""

    def __init__(self, canvas: Image.Image, look: Look) -> None:
        self._canvas = canvas
        self._colours = sprites.FOUR_COLOURS if look.four_colours else sprites.TWO_COLOURS

    def fan(self, hour: int, pile: Pile, last: Sequence[Step], touched: set[str]) -> None:
        """All its cards, its gaps, and its numeral."""
        name = layout.fan(hour)
        laid = spread(hour, len(pile.up), max(0, layout.FAN_SIZE - len(pile.up)))
        size = round(CARD[0] * laid.scale), round(CARD[1] * laid.scale)
        new = sum(step.target == name for step in last)
        for number, (card, spot) in enumerate(zip(pile.up, laid.cards, strict=True)):
            top = number == len(pile.up) - 1
            image = sprites.card(card, self._colours[card[-1]], top=top, scale=laid.scale)
            self._paste(image, spot.x, spot.y)
            if number >= len(pile.up) - new:
                self._paste(sprites.mark(size), spot.x - 5, spot.y - 5)
        for spot in laid.gaps:
            self._paste(sprites.gap(size), spot.x, spot.y)
        numeral = sprites.badge(str(hour), marked=name in touched)
        self._centre(numeral, *BERTH[hour].badge)

    def foundation(self, hour: int, pile: Pile, *, marked: bool) -> None:
        """Its top card, and how much of it there is."""
        x, y = foundation_at(hour)
        whole = layout.size(hour)
        done = len(pile.up) >= whole
        self._face(pile.up[-1], CARD, x, y, done=done)
        bar = sprites.bar(CARD[0] - 14, len(pile.up), whole)
        self._centre(bar, x, y + CARD[1] / 2 - 11)
        if marked:
            self._centre(sprites.mark(CARD), x, y)

    def middle(self, view: View, say: Say, *, marked: bool) -> None:
        """Stock and waste with their counts, and how many cards are home."""
        x, y = MIDDLE
        stock, waste = view.piles[layout.STOCK].down, view.piles[layout.WASTE].up
        left, right = x - 62, x + 62
        self._centre(sprites.back(BIG_CARD) if stock else sprites.gap(BIG_CARD), left, y)
        if waste:
            self._face(waste[-1], BIG_CARD, right, y)
            if marked:
                self._centre(sprites.mark(BIG_CARD), right, y)
        else:
            self._centre(sprites.gap(BIG_CARD), right, y)
        self._centre(sprites.caption(f"{say('picture.stock')} {stock}"), left, y + 92)
        self._centre(sprites.caption(f"{say('picture.waste')} {len(waste)}"), right, y + 92)
        home = f"{view.home} / {layout.TOTAL}"
        self._centre(sprites.label(home, 34, sprites.GOLD), x, y - 102)

    def clock(self, view: View) -> None:
        """A game that is won is a clock that runs: its hands where stock and waste were."""
        x, y = MIDDLE
        self._centre(sprites.hands(RADIUS - 76), x, y)
        self._centre(sprites.label(f"{view.home} / {layout.TOTAL}", 34, sprites.GOLD), x, y + 82)

    def _face(
        self, card: str, size: tuple[int, int], x: float, y: float, *, done: bool = False
    ) -> None:
        self._centre(sprites.face(card, self._colours[card[-1]], size, done=done), x, y)

    def _paste(self, image: Image.Image, x: float, y: float) -> None:
        self._canvas.paste(image, (round(x), round(y)), image)

    def _centre(self, image: Image.Image, x: float, y: float) -> None:
        self._paste(image, x - image.width / 2, y - image.height / 2)


@cache
def _felt() -> Image.Image:
    """The background of every board: the cloth, and the dial under the foundations."""
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.box((0, 0, WIDTH, HEIGHT), 0, sprites.FELT)
    x, y = MIDDLE
    sheet.disc(x, y, RADIUS + 72, sprites.LINE)
    sheet.disc(x, y, RADIUS + 69, sprites.DIAL)
    sheet.disc(x, y, RADIUS - 68, sprites.FELT_EDGE)
    sheet.disc(x, y, RADIUS - 71, sprites.FELT)
    return sheet.done().convert("RGB")


def _png(canvas: Image.Image) -> bytes:
    file = BytesIO()
    small = canvas.quantize(_PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(file, "PNG", compress_level=6)
    return file.getvalue()
