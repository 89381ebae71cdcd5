"""Points for a day: how much of the field a player left behind. No Redis, no clock.

All play the same deal, so the fair measure is the others, as in duplicate bridge: a hard deal is
hard for everybody, and a day with many players is worth as much as one with few.
"""

from collections.abc import Sequence
from typing import Final

from bigben_server.race.ranking import Key

MOST: Final = 100
LEAST: Final = 1
"""So that a day played badly is worth more than one not played."""


def points(keys: Sequence[Key]) -> list[int]:
    """The points of each key of a day, the best first; equal keys get the same.

    From 100 for being before everybody to 1 for being behind everybody, in proportion to the
    others left behind; those with an equal key count half. Alone: the middle.

    >>> points([Key(0, 60_000), Key(0, 90_000), Key(0, 90_000), Key(50, 10_000)])
    [100, 50, 50, 1]
    >>> points([Key(0, 60_000)])
    [50]
    """
    others = len(keys) - 1
    if not others:
        return [(LEAST + MOST) // 2]
    result: list[int] = []
    first = 0
    while first < len(keys):
        after = first
        while after < len(keys) and keys[after] == keys[first]:
            after += 1
        behind, level = len(keys) - after, after - first - 1
        each = LEAST + (MOST - LEAST) * (2 * behind + level) // (2 * others)
        result += [each] * (after - first)
        first = after
    return result
