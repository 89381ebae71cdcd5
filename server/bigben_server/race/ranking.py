"""Who is before whom: the ranking key, its packing in a sorted-set score, and places. No Redis."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bigben_protocol import PlayerId, Standing

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


class Ranking:
    """Players in the order of their keys, kept so while these change, however many there are.

    Where keys are equal the ids of the players decide who is shown first.
    """

    def __init__(self, *, many: int = 100) -> None:
        """``many``: with more changes at once all is sorted again, which is quicker then."""
        self._many = many
        self._order: list[tuple[Key, PlayerId]] = []
        self._keys: dict[PlayerId, Key | None] = {}

    def __len__(self) -> int:
        return len(self._order)

    def put(self, keys: Mapping[PlayerId, Key | None]) -> None:
        """Place these players, or place them anew; None is for one who is not ranked now."""
        if len(keys) > self._many:
            self._keys |= keys
            self._order = sorted((key, player) for player, key in self._keys.items() if key)
            return
        for player, key in keys.items():
            if before := self._keys.pop(player, None):
                del self._order[bisect_left(self._order, (before, player))]
            if key:
                self._keys[player] = key
                insort(self._order, (key, player))

    def page(self, start: int, count: int) -> list[PlayerId]:
        """So many after the first ``start``, the best first."""
        return [player for _, player in self._order[start : start + count]]

    def among(self, players: Iterable[PlayerId]) -> list[PlayerId]:
        """Those of them who are here, the best first."""
        keys = ((self._keys.get(player), player) for player in {*players})
        return [player for _, player in sorted((key, player) for key, player in keys if key)]

    def place(self, player: PlayerId) -> int:
        """Of one who is ranked: 1 is first; equal keys share a place."""
        key = self._keys[player]
        assert key is not None, "only who is ranked has a place"
        return bisect_left(self._order, (key, "")) + 1
