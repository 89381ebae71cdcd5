"""Plays Big Ben to its end in a simple, sensible way, at little cost.

A player who does not know the stock shuffles the unseen cards, plays out, and does so again.
"""

from random import Random
from typing import Final

from bigben_rules.bigben.layout import FAN_SIZE
from bigben_solver.big_ben.judging import WANTED
from bigben_solver.big_ben.table import (
    BELOW_OF,
    CLOCK,
    COMPLETE,
    COUNT_1,
    HOUR_1,
    HOUR_2,
    NO_CARD,
    STUCK,
    Table,
)

_ABOVE_OF: Final = bytes((*(BELOW_OF.index(card) for card in range(len(BELOW_OF))), 255, 255))
_BELOW_OF: Final = bytes((*BELOW_OF, 255))
_FORCED: Final = 8
"""Builds in a row that the rule ``stuck`` demands; then they only go back and forth."""


def unseen(table: Table) -> list[int]:
    """The cards that lie neither on a foundation nor in a fan nor in the waste, sorted."""
    left = [2] * NO_CARD
    for wants, count in zip(WANTED, table.home, strict=True):
        for card in wants[:count]:
            left[card] -= 1
    for pile in (*table.fans, table.waste):
        for card in pile:
            left[card] -= 1
    return [card for card, count in enumerate(left) for _ in range(count)]


def stocks(table: Table, rng: Random, count: int, known: bytes = b"") -> list[bytes]:
    """So many possible stocks: the unseen cards, shuffled, after those that are ``known``.

    The table's own stock is not read.

    The same state of ``rng`` gives the same stocks in every version of Python: of its methods only
    ``random`` promises that.
    """
    cards, number = unseen(table), rng.random
    for card in known:
        cards.remove(card)
    return [known + bytes(sorted(cards, key=lambda _: number())) for _ in range(count)]


def played_out(table: Table, stock: bytes) -> int:
    """Cards home when the rest is played with this stock; the table does not change.

    Home if anything fits; else a build of a card that is not in sequence; else a refill or a turn.
    """
    # Piles begin with a card that is none, so that each has a top.
    fans = [[NO_CARD, *fan] for fan in table.fans]
    waste = [NO_CARD, *table.waste]
    piles = [*fans, waste]
    sources = piles if table.waste_builds else fans
    home = table.home[:]
    wanted = bytearray(NO_CARD + 1)
    for wants, count in zip(WANTED, home, strict=True):
        wanted[wants[count]] += 1
    wanted[NO_CARD] = 0
    at, end, forced = 0, len(stock), 0
    while True:
        _play_home(piles, home, wanted)
        takers = {_BELOW_OF[fan[-1]]: fan for fan in fans if len(fan) > FAN_SIZE}
        source = _best_build(sources, waste, takers, wanted)
        if source is None:
            if at == end:
                return sum(home)
            if min(map(len, fans)) <= FAN_SIZE:
                at = _refilled(fans, stock, at, laps=table.laps)
                forced = 0
                continue
            source = _any_build(sources, takers) if table.turn == STUCK else None
            if source is None:
                waste.append(stock[at])
                at += 1
                forced = 0
                continue
            forced += 1
            if forced > _FORCED:
                return sum(home)
        card = source.pop()
        takers[card].append(card)


def _play_home(piles: list[list[int]], home: list[int], wanted: bytearray) -> None:
    """Play all that fits, and then all that fits then."""
    moved = True
    while moved:
        moved = False
        for pile in piles:
            card = pile[-1]
            while wanted[card]:
                hour = HOUR_1[card]
                if wanted[card] > 1:  # both foundations want it: the longer way is never worse
                    other = HOUR_2[card]
                    if COMPLETE[other] - home[other] > COMPLETE[hour] - home[hour]:
                        hour = other
                elif home[hour] != COUNT_1[card]:
                    hour = HOUR_2[card]
                home[hour] += 1
                wanted[card] -= 1
                card = WANTED[hour][home[hour]]
                if card != NO_CARD:
                    wanted[card] += 1
                pile.pop()
                card = pile[-1]
                moved = True


def _best_build(
    sources: list[list[int]],
    waste: list[int],
    takers: dict[int, list[int]],
    wanted: bytearray,
) -> list[int] | None:
    """Whose top to build on another fan: one that bares a card for home, or that makes a gap.

    A fan of more cards than it is dealt ends in sequence, and cards in sequence stay.
    """
    best, found = 0, None
    for source in sources:
        card = source[-1]
        if card in takers:
            under = source[-2]
            if under == _ABOVE_OF[card]:
                continue
            if wanted[under]:
                return source
            # From a fan the fewer cards, the better.
            worth = 4 if source is waste else 8 - len(source)
            if worth > best:
                best, found = worth, source
    return found


def _any_build(sources: list[list[int]], takers: dict[int, list[int]]) -> list[int] | None:
    """Whose top can be built; one that makes a gap if there is one."""
    movable = [source for source in sources if source[-1] in takers]
    return min(movable, key=len, default=None)


def _refilled(fans: list[list[int]], stock: bytes, at: int, *, laps: bool) -> int:
    """Refill from the stock's card at that index. Returns the index of the next card."""
    for most in (1, 1, 1) if laps else (FAN_SIZE,):
        for index in CLOCK:
            fan = fans[index]
            gaps = FAN_SIZE + 1 - len(fan)
            if gaps > 0:
                dealt = stock[at : at + min(gaps, most)]
                fan.extend(dealt)
                at += len(dealt)
    return at
