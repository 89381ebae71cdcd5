"""Cards and packs.

A card is its written name, rank then suit: ``10H``, ``KD``. The rules, the wire and the log all use
this name, so nothing needs to be converted.
"""

from typing import Final, NewType

Card = NewType("Card", str)

SUITS: Final = "CDHS"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

PACK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""One pack, sorted: suits C D H S, in each the ranks A 2 … K."""

ABOVE: Final[dict[Card, Card]] = {
    PACK[first + i]: PACK[first + (i + 1) % len(RANKS)]
    for first in range(0, len(PACK), len(RANKS))
    for i in range(len(RANKS))
}
"""The card of the same suit one rank higher; A follows K."""

BELOW: Final[dict[Card, Card]] = {higher: card for card, higher in ABOVE.items()}
"""The card of the same suit one rank lower; K is below A."""

RANK: Final[dict[Card, int]] = {name: i % len(RANKS) + 1 for i, name in enumerate(PACK)}
"""Every card's rank as a number: A is 1, J 11, Q 12 and K 13."""

_OF_THE_PACK: Final = {name: name for name in PACK}

UNKNOWN: Final = Card("??")
"""A face-down card that the player has not seen."""


def card(text: str) -> Card:
    """The card written as ``text``, in upper or lower case. Raises ValueError if it is none."""
    name = Card(text.strip().upper())
    if name not in ABOVE:
        raise ValueError(f"{text[:20]!r} is not a card; cards are written like 10H or KD")
    # The pack's own string: equal strings compare faster when they are one object.
    return _OF_THE_PACK[name]
