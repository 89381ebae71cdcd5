"""Token buckets: how often a peer, an address or a player may do something."""

from collections.abc import Hashable
from typing import Final

_MOST_KEPT: Final = 10_000


class Bucket:
    """Starts full with ``burst`` tokens, and gains ``rate`` tokens a second up to ``burst``.

    Every ``now`` is in seconds of the same clock. A clock that is set back removes no tokens.
    """

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token. Return whether there was one."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def charge(self, now: float, tokens: int) -> None:
        """Take ``tokens``. The bucket owes what is missing, but never more than ``tokens``."""
        self._fill(now)
        self._tokens = min(self._tokens, max(self._tokens - tokens, -float(tokens)))

    def give_back(self, now: float) -> None:
        self._fill(now)
        self._tokens = min(self._tokens + 1, self._burst)

    def owes(self, now: float) -> bool:
        self._fill(now)
        return self._tokens < 0

    def is_full(self, now: float) -> bool:
        self._fill(now)
        return self._tokens == self._burst

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + max(now - self._at, 0) * self._rate)
        self._at = now


class Buckets:
    """A bucket for each address or player. Full ones are dropped."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[Hashable, Bucket] = {}
        self._most = _MOST_KEPT

    def take(self, key: Hashable, now: float) -> bool:
        """Take one token from the bucket of ``key``. Return whether there was one."""
        return self.of(key, now).take(now)

    def of(self, key: Hashable, now: float) -> Bucket:
        """The bucket of ``key``. Use it at once, because it may be dropped."""
        if key not in self._buckets:
            if len(self._buckets) >= self._most:
                self._buckets = {k: b for k, b in self._buckets.items() if not b.is_full(now)}
                # The next search comes when there are twice as many, so each one costs little.
                self._most = max(_MOST_KEPT, 2 * len(self._buckets))
            self._buckets[key] = Bucket(self._rate, self._burst, now)
        return self._buckets[key]
