"""A ``Game`` of the Clock kind, made from its deal and its layout."""

from collections.abc import Mapping, Sequence
from typing import Final

from bigben_rules.cards import PACK, RANK, RANKS, UNKNOWN, Card
from bigben_rules.clock_kind import text as written
from bigben_rules.clock_kind.moves import PILES, SIZE
from bigben_rules.clock_kind.position import INDEX, Piles, Position, Setup
from bigben_rules.description import Deal, Description, Fans, Place, Slot, Typed
from bigben_rules.game import PlainReader, Reader
from bigben_rules.packs import check_cards, check_order
from bigben_rules.position import HAND, Cards, Pile

_TURN: Final = Typed("turn", "move.tuck", tap=HAND)
_SWAPS: Final = (Typed("swap 7", "move.swap"), Typed("swap 7 2", "move.swap_depth"))


def reserve(
    pile: Pile, place: Place, at: int, row: int = 1, *, fans: Fans, label: str = ""
) -> Slot:
    """The place of a pile; its label is the rank that it collects if no other is given."""
    rank = RANKS[INDEX[pile]]
    return Slot(pile, "reserve", place, at, row, fans, label or rank, goal=rank)


class ClockKind:
    """Thirteen piles of four face-down cards; each exposed card goes under the pile of its rank."""

    pack = PACK
    total = len(PACK)
    variants = written.VARIANTS.names
    rules = staticmethod(written.VARIANTS.name)

    def __init__(self, setup: Setup, slots: Sequence[Slot]) -> None:
        """``slots`` has the places of the piles 1 … 13 and then that of the exposed card."""
        self.name = setup.name
        self.description = Description(
            setup.name,
            self.total,
            decides=setup.swaps > 0,
            choices=(),
            presets=self.variants,
            slots=tuple(slots),
            moves=(_TURN, *(_SWAPS if setup.swaps else ())),
            deal=Deal(packs=1, laid=(), dealt=setup.deals, down=PILES),
        )
        self._setup = setup

    def deal(self, order: Sequence[Card], rules: str = "standard") -> Position:
        """Every card to its pile, face down. ``order`` is one pack. Raises ValueError."""
        self.rules(rules)
        check_order(order, PACK, f"a deal of {self.name} has {len(PACK)} cards")
        piles = self.description.deal.piles(order)
        tucked: Piles = ((),) * len(PILES)
        dealt = tuple(piles[pile] for pile in PILES)
        return Position(self._setup, tucked, dealt, None, self._setup.swaps)

    def read(self, text: str) -> Position:
        """The position written by ``Position.text``. Raises ValueError with a sentence."""
        return self._checked(Position(self._setup, *written.fields(self.name, text)))

    def seen(self, piles: Mapping[Pile, Cards], rules: str = "standard") -> Position:
        """The position with these piles, all face-down cards unknown. Raises ValueError.

        The piles do not tell whether an exchange was made, so it can still be made here. For the
        player that changes nothing: the deciding card that comes again ends the game.
        """
        self.rules(rules)
        try:
            tucked = tuple(tuple(piles[pile].up) for pile in PILES)
            down = tuple((UNKNOWN,) * piles[pile].down for pile in PILES)
            hand = tuple(piles[HAND].up)
        except KeyError as error:
            raise ValueError(f"pile {error} is missing") from None
        if len(hand) > 1:
            raise ValueError(f"there is one exposed card, not {len(hand)}")
        exposed = hand[0] if hand else None
        return self._checked(Position(self._setup, tucked, down, exposed, self._setup.swaps))

    def reader(self, rules: str) -> Reader:
        return PlainReader()

    def _checked(self, position: Position) -> Position:
        """The position. Raises ValueError if it can't come from a deal of one pack."""
        tucked = [card for cards in position.tucked for card in cards]
        hand = [position.hand] if position.hand else []
        down = [card for cards in position.down for card in cards]
        check_cards([*tucked, *hand], down, game=self.name)
        for pile, under, above in zip(PILES, position.tucked, position.down, strict=True):
            for card in under:
                if RANK[card] != int(pile):
                    raise ValueError(f"{card} is never tucked under pile {pile}")
            size = SIZE - (pile == self._setup.first and bool(hand))
            if len(under) + len(above) != size:
                raise ValueError(f"pile {pile} has {size} cards, not {len(under) + len(above)}")
        if tucked and not hand:
            raise ValueError("a card is tucked, so another one is exposed")
        if position.swaps > self._setup.swaps:
            raise ValueError(f"{self.name} has no {position.swaps} exchanges")
        return position
