"""The refill of Big Ben: which fans are short, and the order in which they get cards."""

from collections.abc import Sequence
from functools import lru_cache

from bigben_rules.bigben.layout import CLOCKWISE, FAN_SIZE, Hour
from bigben_rules.bigben.variants import Refill
from bigben_rules.cards import Card


def gaps_of(fans: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """The number of gaps of each fan."""
    return tuple([FAN_SIZE - len(fan) if len(fan) < FAN_SIZE else 0 for fan in fans])


@lru_cache(4096)  # few fans are short at a time; a known order takes half of making it again
def refill_order(gaps: tuple[int, ...], refill: Refill) -> tuple[Hour, ...]:
    """The fans that get the next cards, in order, until none is short.

    >>> refill_order((2, 0, 1, *[0] * 9), "laps"), refill_order((2, 0, 1, *[0] * 9), "fans")
    ((1, 3, 1), (1, 1, 3))
    """
    short = [(hour, gaps[hour - 1]) for hour in CLOCKWISE if gaps[hour - 1]]
    if refill == "laps":
        return tuple(hour for lap in range(FAN_SIZE) for hour, count in short if count > lap)
    return tuple(hour for hour, count in short for _ in range(count))
