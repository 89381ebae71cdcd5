"""Big Ben as a ``Game``: its deal, and positions made from text or from what a player sees."""

from collections.abc import Mapping, Sequence
from typing import Final

from bigben_rules.bigben import text as line
from bigben_rules.bigben.board import Board
from bigben_rules.bigben.description import DESCRIPTION
from bigben_rules.bigben.layout import FOUNDATION, HOURS, SHUFFLED, TOTAL
from bigben_rules.bigben.moves import FAN, HOME
from bigben_rules.bigben.position import Position
from bigben_rules.bigben.variants import RULES, rules_name
from bigben_rules.cards import UNKNOWN, Card
from bigben_rules.game import Reader
from bigben_rules.packs import check_cards, check_order
from bigben_rules.position import STOCK, WASTE, Cards, Pile

_DEAL: Final = (
    f"a deal of Big Ben has {len(SHUFFLED)} cards: two packs without the first copy of the twelve "
    "foundation cards"
)


def deal(order: Sequence[Card], rules: str = "standard") -> Position:
    """Three laps of one card to each fan, clockwise from 12; the rest is the stock.

    ``order`` is the 92 shuffled cards, first dealt first. Raises ValueError for other cards.
    """
    check_order(order, SHUFFLED, _DEAL)
    piles = DESCRIPTION.deal.piles(order)
    fans = tuple(piles[FAN[hour]] for hour in HOURS)
    return Position(rules_name(rules), (1,) * len(HOURS), fans, (), piles[STOCK])


def read(text: str) -> Position:
    """The position written by ``Position.text``. Raises ValueError with a sentence."""
    position = Position(*line.fields(text))
    _check(position)
    return position


def seen(piles: Mapping[Pile, Cards], rules: str = "standard") -> Position:
    """The position with these piles and an unknown stock. Raises ValueError."""
    try:
        position = Position(
            rules_name(rules),
            tuple(len(piles[HOME[hour]].up) for hour in HOURS),
            tuple(tuple(piles[FAN[hour]].up) for hour in HOURS),
            tuple(piles[WASTE].up),
            (UNKNOWN,) * piles[STOCK].down,
        )
    except KeyError as error:
        raise ValueError(f"pile {error} is missing") from None
    for hour in HOURS:
        cards = tuple(piles[HOME[hour]].up)
        if not cards or cards != FOUNDATION[hour][: len(cards)]:
            raise ValueError(f"these cards never lie on the foundation at {hour}")
    _check(position)
    return position


def _check(position: Position) -> None:
    """Raises ValueError unless the cards are two packs; the stock's cards may be unknown."""
    home = [
        name
        for hour, count in zip(HOURS, position.foundations, strict=True)
        for name in FOUNDATION[hour][:count]
    ]
    seen_cards = [*home, *position.waste, *(name for fan in position.fans for name in fan)]
    check_cards(seen_cards, position.stock, packs=2, game="Big Ben")


class BigBen:
    """Two packs on a clock, twelve fans of three, a refill and a waste."""

    name = line.NAME
    pack = SHUFFLED
    total = TOTAL
    variants = tuple(RULES)
    description = DESCRIPTION
    rules = staticmethod(rules_name)
    deal = staticmethod(deal)
    read = staticmethod(read)
    seen = staticmethod(seen)

    def reader(self, rules: str) -> Reader:
        return Board(rules)
