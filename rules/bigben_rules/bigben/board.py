"""The reading of a game in play, kept from one position to the next.

A move changes two piles of 26. A ``Board`` looks only at piles that are other objects than before,
and it knows which card each pile wants, so it tries no moves. It decides nothing: ``plain_reading``
says what is right, and a property test holds the two equal. A reading takes 7 us instead of 50.
"""

from functools import cache, lru_cache
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Final

from bigben_rules.bigben.layout import FAN_SIZE, FOUNDATION, HOURS
from bigben_rules.bigben.moves import HOME, PILES, SOURCES, format_move, stock_moves
from bigben_rules.bigben.tables import TEXTS
from bigben_rules.bigben.variants import RULES, Turn
from bigben_rules.cards import BELOW, PACK
from bigben_rules.game import STOCK, Reading, pile_text

if TYPE_CHECKING:
    from bigben_rules.bigben.position import Position

_ALL: Final = range(len(PILES))
"""The indices of piles: the foundations by hour, the fans by hour, the waste and the stock."""
_FANS: Final = len(HOURS)
_WASTE: Final = 2 * len(HOURS)

_NUMBER: Final = {card: number for number, card in enumerate(PACK)}
_BELOW: Final = [_NUMBER[BELOW[card]] for card in PACK]
_GAP, _NOTHING, _NO_CARD = range(len(PACK), len(PACK) + 3)
"""Like numbers of cards: what a short fan wants, what a complete foundation wants, and the top of
an empty pile."""

_FOUNDATIONS: Final = [
    [
        (pile_text(HOME[hour], cards[:count]), _NUMBER[cards[count]] if cards[count:] else _NOTHING)
        for count in range(len(cards) + 1)
    ]
    for hour, cards in FOUNDATION.items()
]
"""By index and number of cards: a foundation as text, and what it wants."""

_STOCKS: Final = [pile_text(STOCK, (), count) for count in range(2 * len(PACK))]


class Board:
    """What follows from the piles of the position that was read last."""

    __slots__ = ("_piles", "_reading", "_takers", "_texts", "_tops", "_wants")

    def __init__(self) -> None:
        self._reading = Reading((), "")
        self._piles: tuple[object, ...] = (None,) * len(PILES)
        self._texts = [""] * len(PILES)
        self._tops = [_NO_CARD] * len(SOURCES)
        """The top of each fan, then that of the waste; all cards are numbers here."""
        self._wants = [_NOTHING] * _WASTE
        """The card that each foundation wants, and then each fan."""
        self._takers = [0] * (_NO_CARD + 1)
        self._takers[_NOTHING] = (1 << _WASTE) - 1
        """By card: the set of foundations and fans that want it. Bit i stands for index i."""

    def reading(self, position: "Position") -> Reading:
        """The reading of any position; fast if few piles are new."""
        piles = (*position.foundations, *position.fans, position.waste, position.stock)
        if new := tuple(compress(_ALL, map(is_not, piles, self._piles))):
            for i in new:
                self._look(position, i)
            self._piles = piles
            self._reading = Reading(self._legal(position), " ".join(self._texts))
        return self._reading

    def _look(self, position: "Position", i: int) -> None:
        """Look at the pile with this index."""
        if i < _FANS:
            self._texts[i], card = _FOUNDATIONS[i][position.foundations[i]]
            self._want(i, card)
        elif i < _WASTE:
            fan = position.fans[i - _FANS]
            self._texts[i] = pile_text(PILES[i], fan)
            top = self._tops[i - _FANS] = _NUMBER[fan[-1]] if fan else _NO_CARD
            self._want(i, _BELOW[top] if len(fan) >= FAN_SIZE else _GAP)
        elif i == _WASTE:
            self._texts[i] = pile_text(PILES[i], position.waste)
            self._tops[-1] = _NUMBER[position.waste[-1]] if position.waste else _NO_CARD
        else:
            self._texts[i] = _STOCKS[len(position.stock)]

    def _want(self, target: int, card: int) -> None:
        """Note which card a foundation or a fan wants now."""
        bit = 1 << target
        self._takers[self._wants[target]] ^= bit
        self._takers[card] ^= bit
        self._wants[target] = card

    def _legal(self, position: "Position") -> tuple[str, ...]:
        rules, takers = RULES[position.rules], self._takers
        legal: list[str] = []
        for source, card in enumerate(self._tops):
            if takers[card]:
                legal += _texts(rules.waste, source, takers[card])
        if position.stock:
            legal += _stock_texts(rules.turn, takers[_GAP] > 0, not legal)
        return tuple(legal)


@lru_cache(4096)  # few of all the possible sets are common
def _texts(waste: str, source: int, targets: int) -> tuple[str, ...]:
    """The moves from a source to a set of targets."""
    texts = TEXTS[waste][source]
    return tuple(text for target, text in enumerate(texts) if text and targets >> target & 1)


@cache
def _stock_texts(turn: Turn, short: bool, stuck: bool) -> tuple[str, ...]:
    return tuple(map(format_move, stock_moves(turn, short=short, stuck=stuck)))
