"""How long to wait before the next try: exponential backoff with full jitter."""

import random
import time
from collections.abc import Callable


class Backoff:
    """Draws each wait from 0 to a bound that doubles.

    So a thousand clients that lost the same server do not reconnect at the same moment.
    """

    def __init__(
        self,
        *,
        first: float = 0.5,
        longest: float = 20.0,
        draw: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``first`` and ``longest`` are seconds, ``draw`` returns numbers from 0 to 1, and
        ``clock`` must never go back.
        """
        self._first = first
        self._longest = longest
        self._draw = draw
        self._clock = clock
        self._bound = first
        self._up_at: float | None = None

    def up(self) -> None:
        """Call this when a connection is up. If it lasts ``longest``, the bound starts anew."""
        self._up_at = self._clock()

    def wait(self, at_least: float = 0.0) -> float:
        """Seconds until the next try: the server's ``at_least`` plus a random pause."""
        if self._up_at is not None and self._clock() - self._up_at >= self._longest:
            self._bound = self._first
        self._up_at = None
        bound, self._bound = self._bound, min(2 * self._bound, self._longest)
        return at_least + bound * self._draw()
