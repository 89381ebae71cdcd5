"""Who is before whom: the ranking key, its packing in a sorted-set score, and places. No Redis."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from bigben_protocol import Standing

HOME_MS_BITS = 40
"""Room for 34 years in a score; with 13 bits of missing cards it fills a double's 53."""


class Key(NamedTuple):
    """Smaller is better: cards not yet home, then when the last one came home.

    A winner misses no card and won when the last one came home, so that this one key is the
    rule: winners by time; the others by cards home, then by the time of the last card home.
    """

    missing: int
    home_ms: int


def key(total: int, standing: Standing) -> Key:
    """The key of a standing in a game of ``total`` cards."""
    return Key(total - standing.home, standing.home_ms)


def pack(key: Key) -> int:
    """The key as a score that a double holds without loss; scores order as keys do."""
    if not (0 <= key.missing < 2**13 and 0 <= key.home_ms < 2**HOME_MS_BITS):
        raise AssertionError(f"{key} does not fit a score")
    return key.missing << HOME_MS_BITS | key.home_ms


def unpack(score: int) -> Key:
    """The key packed in ``score``."""
    return Key(score >> HOME_MS_BITS, score & (2**HOME_MS_BITS - 1))


def places(keys: Sequence[Key]) -> list[int]:
    """The places of sorted keys; equal ones share: 1, 2, 2, 4."""
    result: list[int] = []
    for i, this in enumerate(keys):
        result.append(result[-1] if i and keys[i - 1] == this else i + 1)
    return result


def ranked(total: int, standings: Iterable[Standing]) -> list[Standing]:
    """The standings, the best first, with their places."""
    rows = sorted(standings, key=lambda row: (key(total, row), row.player))
    return [
        msgspec.structs.replace(row, place=place)
        for row, place in zip(rows, places([key(total, row) for row in rows]), strict=True)
    ]
