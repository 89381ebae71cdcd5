"""Why a move is good, in sentences made from what the player sees."""

from collections.abc import Iterable, Iterator
from typing import Final

from bigben_rules import Card, Game, Move, Pile, Position
from bigben_rules.cards import ABOVE
from bigben_rules.description import Slot
from bigben_rules.position import HAND, STOCK, WASTE

NO_CARD: Final = "No card can move now."
NO_HOME: Final = "No card can go home now, and a new card helps more than a build."
LATER: Final = "{} can still go home afterwards."
GAP: Final = (
    "{} can still go home afterwards; now it would open a gap, and then no card can be turned."
)
DEEP: Final = "The king must be turned last, so it goes under as many cards as possible."
OUT_OF_THE_WAY: Final = "A card at home is out of the way."
IN_ORDER: Final = "They lie in the order in which they go home."
SAMPLED: Final = "In trial games with the unseen cards shuffled, this brings most cards home."


class Why:
    """Says what a legal move does, and what is good about it, in one position of a game."""

    def __init__(self, game: Game, position: Position, *, tried: bool) -> None:
        """``tried`` is whether the move was found by trial games."""
        self._position = position
        self._last = SAMPLED if tried else ""
        self._piles = position.piles()
        self._slots = {slot.pile: slot for slot in game.description.slots}
        self._legal = position.legal_moves()

    def action(self, move: Move) -> str:
        """What the player does."""
        source, target, depth = move
        if STOCK in (source, target):
            return self._from_stock(move)
        if source == HAND:
            return _from_hand(self._top(HAND), target, depth)
        card, onto = self._top(source), self._top(target)
        if self._is_home(target):
            return f"Play {card} home."
        return f"Build {card} on {onto}." if onto else f"Put {card} into the empty column {target}."

    def reason(self, move: Move) -> str:
        """What is good about it; what matters most, alone."""
        if move.source == HAND:
            return "" if move.target == HAND else DEEP
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

    def _from_stock(self, move: Move) -> str:
        if move.target == STOCK and move.source == WASTE:
            return "Turn the waste over."
        return "Turn a card." if move.target == WASTE else "Refill the gaps."

    def _reason_of_stock(self, move: Move) -> str:
        cards = [other for other in self._legal if STOCK not in other[:2]]
        if not cards:
            return NO_CARD
        if not any(self._is_home(other.target) for other in cards):
            return NO_HOME
        return next(self._reasons_to_wait(move, cards), self._last)

    def _reasons_to_wait(self, move: Move, cards: Iterable[Move]) -> Iterator[str]:
        """Why a card that can go home does not go yet: the best reason first, if there is one."""
        staying = [
            other
            for other in cards
            if self._is_home(other.target) and self._stays(other.source, move)
        ]
        for other in staying:
            if move not in self._position.apply(other)[0].legal_moves():
                yield GAP.format(self._top(other.source))
        for other in staying:
            yield LATER.format(self._top(other.source))

    def _stays(self, pile: Pile, move: Move) -> bool:
        """Whether the top of a pile is still its top after a stock action."""
        if move.target == WASTE:
            return pile != WASTE
        slot = self._slots[pile]
        return slot.place == "column" or pile == WASTE or len(self._piles[pile].up) >= slot.size

    # A card

    def _reasons(self, move: Move, after: Position) -> Iterator[str]:
        """The reasons for moving a card, the best first; there is always one."""
        home = self._is_home(move.target)
        yield from self._opened(move, after, home=home)
        yield from self._emptied(move, after)
        if home:
            yield OUT_OF_THE_WAY
        elif self._goes_home_in_order(move):
            yield IN_ORDER
        yield self._last

    def _opened(self, move: Move, after: Position, *, home: bool) -> Iterator[str]:
        """What can move only then."""
        piles, legal = after.piles(), after.legal_moves()
        under = piles[move.source].up
        follows = [other for other in legal if other not in self._legal]
        own = [other for other in legal if other.source == move.source]
        if under and any(self._is_home(other.target) for other in own):
            yield f"Under it, {under[-1]} can go home too."
        for other in follows:
            if home and other.target == move.target and other.source != move.source:
                yield f"Then {piles[other.source].up[-1]} can follow {self._from(other.source)}."
        for other in own:
            if under and piles[other.target].up:
                onto, place = piles[other.target].up[-1], self._in(other.target)
                yield f"Under it lies {under[-1]}, which can then go on {onto} {place}."
        for other in follows:
            if under and other.target == move.source and other.source not in (move.target, STOCK):
                card, place = piles[other.source].up[-1], self._from(other.source)
                yield f"Under it lies {under[-1]}, on which {card} can then go {place}."
        for card in reversed(under[:-1]):
            if card in self._wanted(after):
                place = self._in(move.source)
                yield f"{card} waits {place}: a foundation needs it next."

    def _wanted(self, position: Position) -> set[Card]:
        """The cards that foundations take next, of which the layout says so."""
        tops = [(slot, position.pile(slot.pile).up) for slot in self._slots.values()]
        return {ABOVE[up[-1]] for slot, up in tops if slot.goal in ABOVE and up[-1] != slot.goal}

    def _emptied(self, move: Move, after: Position) -> Iterator[str]:
        slot, up = self._slots[move.source], after.pile(move.source).up
        if len(up) < slot.size and after.pile(STOCK).down:
            yield f"A refill then brings a new card to fan {slot.pile}."
        if slot.place == "column" and not up:
            yield f"Column {slot.pile} is then empty, and takes any card."

    def _goes_home_in_order(self, move: Move) -> bool:
        card, onto = self._top(move.source), self._top(move.target)
        return card is not None and ABOVE[card] == onto

    def _in(self, pile: Pile) -> str:
        return f"in {_named(self._slots[pile])}"

    def _from(self, pile: Pile) -> str:
        return f"from {_named(self._slots[pile])}"


def _from_hand(card: Card | None, target: Pile, depth: int) -> str:
    if target == HAND:
        return "Turn the next card."
    if depth == 1:
        return f"Exchange {card} for the top card of pile {target}."
    return f"Exchange {card} for card {depth} of pile {target}, counted from its top."


def _named(slot: Slot) -> str:
    if slot.kind == "waste":
        return "the waste"
    return f"column {slot.pile}" if slot.place == "column" else f"fan {slot.pile}"
