"""The ranking key, its packing in a sorted-set score, and players in its order."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bigben_protocol import PlayerId

HOME_MS_BITS = 40
"""Enough for 34 years; with 13 bits for missing cards it fills the 53 bits of a double."""


class Key(NamedTuple):
    """Smaller is better. It orders winners by time, because they won with their last card home."""

    missing: int
    """Cards not yet home."""
    home_ms: int
    """The time of the last card home; 0 in a game in which nothing is decided."""


def pack(key: Key) -> int:
    """The key as a score that fits a double exactly. Scores have the same order as keys."""
    if not (0 <= key.missing < 2**13 and 0 <= key.home_ms < 2**HOME_MS_BITS):
        raise AssertionError(f"{key} does not fit a score")
    return key.missing << HOME_MS_BITS | key.home_ms


def unpack(score: int) -> Key:
    """The key that was packed into this score."""
    return Key(score >> HOME_MS_BITS, score & (1 << HOME_MS_BITS) - 1)


@dataclass(slots=True, eq=False)
class Ranking:
    """Players in the order of their keys; if keys are equal, in the order of their ids."""

    many: int = 100
    """Above this number of changes at once, it is faster to sort everything again."""
    _order: list[tuple[Key, PlayerId]] = field(default_factory=list)
    _keys: dict[PlayerId, Key | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._order)

    def put(self, keys: Mapping[PlayerId, Key | None]) -> None:
        """Set the keys of these players; None removes a player."""
        if len(keys) > self.many:
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
        return [player for _, player in self._order[start : start + count]]

    def around(self, player: PlayerId, count: int) -> list[PlayerId]:
        """The nearest ``count`` players above this one and below; empty if it is not ranked."""
        if not (key := self._keys.get(player)):
            return []
        at = bisect_left(self._order, (key, player))
        return [*self.page(max(0, at - count), min(at, count)), *self.page(at + 1, count)]

    def among(self, players: Iterable[PlayerId]) -> list[PlayerId]:
        """The ranked ones among these players, the best first."""
        keys = ((self._keys.get(player), player) for player in {*players})
        return [player for _, player in sorted((key, player) for key, player in keys if key)]

    def place(self, player: PlayerId) -> int:
        """The place of a ranked player: 1 is first; equal keys share a place."""
        key = self._keys[player]
        assert key is not None, "only a ranked player has a place"
        return bisect_left(self._order, (key, "")) + 1
