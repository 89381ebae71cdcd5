"""Points for a day: the share of the other players whom a player beat.

All play the same deal, so the others are a fair measure, as in duplicate bridge: a hard deal is
hard for everybody, and a day with many players is worth as much as a day with few.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bigben_server.race.ranking import Key

MOST: Final = 100
LEAST: Final = 1
"""A day played badly is worth more than a day not played."""


def points(keys: Sequence[Key]) -> list[int]:
    """The points of each key of a day, the best first; equal keys get the same.

    They go from 100 for a player who beat everybody to 1 for one whom everybody beat, in proportion
    to the others who were beaten; an equal key counts half. A single player gets the middle.

    >>> points([Key(0, 60_000), Key(0, 90_000), Key(0, 90_000), Key(50, 10_000)])
    [100, 50, 50, 1]
    >>> points([Key(0, 60_000)])
    [50]
    """
    others = len(keys) - 1
    if not others:
        return [(LEAST + MOST) // 2]
    result: list[int] = []
    for _, group in groupby(keys):
        equal = len([*group])
        behind = len(keys) - len(result) - equal
        each = LEAST + (MOST - LEAST) * (2 * behind + equal - 1) // (2 * others)
        result += [each] * equal
    return result
