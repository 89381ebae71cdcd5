"""One pile on a terminal: its name, and its cards in a line or one below the other."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from bigben_protocol import GameInfo, Pile, Slot, Step, View
from bigben_terminal.display.faces import SIGNS, Faces, colour
from bigben_terminal.language import game_text, inside, say

_SHOWN: Final = 4
"""How many cards are drawn in a line; of more cards, a count and the last three."""

_ALONE: Final = ("stock", "waste", "hand")
"""Kinds that need no label: their word is enough."""


def slot_name(slot: Slot) -> str:
    """The pile for people: ``Fan 3``, ``Foundation 9``, ``Waste``."""
    place = f".{slot.place}" if slot.kind == "tableau" else ""
    label = slot.label if slot.kind == "foundation" and slot.label else slot.pile
    return game_text(f"kind.{slot.kind}{place}", label=label)


def in_sentence(slot: Slot) -> str:
    """The pile inside a sentence: ``fan 3``, ``the waste``."""
    name = inside(slot_name(slot))
    return say("pile.the", pile=name) if slot.kind in _ALONE else name


def shows_all(slot: Slot) -> bool:
    """Whether all cards of a foundation can be seen: it fans, or the suits in it are open."""
    return bool(slot.fans) or slot.goal[-1:] not in SIGNS


def home_moves(game: GameInfo, legal: Sequence[str]) -> list[str]:
    """The legal moves that take a card to a foundation."""
    homes = {slot.pile for slot in game.slots if slot.kind == "foundation"}
    return [move for move in legal if move.split()[-1] in homes]


class Piles:
    """The piles of a view, as pieces of text."""

    def __init__(self, game: GameInfo, view: View, faces: Faces, last: Sequence[Step] = ()) -> None:
        """``last`` are the steps of the last move; the piles that got a card are marked."""
        self._piles = view.piles
        self._faces = faces
        self._touched = {step.target for step in last}
        self._playable = {move.split()[0] for move in home_moves(game, view.legal)}

    def head(self, slot: Slot) -> Text:
        """What stands before the cards: the pile's name in moves, and its label if that differs."""
        if slot.kind in _ALONE:
            return Text(inside(slot_name(slot))).append_text(self.mark(slot))
        if slot.kind == "foundation":
            return self.numeral(slot.label or slot.pile, slot)
        other = f" {slot.label}" if slot.label not in ("", slot.pile) else ""
        return self.numeral(f"{slot.pile}{other}", slot)

    def numeral(self, name: str, slot: Slot) -> Text:
        """A name for the pile, reversed and with a mark if the last move put a card there."""
        style = "bold reverse" if slot.pile in self._touched else "bold"
        return Text(name, style).append_text(self.mark(slot))

    def mark(self, slot: Slot) -> Text:
        """``*`` if the last move put a card on the pile."""
        return Text("*" if slot.pile in self._touched else "", "bold")

    def named(self, slot: Slot) -> Text:
        """``waste [7♥] +3``: the name, then the cards in a line."""
        if slot.kind in _ALONE:
            return Text(f"{inside(slot_name(slot))} ").append_text(self.marked_line(slot))
        return Text.assemble(self.head(slot), " ", self.line(slot))

    def marked_line(self, slot: Slot) -> Text:
        """The cards in a line, with a mark if the last move put one there."""
        return self.line(slot).append_text(self.mark(slot))

    def line(self, slot: Slot) -> Text:
        """The cards in a line, from the bottom to the top; of many the last ones."""
        pile = self._piles[slot.pile]
        match slot.kind:
            case "stock":
                return Text(str(pile.down))
            case "reserve":
                return self._cards(pile.up, [self._back(pile)] if pile.down else [])
            case "foundation":
                return self._foundation(slot, pile)
            case "waste" | "hand":
                return self._top(slot, pile)
            case "tableau":
                return self._fan(slot, pile)

    def lines(self, slot: Slot) -> list[Text]:
        """The cards one below the other: the top of a reserve first, that of other piles last."""
        pile = self._piles[slot.pile]
        backs = [self._back(pile)] if pile.down else []
        match slot.kind:
            case "reserve":
                return [*backs, *map(self._card, reversed(pile.up))] or [self._gap]
            case "tableau":
                return [*backs, *map(self._card, pile.up[:-1]), *self._tops(slot, pile)]
            case _:
                return [self.line(slot)]

    # Parts of a pile

    @property
    def _gap(self) -> Text:
        return Text(self._faces.gap, "dim")

    def _card(self, card: str) -> Text:
        return Text(self._faces.card(card), colour(card))

    def _back(self, pile: Pile) -> Text:
        return Text(f"{self._faces.back}{pile.down}", "dim")

    def _bold(self, slot: Slot, card: str) -> Text:
        reverse = " reverse" if slot.pile in self._playable else ""
        return Text(self._faces.card(card), f"bold {colour(card)}{reverse}")

    def _tops(self, slot: Slot, pile: Pile) -> list[Text]:
        return [self._bold(slot, card) for card in pile.up[-1:]] or [self._gap]

    def _cards(self, cards: Sequence[str], after: Sequence[Text] = ()) -> Text:
        """``+2 7♦ 7♣ ░2``: at most four pieces of the pile, and the number of the others."""
        room = _SHOWN - len(after)
        hidden = len(cards) - room + 1 if len(cards) > room else 0
        count = [Text(f"+{hidden}", "dim")] if hidden else []
        return Text(" ").join([*count, *map(self._card, cards[hidden:]), *after])

    def _fan(self, slot: Slot, pile: Pile) -> Text:
        """``+4 9♥ 8♥ [7♥]``: with the top in brackets, and gaps after it."""
        gaps = [self._gap] * max(not pile.up, slot.size - len(pile.up))
        tops = [Text.assemble("[", self._bold(slot, card), "]") for card in pile.up[-1:]]
        return Text(" ").join(filter(None, [self._cards(pile.up[:-1], tops), *gaps]))

    def _top(self, slot: Slot, pile: Pile) -> Text:
        """``[7♥] +3``: the top, and the number of cards under it."""
        if not pile.up:
            return self._gap
        shown = Text.assemble("[", self._bold(slot, pile.up[-1]), "]")
        return shown.append(f" +{len(pile.up) - 1}" if len(pile.up) > 1 else "", "dim")

    def _foundation(self, slot: Slot, pile: Pile) -> Text:
        """``4♠›J♠``: its top, and the card that completes it; or all cards if the suit is open."""
        if pile.up and shows_all(slot):
            return self._cards(pile.up)
        top = pile.up[-1] if pile.up else ""
        shown = Text(self._faces.card(top), f"bold {colour(top)}") if top else self._gap
        if top and top == slot.goal:
            return shown.append(f" {self._faces.done}", "green")
        if not slot.goal:
            return shown
        goal = self._faces.card(slot.goal) if slot.goal[-1:] in SIGNS else slot.goal
        return shown.append(f"{self._faces.to}{goal}", f"dim {colour(slot.goal)}")
