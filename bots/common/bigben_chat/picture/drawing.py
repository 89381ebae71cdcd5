"""A player's board as a PNG, readable on a phone: any game, drawn by its description."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PIL import Image

from bigben_chat.picture import sprites
from bigben_chat.picture.files import png
from bigben_chat.picture.page import PAGE, Layout, layout_of
from bigben_chat.picture.piles import Pen
from bigben_chat.records import MAIN
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Slot, Step, View, texts


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
    there, layout, won = shown(game, view), layout_of(game), view.state == "won"
    canvas = _ground(layout, view.home)
    colours = sprites.FOUR_COLOURS if look.four_colours else sprites.TWO_COLOURS
    pen = Pen(canvas, game, layout, colours, say)
    left = {step.source for step in last if not won}
    marked = {slot.label for slot in game.slots if slot.pile in left}
    for hour in layout.numerals:
        pen.centre(sprites.hour(hour.text, marked=hour.text in marked), hour.x, hour.y)
    _middle(pen, game, layout, view, say)
    for slot in there:
        pen.pile(slot, view.piles[slot.pile])
    for slot in there:
        pen.marks(slot, view.piles[slot.pile], () if won else last, points)
    return png(canvas, sprites.grounds(layout)[2])


def _middle(pen: Pen, game: GameInfo, layout: Layout, view: View, say: Say) -> None:
    """How many cards are home; below them the clock of a game that is won."""
    if not layout.text:
        return
    x, y = layout.text.x, layout.text.y
    size = min(66, max(42, 1.2 * layout.text.size))
    rest = texts.fill(texts.of("share", say.language)["share.of"], total=game.total)
    pen.centre(sprites.label(str(view.home), round(size), serif=True), x, y - 0.25 * size)
    pen.centre(sprites.label(rest, 24, sprites.FAINT), x, y + 0.6 * size)
    if view.state == "won" and layout.face:
        pen.centre(sprites.hands(round(layout.face)), x, layout.height / 2 + 20)


def shown(game: GameInfo, view: View) -> list[Slot]:
    """The piles of the picture: all of them, but of a game that is won those with cards."""
    if view.state != "won":
        return list(game.slots)
    return [slot for slot in game.slots if view.piles[slot.pile].up or view.piles[slot.pile].down]


def warm() -> None:
    """Draw what most pictures need, so that the first one is as quick as the others."""
    layout = PAGE.layouts[MAIN]
    sprites.grounds(layout)
    for hour in layout.numerals:
        sprites.hour(hour.text, marked=False)
    sizes = {(round(berth.w), round(berth.h)) for berth in layout.berths.values()}
    small = min(sizes)
    for size, form in [*((size, "far") for size in sizes), (small, "goal")]:
        for colours in (sprites.FOUR_COLOURS, sprites.TWO_COLOURS):
            for name in PAGE.faces[form]:
                sprites.card(name, colours[name[-1]], size, form)


def _ground(layout: Layout, home: int) -> Image.Image:
    """The felt and its dial, with a tick lit for each card home."""
    dark, lit, _ = sprites.grounds(layout)
    canvas = dark.copy()
    for x, y, to_x, to_y in layout.ticks[:home]:
        left, top, right, bottom = min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)
        box = int(left) - 4, int(top) - 4, int(right) + 5, int(bottom) + 5
        canvas.paste(lit.crop(box), box)
    return canvas
