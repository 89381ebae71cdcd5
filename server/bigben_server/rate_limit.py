"""How fast a peer may send: token buckets. They have no clock of their own."""

from collections.abc import Hashable
from typing import Final

_MOST_KEPT: Final = 10_000


class Bucket:
    """Holds up to ``burst`` tokens and gains ``rate`` of them a second."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token at ``now``, in seconds; whether there was one."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def charge(self, now: float, tokens: int) -> None:
        """Take ``tokens`` at ``now``. What is missing is owed, but never more than ``tokens``."""
        self._fill(now)
        self._tokens = min(self._tokens, max(self._tokens - tokens, -float(tokens)))

    def give_back(self, now: float) -> None:
        """Return one token that was taken."""
        self._fill(now)
        self._tokens = min(self._tokens + 1, self._burst)

    def owes(self, now: float) -> bool:
        """Whether more was charged than there was, and it is not made up for yet."""
        self._fill(now)
        return self._tokens < 0

    def is_full(self, now: float) -> bool:
        """Whether it is at ``now`` as it was made: nothing was taken for long."""
        self._fill(now)
        return self._tokens == self._burst

    def _fill(self, now: float) -> None:
        # A clock that was set back takes nothing away.
        gained = max(now - self._at, 0) * self._rate
        self._tokens = min(self._burst, self._tokens + gained)
        self._at = now


class Buckets:
    """A bucket for everyone who takes; one that is full again is forgotten."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[Hashable, Bucket] = {}
        self._most = _MOST_KEPT

    def take(self, who: Hashable, now: float) -> bool:
        """Take one token of theirs at ``now``, in seconds; whether there was one."""
        return self._bucket(who, now).take(now)

    def charge(self, who: Hashable, now: float, tokens: int) -> None:
        """Take ``tokens`` from the bucket of ``who`` at ``now``; see ``Bucket.charge``."""
        self._bucket(who, now).charge(now, tokens)

    def give_back(self, who: Hashable, now: float) -> None:
        """Return one token that they took."""
        self._bucket(who, now).give_back(now)

    def owes(self, who: Hashable, now: float) -> bool:
        """Whether they were charged more than they had, and it is not made up for yet."""
        return self._bucket(who, now).owes(now)

    def _bucket(self, who: Hashable, now: float) -> Bucket:
        if who not in self._buckets:
            if len(self._buckets) >= self._most:
                self._forget(now)
            self._buckets[who] = Bucket(self._rate, self._burst, now)
        return self._buckets[who]

    def _forget(self, now: float) -> None:
        self._buckets = {
            who: bucket for who, bucket in self._buckets.items() if not bucket.is_full(now)
        }
        # Looked through again only when there are twice as many, so that each costs little.
        self._most = max(_MOST_KEPT, 2 * len(self._buckets))
