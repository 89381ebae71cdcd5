"""Rate limits as Discord keeps them: a bucket for each route and channel, and one for all."""

import math
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Limit:
    """So many requests in so many seconds."""

    count: int
    seconds: float


CHANNEL: Final = Limit(5, 5.0)
"""New messages of a channel, and edits of its messages."""
OLD: Final = Limit(3, 6.0)
"""Edits of messages of a channel that are older than an hour, by whatever route."""
DELETIONS: Final = Limit(5, 1.0)
WEBHOOK: Final = Limit(5, 2.0)
"""Of one interaction."""
EVERYTHING: Final = Limit(50, 1.0)
"""All requests with the bot's token together; answers to interactions are not counted."""


@dataclass
class _Window:
    ends: float
    left: int


@dataclass(frozen=True)
class Passage:
    """What a bucket says to one request."""

    wait: float
    """Seconds until it may be tried again; 0 if it passes."""
    headers: Mapping[str, str]


@dataclass
class Rates:
    """Who has asked how often. Real time: discord.py really waits."""

    hurry: float = 1.0
    """So many times as fast as Discord the limits run, for bots that edit as much more often."""
    limit: Limit | None = None
    """In place of every route's own."""
    everything: Limit = EVERYTHING
    refused: list[str] = field(default_factory=list)
    """The buckets that were asked too often."""
    _windows: dict[str, _Window] = field(default_factory=dict)

    def take(self, bucket: str, limit: Limit) -> Passage:
        """Count one request of this bucket."""
        limit = self.limit or Limit(limit.count, limit.seconds / self.hurry)
        window, passes, wait = self._count(bucket, limit)
        headers = {
            "X-RateLimit-Limit": str(limit.count),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset": _rounded(window.ends),
            "X-RateLimit-Reset-After": _rounded(wait),
            "X-RateLimit-Bucket": f"{zlib.crc32(bucket.rsplit(' ', 1)[0].encode()):08x}",
        }
        return Passage(0.0, headers) if passes else _too_many(wait, "user", headers)

    def take_of_everything(self) -> Passage:
        """Count one request with the bot's token."""
        limit = Limit(self.everything.count, self.everything.seconds / self.hurry)
        _, passes, wait = self._count("everything", limit)
        if passes:
            return Passage(0.0, {})
        return _too_many(wait, "global", {"X-RateLimit-Global": "true"})

    def _count(self, bucket: str, limit: Limit) -> tuple[_Window, bool, float]:
        now = time.time()
        window = self._windows.get(bucket)
        if window is None or window.ends <= now:
            window = self._windows[bucket] = _Window(now + limit.seconds, limit.count)
        passes = window.left > 0
        if passes:
            window.left -= 1
        else:
            self.refused.append(bucket)
        return window, passes, max(window.ends - now, 0.001)


def _too_many(wait: float, scope: str, headers: Mapping[str, str]) -> Passage:
    more = {
        "Via": "1.1 stand-in",
        "Retry-After": str(math.ceil(wait)),
        "X-RateLimit-Scope": scope,
    }
    return Passage(wait, {**headers, **more})


def _rounded(seconds: float) -> str:
    """Up: who waits for so long has waited for long enough."""
    return f"{math.ceil(seconds * 1000) / 1000:.3f}"
