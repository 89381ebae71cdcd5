"""How often messages are edited: to their newest state, and at most once a tick."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable

_log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]
"""Brings a message up to date."""


class EditQueue:
    """Lanes in which jobs wait; a lane runs one job at a time, and one in every tick."""

    def __init__(self, *, every: float, rest: float = 0.0) -> None:
        """``every``: seconds from the start of one job of a lane to the start of the next.

        ``rest``: seconds at least from the end of one to the start of the next. A request arrives
        before its job ends, so no two arrive with less between them, however long they were on
        their way.
        """
        self._every = every
        self._rest = rest
        self._lanes: dict[Hashable, _Lane] = {}
        self._closed = False

    def ask(self, lane: Hashable, key: Hashable, job: Job) -> None:
        """Run ``job`` soon. If this is called again before it has begun, it still runs once."""
        if self._closed:
            return
        if lane not in self._lanes:
            self._lanes[lane] = _Lane(self._every, self._rest, lambda: self._lanes.pop(lane, None))
        self._lanes[lane].ask(key, job)

    def waiting(self, lane: Hashable) -> int:
        """How many jobs of the lane have not begun."""
        return self._lanes[lane].waiting if lane in self._lanes else 0

    async def close(self) -> None:
        """Drop the jobs that have not begun, and accept no more."""
        self._closed = True
        tasks = [lane.task for lane in self._lanes.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class RateLimit:
    """A limit for the jobs of all lanes together, per second."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._free_at = 0.0

    async def passed(self) -> None:
        """Wait until one more job may run."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._free_at)
        self._free_at = at + self._gap
        await asyncio.sleep(at - now)


class _Lane:
    def __init__(self, every: float, rest: float, done: Callable[[], object]) -> None:
        self._every = every
        self._rest = rest
        self._done = done
        self._jobs: dict[Hashable, Job] = {}
        self.task = asyncio.create_task(self._work())

    def ask(self, key: Hashable, job: Job) -> None:
        self._jobs[key] = job

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._jobs:
            # Counted from the start of the job: a slow job does not delay the next past its tick.
            next_at = loop.time() + self._every
            job = self._jobs.pop(next(iter(self._jobs)))
            try:
                await job()
            except Exception:
                _log.exception("a message could not be edited")
            await asyncio.sleep(max(next_at - loop.time(), self._rest))
        self._done()
