"""How often messages are edited: the newest state, at most once a tick. Knows no messages."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable

_log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]
"""Brings a message up to what is true when it is called."""


class Edits:
    """Lanes in which jobs wait; a lane runs one job at a time, and one in every tick."""

    def __init__(self, *, every: float) -> None:
        """``every``: seconds from the start of one job of a lane to the start of the next."""
        self._every = every
        self._lanes: dict[Hashable, _Lane] = {}
        self._closed = False

    def ask(self, lane: Hashable, key: Hashable, job: Job) -> None:
        """Have ``job`` run soon. Asked again before it has begun, it still runs once."""
        if self._closed:
            return
        if lane not in self._lanes:
            self._lanes[lane] = _Lane(self._every, lambda: self._lanes.pop(lane, None))
        self._lanes[lane].ask(key, job)

    async def close(self) -> None:
        """Forget what has not begun, and take nothing more."""
        self._closed = True
        tasks = [lane.task for lane in self._lanes.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Gate:
    """Lets one after another through, so many a second, whatever lanes they are in."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._free_at = 0.0

    async def passed(self) -> None:
        """Wait for one's turn."""
        now = asyncio.get_running_loop().time()
        turn = max(now, self._free_at)
        self._free_at = turn + self._gap
        await asyncio.sleep(turn - now)


class _Lane:
    def __init__(self, every: float, done: Callable[[], object]) -> None:
        self._every = every
        self._done = done
        self._jobs: dict[Hashable, Job] = {}
        self.task = asyncio.create_task(self._work())

    def ask(self, key: Hashable, job: Job) -> None:
        self._jobs[key] = job

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._jobs:
            # Counted from the start of the job: a slow one makes the next no later than its tick.
            next_at = loop.time() + self._every
            job = self._jobs.pop(next(iter(self._jobs)))
            try:
                await job()
            except Exception:
                _log.exception("a message could not be edited")
            await asyncio.sleep(next_at - loop.time())
        self._done()
