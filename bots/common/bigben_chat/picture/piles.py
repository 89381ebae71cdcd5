"""One pile on the board picture, by its kind: its cards, its label, and the marks of a move."""

from collections.abc import Collection, Mapping, Sequence

from PIL import Image

from bigben_chat.games import foundation_size
from bigben_chat.picture import sprites
from bigben_chat.picture.files import Colour
from bigben_chat.picture.page import Layout, Lie, Point, Size, Words, lie
from bigben_chat.texts import Say
from bigben_protocol import GameInfo, Pile, Slot, Step

_NAMED = ("stock", "waste")
"""Kinds that have their name and their number of cards below them, and no label."""


class Pen:
    """Draws piles on a canvas."""

    def __init__(
        self,
        canvas: Image.Image,
        game: GameInfo,
        layout: Layout,
        colours: Mapping[str, Colour],
        say: Say,
    ) -> None:
        self._canvas = canvas
        self._game = game
        self._layout = layout
        self._colours = colours
        self._say = say

    def pile(self, slot: Slot, pile: Pile) -> None:
        """All that the player sees of a pile."""
        berth = self._layout.berths[slot.pile]
        laid = lie(slot, pile, berth)
        for spot in laid.gaps:
            self._paste(sprites.gap(laid.card), *spot)
        plate = bool(slot.goal) and not berth.lead
        form = "goal" if plate else "row" if berth.along == "y" else "far"
        for number, spot in laid.cards:
            if number < 0:
                self._backs(slot, pile.down, laid.card, spot)
            else:
                card = pile.up[number]
                self._paste(sprites.card(card, self._colours[card[-1]], laid.card, form), *spot)
        if plate or (slot.goal and not pile.down):
            self._plate(slot, pile, laid, plate)
        if berth.label:
            self._label(slot, pile, berth.label, plate)

    def _plate(self, slot: Slot, pile: Pile, laid: Lie, plate: bool) -> None:
        """On a pile of which all cards are seen, a plate only when they are all there."""
        whole = foundation_size(self._game, slot)
        if plate or 0 < whole <= len(pile.up):
            spot = laid.cards[-1][1] if laid.cards else laid.gaps[0]
            suits = "".join(card[-1] for card in pile.up)
            self._paste(sprites.plate(slot.goal, suits, whole, laid.card), *spot)

    def marks(self, slot: Slot, pile: Pile, last: Sequence[Step], points: Collection[str]) -> None:
        """Brackets round what the last move has brought, or a frame round a card to point at."""
        laid = lie(slot, pile, self._layout.berths[slot.pile])
        spots = [spot for _, spot in laid.cards] or [*laid.gaps]
        frame = sprites.hint(laid.card)
        if slot.pile in points:
            self.centre(frame, spots[-1].x + laid.card[0] / 2, spots[-1].y + laid.card[1] / 2)
            return
        for spot in {laid.cards[number][1] for number in _new(slot, pile, laid, last)}:
            x, y = spot.x + laid.card[0] / 2, spot.y + laid.card[1] / 2
            self.centre(sprites.fresh(laid.card), x, y)

    def _label(self, slot: Slot, pile: Pile, at: Words, plate: bool) -> None:
        if slot.kind in _NAMED:
            count = pile.down if slot.kind == "stock" else len(pile.up)
            self.centre(sprites.label(str(count), 26, serif=True), at.x, at.y)
            name = self._say.game_text(f"kind.{slot.kind}")
            self.centre(sprites.caption(name), at.x, at.y + 25)
        elif slot.label and not plate:
            self.centre(sprites.label(slot.label, 29, sprites.RIM, serif=True), at.x, at.y)

    def _backs(self, slot: Slot, count: int, card: Size, spot: Point) -> None:
        """Cards face down as one, with their number if nothing else says it."""
        for under in range(min(2, count - 1), 0, -1):
            self._paste(sprites.edge(card), spot.x, spot.y + under * max(2, card[0] * 0.02))
        self._paste(sprites.back(card), *spot)
        if slot.kind != "stock":
            middle = spot.x + card[0] / 2, spot.y + card[0] * 0.24
            self.centre(sprites.number(count, card[0]), *middle)

    def _paste(self, image: Image.Image, x: float, y: float) -> None:
        self._canvas.paste(image, (round(x), round(y)), image)

    def centre(self, image: Image.Image, x: float, y: float) -> None:
        """An image with its middle at a point."""
        self._paste(image, x - image.width / 2, y - image.height / 2)


def _new(slot: Slot, pile: Pile, laid: Lie, last: Sequence[Step]) -> set[int]:
    """Which drawn cards the last move has brought; what covers them if none of them is seen."""
    hows = [step.how for step in last if step.target == slot.pile]
    under, down = hows.count("under"), hows.count("down")
    onto = min(len(pile.up), len(hows) - under - down)
    up = range(len(pile.up))
    brought = {*up[:under], *up[len(up) - onto :], *([-1] if down else [])}
    seen = {number for number, (card, _) in enumerate(laid.cards) if card in brought}
    return seen or ({len(laid.cards) - 1} if hows and laid.cards else set())
