"""One pile on the board picture, by its kind: its cards, its label, and the marks of a move."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from PIL import Image

from bigben_chat.games import foundation_size
from bigben_chat.picture import sprites
from bigben_chat.picture.geometry import Berth, Point, Size, spread
from bigben_chat.picture.sheet import Colour
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Pile, Slot, Step

_CAPTIONED = ("stock", "waste", "hand")
"""Kinds that have a caption and no label."""


class Lie(NamedTuple):
    """What is drawn of a pile: the corners of its cards and gaps, and the size of a card."""

    card: Size
    cards: tuple[tuple[str, Point], ...]
    """From the first that is drawn; without a name, face down."""
    gaps: tuple[Point, ...]


def lie(slot: Slot, pile: Pile, berth: Berth) -> Lie:
    """All cards of a pile that fans, but of a reserve its face-down cards as one; or the top."""
    if slot.kind == "reserve":
        names = [*pile.up, *([""] if pile.down else [])]
    else:
        names = [*[""] * pile.down, *pile.up]
    if not slot.fans:
        names = names[-1:]
    laid = spread(berth, len(names), max(0 if names else 1, slot.size - len(names)))
    return Lie(laid.card, tuple(zip(names, laid.cards, strict=True)), laid.gaps)


class Pen:
    """Draws piles on a canvas."""

    def __init__(
        self,
        canvas: Image.Image,
        game: GameInfo,
        colours: Mapping[str, Colour],
        last: Sequence[Step],
        say: Say,
        points: Collection[str] = (),
    ) -> None:
        """``points``: the piles whose top cards have a mark of their own."""
        self._canvas = canvas
        self._game = game
        self._colours = colours
        self._last = last
        self._say = say
        self._points = points
        self._touched = {step.source for step in last} | {step.target for step in last}

    def pile(self, slot: Slot, pile: Pile, berth: Berth) -> None:
        """All that the player sees of a pile."""
        laid = lie(slot, pile, berth)
        for spot in laid.gaps:
            self._paste(sprites.gap(laid.card), *spot)
        new = self._new(slot, laid)
        for number, (card, spot) in enumerate(laid.cards):
            if not card:
                self._back(slot, pile, laid.card, spot)
            elif slot.fans:
                sprite = sprites.column_card if berth.column else sprites.card
                self._paste(sprite(card, self._colours[card[-1]], laid.card), *spot)
            else:
                self._single(slot, pile, laid.card, spot)
            if number in new:
                self._paste(sprites.mark(laid.card), spot.x - 5, spot.y - 5)
        if slot.pile in self._points and (laid.cards or laid.gaps):
            spot = laid.cards[-1][1] if laid.cards else laid.gaps[0]
            self._paste(sprites.hint(laid.card), spot.x - 5, spot.y - 5)
        if slot.goal and not slot.fans:
            spot = laid.cards[-1][1] if laid.cards else laid.gaps[0]
            suits = "".join(card[-1] for card in pile.up)
            whole = foundation_size(self._game, slot)
            self._paste(sprites.plate(slot.goal, suits, whole, laid.card[0]), *spot)
        if berth.label is not None:
            self._label(slot, pile, berth, berth.label)

    def _new(self, slot: Slot, laid: Lie) -> set[int]:
        """The numbers of the cards that the last move has brought."""
        hows = [step.how for step in self._last if step.target == slot.pile]
        under, down = hows.count("under"), hows.count("down")
        onto = len(hows) - under - down
        up = [number for number, (card, _) in enumerate(laid.cards) if card]
        backs = {number for number, (card, _) in enumerate(laid.cards) if not card and down}
        return {*up[:under], *up[len(up) - min(onto, len(up)) :], *backs}

    def _label(self, slot: Slot, pile: Pile, berth: Berth, at: Point) -> None:
        if slot.kind not in _CAPTIONED:
            marked = slot.pile in self._touched
            self.centre(sprites.badge(slot.label or slot.pile, marked=marked), *at)
            return
        named = self._say.game_text(f"kind.{slot.kind}")
        count = {"stock": f" {pile.down}", "waste": f" {len(pile.up)}"}.get(slot.kind, "")
        room = round(max(sprites.CAPTION, berth.width))
        self.centre(sprites.caption(f"{named}{count}", room), *at)

    def _back(self, slot: Slot, pile: Pile, card: Size, spot: Point) -> None:
        """A card face down; with its number where it stands for several."""
        self._paste(sprites.back(card), *spot)
        if slot.kind == "reserve" or (slot.kind == "tableau" and not slot.fans):
            middle = spot.x + card[0] / 2, spot.y + card[1] / 2
            self.centre(sprites.number(pile.down, card[0]), *middle)

    def _single(self, slot: Slot, pile: Pile, card: Size, spot: Point) -> None:
        """The top card alone."""
        top = pile.up[-1]
        self._paste(sprites.face(top, self._colours[top[-1]], card, home=bool(slot.goal)), *spot)

    def _paste(self, image: Image.Image, x: float, y: float) -> None:
        self._canvas.paste(image, (round(x), round(y)), image)

    def centre(self, image: Image.Image, x: float, y: float) -> None:
        """An image with its middle at a point."""
        self._paste(image, x - image.width / 2, y - image.height / 2)
