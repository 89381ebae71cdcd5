"""A clock for an event loop, and a diary of what happened at which time on it. No tests."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.support.clock import Clock

EVERY = 1000.0
"""Seconds between two jobs."""
STEP = 1.0
LATE = 20 * STEP
"""Some turns of the loop: by so much a job may be late."""


@contextmanager
def own_time() -> Iterator[Clock[float]]:
    """The running event loop follows this clock."""
    clock = Clock(0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.get_running_loop(), "time", clock)
        yield clock


class Diary:
    """Writes down when a job ran, and what was true then."""

    def __init__(self, clock: Clock[float]) -> None:
        self.truth = 0
        self.entries: list[tuple[float, str, int]] = []
        self._clock = clock

    async def write(self, name: str = "") -> None:
        self.entries.append((self._clock.now, name, self.truth))

    async def until(self, count: int, seconds: float = 10 * EVERY) -> None:
        """Let time pass until so much is written."""
        end = self._clock.now + seconds
        while self._clock.now < end:
            if len(self.entries) >= count:
                return
            await asyncio.sleep(0)
            self._clock.now += STEP
        raise AssertionError(f"in {seconds} seconds there was no more than {self.entries}")
