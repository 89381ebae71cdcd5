"""The network between Discord and the bot: each message takes its own time, and some overtake.

How long is decided by a seed, by what the message is, and by how many like it came before: with
the same seed a test that has failed meets the same delays again.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Final

SEED: Final = "BIGBEN_JITTER_SEED"
"""The environment variable that replaces the seed of every test."""
LONGEST_S: Final = 0.004
"""In most tests: enough to reorder what was sent together, and no waste of time."""


class Network:
    """Delays what it carries, for at most ``longest`` seconds each, unless it holds it."""

    def __init__(self, seed: str) -> None:
        self.seed = os.environ.get(SEED) or seed
        self.longest = LONGEST_S
        self._carried: Counter[str] = Counter()
        self._held: dict[str, asyncio.Event] = {}

    async def carry(self, what: str) -> None:
        """Wait until the message has arrived."""
        number = self._carried[what]
        self._carried[what] += 1
        await asyncio.sleep(Random(f"{self.seed} {what} {number}").uniform(0, self.longest))
        if what in self._held:
            await self._held[what].wait()

    @contextmanager
    def holding(self, what: str) -> Iterator[None]:
        """Messages like this arrive at the end of the block, and not before."""
        released = self._held[what] = asyncio.Event()
        try:
            yield
        finally:
            del self._held[what]
            released.set()
