"""The stand-in's own time, which passes by itself and faster when a test says so. Wakes nobody."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

LOOK_S: Final = 0.02
"""Between two looks at the machine's clock."""
STALL_S: Final = 0.03
"""What is longer between two looks is time in which the machine let nobody here work."""


class StandinClock:
    """Passes as the machine's does while the bot can work: a busy machine makes nobody late.

    The bot runs in this event loop: what it computes itself counts in full.
    """

    def __init__(self) -> None:
        self._now = time.time()
        self._wall, self._cpu = time.monotonic(), time.process_time()

    def now(self) -> float:
        """Seconds since 1970."""
        wall, cpu = time.monotonic(), time.process_time()
        self._now += min(wall - self._wall, cpu - self._cpu + STALL_S)
        self._wall, self._cpu = wall, cpu
        return self._now

    def skip(self, seconds: float) -> None:
        """Let time pass for Discord, but not for the bot."""
        self._now = self.now() + seconds

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """It is looked at often, so that no long time is taken for a stall."""
        looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            looking.cancel()

    async def _look(self) -> None:
        while True:
            self.now()
            await asyncio.sleep(LOOK_S)
