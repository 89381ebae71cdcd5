"""The reader of Big Ben: it keeps from one position to the next what it has read.

A move changes two piles of 26, and a ``Board`` looks at no others. It knows which card each pile
wants, so it tries no moves. It decides nothing: ``Position.reading`` says what is right, and a
property test holds the two equal.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from bigben_rules import position as any_game
from bigben_rules.bigben.layout import FAN_SIZE, FOUNDATION, HOURS
from bigben_rules.bigben.moves import HOME, PILES, SOURCES
from bigben_rules.bigben.position import Position
from bigben_rules.bigben.tables import STOCK_TEXTS, TEXTS
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import BELOW, PACK
from bigben_rules.position import STOCK, Reading, Step, pile_text

_INDEX: Final = {pile: index for index, pile in enumerate(PILES)}
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

_LABELS: Final = [f"{pile}:" for pile in PILES]
_STOCKS: Final = [pile_text(STOCK, (), count) for count in range(2 * len(PACK))]


class _Texts(dict[int, tuple[str, ...]]):
    """The moves from one source by the set of their targets. Two packs make few such sets."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, targets: int) -> tuple[str, ...]:
        texts = (text for i, text in enumerate(self._texts) if text and targets >> i & 1)
        self[targets] = moves = tuple(texts)
        return moves


_MOVES: Final = {waste: [_Texts(texts) for texts in sources] for waste, sources in TEXTS.items()}
"""By the rules' ``waste``, and by source."""


class Board:
    """What follows from the piles of the position that was read last."""

    __slots__ = (
        "_is_new",
        "_moves",
        "_stock",
        "_stock_texts",
        "_takers",
        "_texts",
        "_tops",
        "_wants",
    )

    def __init__(self, rules: str) -> None:
        self._moves = _MOVES[RULES[rules].waste]
        self._stock_texts = STOCK_TEXTS[RULES[rules].turn]
        self._is_new = True
        self._stock = 0
        """The number of its cards."""
        self._texts = [""] * len(PILES)
        self._tops = [_NO_CARD] * len(SOURCES)
        """The top of each fan, then that of the waste; all cards are numbers here."""
        self._wants = [_NOTHING] * _WASTE
        """The card that each foundation wants, and then each fan."""
        self._takers = [0] * (_NO_CARD + 1)
        """By card: the set of foundations and fans that want it. Bit i stands for index i."""
        self._takers[_NOTHING] = (1 << _WASTE) - 1

    def read(self, position: any_game.Position, moved: Iterable[Step]) -> Reading:
        """The reading of the position to which ``moved`` leads; see ``Reader``."""
        assert isinstance(position, Position), "a board reads Big Ben alone"
        changed: Iterable[int] = range(len(PILES))
        if not self._is_new:
            changed = {_INDEX[pile] for step in moved for pile in (step.source, step.target)}
        self._is_new = False
        self._look(position, changed)
        return Reading(self._legal(), " ".join(self._texts))

    def _look(self, position: Position, indices: Iterable[int]) -> None:
        for i in indices:
            if i < _FANS:
                self._texts[i], wanted = _FOUNDATIONS[i][position.foundations[i]]
            elif i < _WASTE:
                fan = position.fans[i - _FANS]
                self._texts[i] = _LABELS[i] + ",".join(fan)
                top = self._tops[i - _FANS] = _NUMBER[fan[-1]] if fan else _NO_CARD
                wanted = _BELOW[top] if len(fan) >= FAN_SIZE else _GAP
            elif i == _WASTE:
                self._texts[i] = _LABELS[i] + ",".join(position.waste)
                self._tops[-1] = _NUMBER[position.waste[-1]] if position.waste else _NO_CARD
                continue
            else:
                self._stock = len(position.stock)
                self._texts[i] = _STOCKS[self._stock]
                continue
            bit = 1 << i
            self._takers[self._wants[i]] ^= bit
            self._takers[wanted] ^= bit
            self._wants[i] = wanted

    def _legal(self) -> tuple[str, ...]:
        takers, moves = self._takers, self._moves
        legal: list[str] = []
        for source, card in enumerate(self._tops):
            if takers[card]:
                legal += moves[source][takers[card]]
        if self._stock:
            legal += self._stock_texts[takers[_GAP] > 0][not legal]
        return tuple(legal)
