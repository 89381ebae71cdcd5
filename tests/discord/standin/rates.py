"""Rate limits as Discord keeps them: a bucket for each route and channel or webhook."""

import time
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Limit:
    """So many requests in so many seconds."""

    count: int
    seconds: float


LIKE_DISCORD: Final = Limit(5, 5.0)
AMPLE: Final = Limit(10_000, 5.0)
"""For tests that are about something else and do not want to wait."""


@dataclass
class _Window:
    ends: float
    left: int


@dataclass
class Rates:
    """Who has asked how often. Real time: discord.py really waits."""

    limit: Limit = AMPLE
    refused: list[str] = field(default_factory=list)
    """The buckets that were asked too often."""
    _windows: dict[str, _Window] = field(default_factory=dict)

    def take(self, bucket: str) -> tuple[bool, dict[str, str], float]:
        """Count one request: whether it may pass, the headers of the answer, the wait."""
        now = time.time()
        window = self._windows.get(bucket)
        if window is None or window.ends <= now:
            window = self._windows[bucket] = _Window(now + self.limit.seconds, self.limit.count)
        passes = window.left > 0
        if passes:
            window.left -= 1
        else:
            self.refused.append(bucket)
        wait = max(window.ends - now, 0.001)
        headers = {
            "X-RateLimit-Limit": str(self.limit.count),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset": f"{window.ends:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Bucket": f"{abs(hash(bucket.split(' ')[0])):x}",
        }
        return passes, headers, wait
