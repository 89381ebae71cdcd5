"""How far a position is from being lost: what the search for a winning line tries to make small."""

from typing import Final, NamedTuple

from bigben_rules.bigben.layout import FOUNDATION
from bigben_solver.big_ben.table import COUNT_1, COUNT_2, HOUR_1, HOUR_2, NO_CARD, NUMBER, TARGETS

WANTED: Final = [
    bytes([*(NUMBER[card] for card in cards), NO_CARD]) for cards in FOUNDATION.values()
]
"""By foundation: its cards, and then ``NO_CARD``, which is what a complete one wants."""

DEPTH: Final = [min(COUNT_1[card], COUNT_2[card]) for card in range(NO_CARD)]
"""How many cards a foundation has before it takes the card; the smaller one of two."""


class Weights(NamedTuple):
    """What each part of the score counts."""

    set_aside: float
    waste: float
    fans_turned: float
    waste_turned: float
    chance: float
    """The most that chance adds; it makes one search unlike the next."""


USUAL: Final = Weights(6.0, 1.6, 0.17, 0.29, 1.0)

FOUNDATIONS: Final = bytes(range(12))
_DEEP: Final = 99
"""More cards than any pile has."""


def set_aside(
    home: bytes,
    fans: tuple[bytes, ...],
    waste: bytes,
    loose: bytes,
    order: bytes,
    plays: list[int] | None = None,
) -> int:
    """Cards that must be set aside so that all others go home, if nothing is built.

    Cards go home as long as any can; then the fewest are set aside that bare a card which can, and
    so on. ``loose`` counts the cards of the stock by number; they and those that are set aside may
    go home in any order. ``order`` has the foundations; the last one is tried first. With an empty
    stock 0 means that the game is won; ``plays`` gets the moves that win it.
    """
    have = list(home)
    left = bytearray(loose)
    first = bytearray(NO_CARD + 1)
    second = bytearray(NO_CARD + 1)
    piles = (*fans, waste)
    depth = [len(pile) for pile in piles]
    remaining = sum(depth)
    cost = 0
    for i, pile in enumerate(piles, 1):
        if pile:
            card = pile[-1]
            if first[card]:
                second[card] = i
            else:
                first[card] = i
    work = list(order)
    while remaining:
        while work:
            foundation = work.pop()
            wanted = WANTED[foundation]
            count = have[foundation]
            while True:
                card = wanted[count]
                i = first[card]
                if i:
                    if plays is not None:
                        plays.append((i - 1) * TARGETS + foundation)
                    remaining -= 1
                    if not remaining:
                        return cost
                    first[card] = second[card]
                    second[card] = 0
                    size = depth[i - 1] - 1
                    depth[i - 1] = size
                    if size:
                        top = piles[i - 1][size - 1]
                        if first[top]:
                            second[top] = i
                        else:
                            first[top] = i
                        other = HOUR_1[top]
                        if other != foundation and have[other] == COUNT_1[top]:
                            work.append(other)
                        other = HOUR_2[top]
                        if other != foundation and have[other] == COUNT_2[top]:
                            work.append(other)
                elif left[card]:
                    left[card] -= 1
                else:
                    break
                count += 1
            have[foundation] = count
        i, above = _nearest(piles, depth, have)
        if above == _DEEP:
            return cost + remaining
        cost += above
        remaining -= above
        pile = piles[i]
        size = depth[i] - above
        depth[i] = size
        i += 1
        card = pile[size + above - 1]
        if first[card] == i:
            first[card] = second[card]
        second[card] = 0
        card = pile[size - 1]
        if first[card]:
            second[card] = i
        else:
            first[card] = i
        for card in pile[size - 1 : size + above]:
            if have[HOUR_1[card]] == COUNT_1[card]:
                work.append(HOUR_1[card])
            if have[HOUR_2[card]] == COUNT_2[card]:
                work.append(HOUR_2[card])
        for card in pile[size : size + above]:
            left[card] += 1
    return cost


def _nearest(piles: tuple[bytes, ...], depth: list[int], have: list[int]) -> tuple[int, int]:
    """The pile in which the fewest cards lie above one that can go home, and how many they are."""
    wanted = bytearray(NO_CARD + 1)
    for foundation in FOUNDATIONS:
        wanted[WANTED[foundation][have[foundation]]] = 1
    deep = [i for i in range(len(piles)) if depth[i] > 1]
    above = 0
    while deep:
        above += 1
        for i in deep:
            if wanted[piles[i][depth[i] - 1 - above]]:
                return i, above
        deep = [i for i in deep if depth[i] > above + 1]
    return 0, _DEEP


_TURNED: dict[bytes, int] = {}


def turned(pile: bytes) -> int:
    """The pairs of a pile of which the upper card is needed later than the lower one."""
    found = _TURNED.get(pile)
    if found is None:
        if len(_TURNED) > 200_000:
            _TURNED.clear()
        found = 0
        if len(pile) > 1:
            top = DEPTH[pile[-1]]
            found = turned(pile[:-1])
            for card in pile:
                if DEPTH[card] < top:
                    found += 1
        _TURNED[pile] = found
    return found
