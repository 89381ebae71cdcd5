"""A player's board as a PNG, readable on a phone: any game, drawn by its description."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from bigben_chat.picture import sprites
from bigben_chat.picture.arrangement import Ring, arranged
from bigben_chat.picture.dial import HOME, HOURS
from bigben_chat.picture.geometry import CARD
from bigben_chat.picture.piles import Pen
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Slot, Step, View

_PALETTE: Final = 128
"""Colours of the PNG: enough for smooth edges and backs, and far fewer bytes than all of them."""


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
    canvas = _felt(place.width, place.height).copy()
    if place.ring:
        _dial(canvas, place.ring, game.total, view.home)
    colours = sprites.FOUR_COLOURS if look.four_colours else sprites.TWO_COLOURS
    won = view.state == "won"
    pen = Pen(canvas, game, colours, () if won else last, say, points)
    for slot in there:
        pen.pile(slot, view.piles[slot.pile], place.berths[slot.pile])
    home = f"{view.home} / {game.total}"
    x, y = place.home
    if won and place.ring and not any(slot.place == "centre" for slot in there):
        radius = place.ring.outline.a - place.ring.outline.band - 8
        pen.centre(sprites.hands(radius), x, y)
        y += radius * 0.6
    alone = place.ring and not any(slot.place == "centre" for slot in there)
    pen.centre(sprites.label(home, 56 if alone and not won else 34, sprites.PAPER), x, y)
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
                sprites.card(rank + suit, colour, CARD)
                sprites.face(rank + suit, colour, HOME, home=True)


@lru_cache(maxsize=16)
def _felt(width: int, height: int) -> Image.Image:
    """The cloth under every board, of any theme of Discord: its corners are clear."""
    return sprites.felt((width, height))


def _dial(canvas: Image.Image, ring: Ring, total: int, home: int) -> None:
    """The dial under the foundations, with a tick for each card that is home."""
    dial = sprites.superellipse(*ring.outline, ticks=total, lit=home)
    corner = round(ring.middle.x - dial.width / 2), round(ring.middle.y - dial.height / 2)
    canvas.paste(dial, corner, dial)


def _png(canvas: Image.Image) -> bytes:
    file = BytesIO()
    small = canvas.quantize(_PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(file, "PNG", compress_level=6)
    return file.getvalue()
