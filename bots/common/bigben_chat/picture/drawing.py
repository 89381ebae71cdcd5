"""A player's board as a PNG, readable on a phone: any game, drawn by its description."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from bigben_chat.picture import sprites
from bigben_chat.picture.arrangement import Ring, arranged
from bigben_chat.picture.dial import HOURS
from bigben_chat.picture.geometry import CARD
from bigben_chat.picture.piles import Pen
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Slot, Step, View

_PALETTE: Final = 64
"""Colours of the PNG: enough for smooth edges, and a third of the bytes."""


@dataclass(frozen=True)
class Look:
    """A player's look of the board."""

    four_colours: bool = True
    """A colour for each suit; most of the games build in suit."""
    text: bool = False
    """A text board in place of the picture."""
    hints: bool = False
    """Whether the cards that can go home are marked."""


def draw(
    game: GameInfo,
    view: View,
    last: Sequence[Step],
    look: Look,
    say: Say,
    points: Collection[str] = (),
) -> bytes:
    """The board as the player sees it; ``last`` are the steps of the last move, to be marked.

    ``points`` are piles to point at, such as those whose top cards can go home.
    """
    there = shown(game, view)
    place = arranged(there, view.piles)
    canvas = _felt(place.width, place.height, place.ring).copy()
    colours = sprites.FOUR_COLOURS if look.four_colours else sprites.TWO_COLOURS
    won = view.state == "won"
    pen = Pen(canvas, game, colours, () if won else last, say, points)
    for slot in there:
        pen.pile(slot, view.piles[slot.pile], place.berths[slot.pile])
    home = f"{view.home} / {game.total}"
    x, y = place.home
    if won and place.ring and not any(slot.place == "centre" for slot in there):
        radius = round(place.ring.inner.width) - 8
        pen.centre(sprites.hands(radius), x, y)
        y += radius * 0.6
    alone = place.ring and not any(slot.place == "centre" for slot in there)
    pen.centre(sprites.label(home, 56 if alone and not won else 34, sprites.GOLD), x, y)
    return _png(canvas)


def shown(game: GameInfo, view: View) -> list[Slot]:
    """The piles of the picture: all of them, but of a game that is won those with cards."""
    if view.state != "won":
        return list(game.slots)
    return [slot for slot in game.slots if view.piles[slot.pile].up or view.piles[slot.pile].down]


def warm() -> None:
    """Draw what most pictures need, so that the first one is as quick as the others."""
    sprites.gap(CARD)
    sprites.mark(CARD)
    for hour in HOURS:
        sprites.badge(str(hour), marked=False)
    for colours in (sprites.FOUR_COLOURS, sprites.TWO_COLOURS):
        for suit, colour in colours.items():
            for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"):
                for yes in (True, False):
                    sprites.card(rank + suit, colour, CARD, top=yes)
                    sprites.face(rank + suit, colour, CARD, done=yes)


@lru_cache(maxsize=16)
def _felt(width: int, height: int, ring: Ring | None) -> Image.Image:
    """The background of every board: the cloth, and the dial under the foundations."""
    felt = Image.new("RGB", (width, height), sprites.FELT)
    if ring is None:
        return felt
    outer, inner = ring.outer, ring.inner
    for edge, less, fill in (
        (outer, 0, sprites.LINE),
        (outer, 3, sprites.DIAL),
        (inner, 0, sprites.FELT_EDGE),
        (inner, 3, sprites.FELT),
    ):
        half = edge.width - less, edge.height - less
        piece = sprites.band((round(2 * half[0]), round(2 * half[1])), edge.corner - less, fill)
        corner = round(ring.middle.x - half[0]), round(ring.middle.y - half[1])
        felt.paste(piece, corner, piece)
    return felt


def _png(canvas: Image.Image) -> bytes:
    file = BytesIO()
    small = canvas.quantize(_PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(file, "PNG", compress_level=6)
    return file.getvalue()
