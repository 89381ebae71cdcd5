"""The Clock kind, written a second time: deals, whole games, and deals made to measure.

It shares nothing with the rules, so a mistake there cannot agree with itself.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bigben_rules import GAMES, Card
from bigben_rules.cards import PACK
from bigben_rules.clock_kind import Position

KIND: Final = ("clock", "watch", "travellers", "hideandseek")
CLOCKWISE: Final = [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]
TO_THE_RIGHT: Final = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DEALING: Final = {
    "clock": CLOCKWISE * 4,
    "watch": CLOCKWISE * 4,
    "travellers": [*TO_THE_RIGHT * 4, 13, 13, 13, 13],
    "hideandseek": [*TO_THE_RIGHT, 13] * 4,
}
"""The piles in the order in which they are dealt to."""

NUMBERS: Final = {"A": 1, "J": 11, "Q": 12, "K": 13}


def pile_of(card: str) -> int:
    """The pile under which a card goes: Q = 12, K = 13."""
    rank = card[:-1]
    return NUMBERS.get(rank) or int(rank)


def dealt(name: str, piles: Mapping[int, str]) -> Position:
    """The deal in which these piles have these four cards, the bottom first.

    The other piles get the other cards of the pack in sorted order.
    """
    named = {pile: cards.split() for pile, cards in piles.items()}
    others = iter([card for card in PACK if all(card not in cards for cards in named.values())])
    full = {n: named.get(n) or [next(others) for _ in range(4)] for n in range(1, 14)}
    left = {pile: list(cards) for pile, cards in full.items()}
    order = [Card(left[pile].pop(0)) for pile in DEALING[name]]
    position = GAMES[name].deal(order, "standard")
    assert isinstance(position, Position)
    return position


class Played(NamedTuple):
    """How a game without exchange goes."""

    exposed: list[str]
    home: int
    won: bool


def played(name: str, order: list[Card]) -> Played:
    """The game of that order, by the sentences of the rules."""
    piles: dict[int, list[str]] = {pile: [] for pile in range(1, 14)}
    for pile, card in zip(DEALING[name], order, strict=True):
        piles[pile].append(card)
    rank, first = ("A", 1) if name == "hideandseek" else ("K", 13)
    exposed = [piles[first].pop()]
    tucked = 0
    while [card[:-1] for card in exposed].count(rank) < 4:
        tucked += 1
        exposed.append(piles[pile_of(exposed[-1])].pop())
    return Played(exposed, tucked + 1, not any(piles.values()))
