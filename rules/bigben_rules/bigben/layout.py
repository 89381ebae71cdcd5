"""The clock of Big Ben: its hours, their foundations, and the order of dealing."""

from collections.abc import Mapping
from typing import Final, NewType

from bigben_rules.cards import ABOVE, PACK, Card, card

Hour = NewType("Hour", int)
"""1 … 12."""

HOURS: Final = tuple(Hour(hour) for hour in range(1, 13))

CLOCKWISE: Final[tuple[Hour, ...]] = (HOURS[11], *HOURS[:11])
"""The order of dealing: clockwise from 12."""

FAN_SIZE: Final = 3
"""How many cards a fan is dealt, and how many it must have before a card is built on it."""


def _foundation(start: str, end: str) -> tuple[Card, ...]:
    cards = [card(start)]
    while cards[-1] != end:
        cards.append(ABOVE[cards[-1]])
    return tuple(cards)


FOUNDATION: Final[Mapping[Hour, tuple[Card, ...]]] = {
    HOURS[hour - 1]: _foundation(start, end)
    for hour, start, end in (
        (1, "6C", "AC"),
        (2, "7H", "2H"),
        (3, "8S", "3S"),
        (4, "9D", "4D"),
        (5, "10C", "5C"),
        (6, "JH", "6H"),
        (7, "QS", "7S"),
        (8, "KD", "8D"),
        (9, "2C", "9C"),
        (10, "3H", "10H"),
        (11, "4S", "JS"),
        (12, "5D", "QD"),
    )
}
"""Every foundation when it is complete, first card first.

The book prints the jack of diamonds at six o'clock. That is impossible: with JH, hearts have
8 + 9 + 9 = 26 cards and diamonds 8 + 9 + 9 = 26; with JD a win would need 35 of 26 diamonds.
"""

TOTAL: Final = sum(len(cards) for cards in FOUNDATION.values())
"""Cards on the foundations when the game is won: both packs, 104."""

PLACES: Final[Mapping[Card, tuple[tuple[Hour, int], ...]]] = {
    name: tuple(
        (hour, cards.index(name))
        for hour, cards in FOUNDATION.items()
        if name in cards and name != cards[0]
    )
    for name in PACK
}
"""Where a card can go home: the hours, and how many cards each foundation must have before it."""

SHUFFLED: Final[tuple[Card, ...]] = (
    tuple(name for name in PACK if name not in {cards[0] for cards in FOUNDATION.values()}) + PACK
)
"""The 92 cards that are shuffled, sorted: the first copy of each foundation card is taken out."""
