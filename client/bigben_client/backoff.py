"""How long to wait before the next try: exponential with full jitter. Waits for nothing itself."""

import random
import time
from collections.abc import Callable


class Backoff:
    """Each wait is drawn from 0 to a bound that doubles, so that a thousand clients that lost
    the same server do not come back at the same moment.
    """

    def __init__(
        self,
        *,
        first: float = 0.5,
        longest: float = 20.0,
        draw: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Seconds; ``draw`` gives numbers from 0 to 1, ``clock`` never goes back."""
        self._first = first
        self._longest = longest
        self._draw = draw
        self._clock = clock
        self._bound = first
        self._up_at: float | None = None

    def up(self) -> None:
        """A connection has come about. It counts as good once it has lasted the longest wait."""
        self._up_at = self._clock()

    def wait(self, at_least: float = 0.0) -> float:
        """Seconds until the next try: the server's ``at_least`` plus a random pause."""
        if self._up_at is not None and self._clock() - self._up_at >= self._longest:
            self._bound = self._first
        self._up_at = None
        bound, self._bound = self._bound, min(2 * self._bound, self._longest)
        return at_least + bound * self._draw()
