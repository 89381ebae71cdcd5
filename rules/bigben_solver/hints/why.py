"""Why a move is good, in sentences made from what the player sees."""

from collections.abc import Iterable, Iterator
from typing import Final

from bigben_rules import Card, Game, Move, Pile, Position, Sentence
from bigben_rules.cards import ABOVE
from bigben_rules.position import HAND, STOCK, WASTE
from bigben_rules.sentence import sentence

NO_CARD: Final = sentence("hint.no_card")
NO_HOME: Final = sentence("hint.no_home")
DEEP: Final = sentence("hint.deep")
OUT_OF_THE_WAY: Final = sentence("hint.out_of_the_way")
IN_ORDER: Final = sentence("hint.in_order")
SAMPLED: Final = sentence("hint.sampled")


class Why:
    """Says what a legal move does, and what is good about it, in one position of a game."""

    def __init__(self, game: Game, position: Position, *, tried: bool) -> None:
        """``tried`` is whether the move was found by trial games."""
        self._position = position
        self._last = SAMPLED if tried else None
        self._piles = position.piles()
        self._slots = {slot.pile: slot for slot in game.description.slots}
        self._legal = position.legal_moves()

    def action(self, move: Move) -> Sentence:
        """What the player does."""
        source, target, depth = move
        if STOCK in (source, target):
            return self._from_stock(move)
        if source == HAND:
            return self._from_hand(target, depth)
        card = self._piles[source].up[-1]
        if self._is_home(target):
            return sentence("hint.play", card=card)
        if onto := self._top(target):
            return sentence("hint.build", card=card, onto=onto)
        return sentence("hint.put", card=card, column=target)

    def reason(self, move: Move) -> Sentence | None:
        """What is good about it, if anything; what matters most, alone."""
        if move.source == HAND:
            return None if move.target == HAND else DEEP
        if STOCK in (move.source, move.target):
            return self._reason_of_stock(move)
        after, _ = self._position.apply(move)
        return next(self._reasons(move, after))

    def _top(self, pile: Pile) -> Card | None:
        up = self._piles[pile].up
        return up[-1] if up else None

    def _is_home(self, pile: Pile) -> bool:
        return self._slots[pile].kind == "foundation"

    # The stock

    def _from_stock(self, move: Move) -> Sentence:
        if move.target == STOCK and move.source == WASTE:
            return sentence("hint.redeal")
        return sentence("hint.turn" if move.target == WASTE else "hint.refill")

    def _from_hand(self, target: Pile, depth: int) -> Sentence:
        if target == HAND:
            return sentence("hint.turn_next")
        card = self._piles[HAND].up[-1]
        if depth == 1:
            return sentence("hint.exchange_top", card=card, pile=target)
        return sentence("hint.exchange", card=card, depth=depth, pile=target)

    def _reason_of_stock(self, move: Move) -> Sentence | None:
        cards = [other for other in self._legal if STOCK not in other[:2]]
        if not cards:
            return NO_CARD
        if not any(self._is_home(other.target) for other in cards):
            return NO_HOME
        return next(self._reasons_to_wait(move, cards), self._last)

    def _reasons_to_wait(self, move: Move, cards: Iterable[Move]) -> Iterator[Sentence | None]:
        """Why a card that can go home does not go yet: the best reason first, if there is one."""
        staying = [
            other
            for other in cards
            if self._is_home(other.target) and self._stays(other.source, move)
        ]
        for other in staying:
            if move not in self._position.apply(other)[0].legal_moves():
                yield sentence("hint.gap", card=self._piles[other.source].up[-1])
        for other in staying:
            yield sentence("hint.later", card=self._piles[other.source].up[-1])

    def _stays(self, pile: Pile, move: Move) -> bool:
        """Whether the top of a pile is still its top after a stock action."""
        if move.target == WASTE:
            return pile != WASTE
        slot = self._slots[pile]
        return slot.place == "column" or pile == WASTE or len(self._piles[pile].up) >= slot.size

    # A card

    def _reasons(self, move: Move, after: Position) -> Iterator[Sentence | None]:
        """The reasons for moving a card, the best first; there is always one."""
        home = self._is_home(move.target)
        yield from self._opened(move, after, home=home)
        yield from self._emptied(move, after)
        if home:
            yield OUT_OF_THE_WAY
        elif self._goes_home_in_order(move):
            yield IN_ORDER
        yield self._last

    def _opened(self, move: Move, after: Position, *, home: bool) -> Iterator[Sentence | None]:
        """What can move only then."""
        piles, legal = after.piles(), after.legal_moves()
        under = piles[move.source].up
        follows = [other for other in legal if other not in self._legal]
        own = [other for other in legal if other.source == move.source]
        if under and any(self._is_home(other.target) for other in own):
            yield sentence("hint.under_home", card=under[-1])
        for other in follows:
            if home and other.target == move.target and other.source != move.source:
                yield self._at("hint.follows", other.source, card=piles[other.source].up[-1])
        for other in own:
            if under and piles[other.target].up:
                onto = piles[other.target].up[-1]
                yield self._at("hint.under_goes", other.target, card=under[-1], onto=onto)
        for other in follows:
            if under and other.target == move.source and other.source not in (move.target, STOCK):
                card = piles[other.source].up[-1]
                yield self._at("hint.under_takes", other.source, onto=under[-1], card=card)
        for card in reversed(under[:-1]):
            if card in self._wanted(after):
                yield self._at("hint.waits", move.source, card=card)

    def _wanted(self, position: Position) -> set[Card]:
        """The cards that foundations take next, of which the layout says so."""
        tops = [(slot, position.pile(slot.pile).up) for slot in self._slots.values()]
        return {ABOVE[up[-1]] for slot, up in tops if slot.goal in ABOVE and up[-1] != slot.goal}

    def _emptied(self, move: Move, after: Position) -> Iterator[Sentence | None]:
        slot, up = self._slots[move.source], after.pile(move.source).up
        if len(up) < slot.size and after.pile(STOCK).down:
            yield sentence("hint.new_card", fan=slot.pile)
        if slot.place == "column" and not up:
            yield sentence("hint.empty_column", column=slot.pile)

    def _goes_home_in_order(self, move: Move) -> bool:
        card, onto = self._top(move.source), self._top(move.target)
        return card is not None and ABOVE[card] == onto

    def _at(self, text_id: str, pile: Pile, **cards: Card) -> Sentence:
        """The sentence about cards at a pile of this kind."""
        slot = self._slots[pile]
        if slot.kind == "waste":
            return sentence(f"{text_id}.waste", **cards)
        kind = "column" if slot.place == "column" else "fan"
        return sentence(f"{text_id}.{kind}", pile=pile, **cards)
