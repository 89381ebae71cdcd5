"""Big Ben as a ``Game``: its deal, and positions made from text or from what a player sees."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bigben_rules.bigben import text as line
from bigben_rules.bigben.layout import CLOCKWISE, FAN_SIZE, FOUNDATION, HOURS, SHUFFLED, TOTAL
from bigben_rules.bigben.moves import FAN, HOME
from bigben_rules.bigben.position import Position
from bigben_rules.bigben.variants import RULES, rules_name
from bigben_rules.cards import ABOVE, PACK, UNKNOWN, Card
from bigben_rules.game import STOCK, WASTE, Cards, Pile

DEALT: Final = FAN_SIZE * len(HOURS)
"""The number of cards in the fans when the game begins, 36; the other 56 are the stock."""


def deal(order: Sequence[Card], rules: str = "standard") -> Position:
    """Three laps of one card to each fan, clockwise from 12; the rest is the stock.

    ``order`` is the 92 shuffled cards, first dealt first. Raises ValueError for other cards.
    """
    if Counter(order) != Counter(SHUFFLED):
        raise ValueError(
            f"a deal of Big Ben has {len(SHUFFLED)} cards: two packs without the first copy of "
            f"the twelve foundation cards; {_difference(order)}"
        )
    laps = [order[start : start + len(HOURS)] for start in range(0, DEALT, len(HOURS))]
    fan_at = dict(zip(CLOCKWISE, zip(*laps, strict=True), strict=True))
    fans = tuple(fan_at[hour] for hour in HOURS)
    return Position(rules_name(rules), (1,) * len(HOURS), fans, (), tuple(order[DEALT:]))


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
    count = len(seen_cards) + len(position.stock)
    if count != TOTAL:
        raise ValueError(f"a position of Big Ben has {TOTAL} cards, not {count}")
    stock = [name for name in position.stock if name != UNKNOWN]
    for name, count in Counter(seen_cards + stock).items():
        if name not in ABOVE:
            raise ValueError(f"{str(name)[:20]!r} is not a card")
        if count > 2:
            raise ValueError(f"{name} is there {count} times; two packs hold it twice")


def _difference(order: Sequence[Card]) -> str:
    """What is wrong with an order, in words."""
    if len(order) != len(SHUFFLED):
        return f"this order has {len(order)}"
    unknown = [name for name in order if name not in PACK]
    if unknown:
        return f"{str(unknown[0])[:20]!r} is not a card"
    extra = next(iter(Counter(order) - Counter(SHUFFLED)))
    return f"{extra} is there once too often"


class BigBen:
    """Two packs on a clock, twelve fans of three, a refill and a waste."""

    name = line.NAME
    pack = SHUFFLED
    total = TOTAL
    variants = tuple(RULES)
    rules = staticmethod(rules_name)
    deal = staticmethod(deal)
    read = staticmethod(read)
    seen = staticmethod(seen)
