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
        self._burst = self._tokens = float(burst)
        self._at = now

    def tokens(self, now: float) -> float:
        """How many tokens there are; fewer than none if some are owed."""
        # Every frame asks, so no min() and max().
        tokens = self._tokens
        if now > self._at:
            tokens += (now - self._at) * self._rate
            if tokens > self._burst:
                tokens = self._burst
        self._at, self._tokens = now, tokens
        return tokens

    def take(self, now: float) -> bool:
        """Take one token. Return whether there was one."""
        if self.tokens(now) < 1:
            return False
        self._tokens -= 1
        return True

    def charge(self, now: float, tokens: int) -> None:
        """Take ``tokens``. The bucket owes what is missing, but never more than ``tokens``."""
        self.spend(now, tokens, most_owed=tokens)

    def spend(self, now: float, tokens: float, *, most_owed: float) -> float:
        """Take ``tokens``, and owe what is missing, up to ``most_owed``.

        Return how many seconds it takes to pay for them. A caller who waits that long before
        the next ones keeps to the rate.
        """
        before = self.tokens(now)
        self._tokens = min(before, max(before - tokens, -most_owed))
        return -self._tokens / self._rate if self._tokens < 0 else 0

    def give_back(self, now: float, tokens: int = 1) -> None:
        self._tokens = min(self.tokens(now) + tokens, self._burst)


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
                kept = ((k, b) for k, b in self._buckets.items() if b.tokens(now) < self._burst)
                self._buckets = dict(kept)
                # The next search comes when there are twice as many, so each one costs little.
                self._most = max(_MOST_KEPT, 2 * len(self._buckets))
            self._buckets[key] = Bucket(self._rate, self._burst, now)
        return self._buckets[key]
