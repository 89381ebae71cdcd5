"""How fast one connection may send without exceeding the server's limits."""

import time
from collections.abc import Callable


class SendRate:
    """A token bucket of ``burst`` messages that gets ``per_second`` new ones.

    Both are below the server's limits, so even a bot that resumes a thousand races after a restart
    is never refused for sending too fast.
    """

    def __init__(
        self,
        *,
        burst: int = 60,
        per_second: float = 40.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._held = float(burst)
        self._at = clock()

    def wait(self) -> float:
        """Count one message, and return the seconds to wait before sending it, mostly 0."""
        now = self._clock()
        self._held = min(self._burst, self._held + (now - self._at) * self._per_second) - 1
        self._at = now
        return max(0.0, -self._held / self._per_second)
