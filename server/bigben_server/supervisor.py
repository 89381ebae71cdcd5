"""Runs the tasks of a server process, and brings back a store that is lost."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVarTuple

from bigben_server.counters import COUNTS
from bigben_server.readiness import AWAY, Readiness
from bigben_server.storage.client import NodeLost, StoreLost
from bigben_server.tasks import not_cancelled

_log = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 60.0
"""The pauses before a failing loop is started again grow up to this."""
REVIVE_S = 1.0
"""Seconds between two attempts to bring the store back."""
_SAME_LINE_S: Final = 60.0
"""Seconds before the same line about an outage is logged again."""


def _line(what: str, error: StoreLost) -> str:
    """A Redis that answers is not away, and its own sentence says what is the matter."""
    return f"Redis {what}: {error}" if error.trouble == AWAY else f"{error}"


Work = Coroutine[Any, Any, None]
_Args = TypeVarTuple("_Args")


@dataclass(slots=True, eq=False)
class OutageLog:
    """Logs each reason when it is new and then at most once a minute, and that Redis is back."""

    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    _since: float | None = None
    _lines: dict[str, float] = field(default_factory=dict)
    """The lines logged in the last minute, and when."""

    def away(self, line: str, for_s: float = 0) -> None:
        """``for_s``: how long Redis has been away already."""
        now = self.clock()
        if self._since is None:
            COUNTS.outages += 1
            self._since = now - for_s
        self._lines = {one: at for one, at in self._lines.items() if now - at < _SAME_LINE_S}
        if line not in self._lines:
            self._lines[line] = now
            _log.error(line)

    def back(self) -> None:
        since, self._since = self._since, None
        if since is not None and any(at >= since for at in self._lines.values()):
            _log.warning("Redis is back after %.0f s", self.clock() - since)


@dataclass(slots=True, eq=False)
class Supervisor:
    """Runs tasks until the ``async with`` block is left.

    A task that raises StoreLost makes the supervisor bring the store back. Any other failure is
    logged with its traceback. Neither ends another task or the server.
    """

    revive: Callable[[], Awaitable[None]]
    """Returns when the store keeps writes again; raises StoreLost."""
    readiness: Readiness = field(default_factory=Readiness)
    """Learns at once that the store is lost or back."""
    returned: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the store is back after an outage. The task that waits for it must clear it."""
    _group: asyncio.TaskGroup = field(default_factory=asyncio.TaskGroup)
    _lost: asyncio.Event = field(default_factory=asyncio.Event)
    _outage: OutageLog = field(default_factory=OutageLog)

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        self.keep_running("keeping the store", self._bring_back)
        return self

    async def __aexit__(self, *raised: Any) -> None:  # Any: the group's own business
        await self._group.__aexit__(*raised)

    def start(self, what: str, run: Callable[[*_Args], Work], *args: *_Args) -> None:
        """Run this once; ``what`` names it in the log.

        ``run`` is called when the task begins: a task that is cancelled before that leaves no
        coroutine that nobody awaits.
        """
        contained = self._contained(what, run, *args)
        try:
            self._group.create_task(contained)
        except RuntimeError:  # the block is being left
            contained.close()

    def keep_running(self, what: str, run: Callable[[], Work]) -> None:
        """Run a loop until the block is left, again after a pause if it fails."""
        self._group.create_task(self._kept(what, run))

    def lost(self, error: StoreLost) -> None:
        """The store can't be used: bring it back. Calling it again changes nothing."""
        if not isinstance(error, NodeLost):  # the other nodes carry on
            self.readiness.store_fails(error.trouble)
        self._outage.away(_line("is away", error), self.readiness.away_s())
        self._lost.set()

    async def _bring_back(self) -> None:
        while not_cancelled():
            await self._lost.wait()
            self._lost.clear()
            try:
                await self.revive()
            except StoreLost as error:
                self._outage.away(_line("does not come back", error))
                await asyncio.sleep(REVIVE_S)
                self._lost.set()
            else:
                self.readiness.store_works()
                self._outage.back()
                self.returned.set()

    async def _contained(self, what: str, run: Callable[[*_Args], Work], *args: *_Args) -> bool:
        """Whether it ended because the store was lost."""
        try:
            await run(*args)
        except asyncio.CancelledError:
            if not not_cancelled():
                raise
            _log.error("%s was cancelled by what it waited for", what)
        except StoreLost as error:
            self.lost(error)
            return True
        except Exception:
            _log.exception("%s failed", what)
        return False

    async def _kept(self, what: str, run: Callable[[], Work]) -> None:
        loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE_S
        while not_cancelled():
            began = loop.time()
            lost = await self._contained(what, run)
            pause = min(2 * pause, _LONGEST_PAUSE_S)
            if lost or loop.time() - began > _LONGEST_PAUSE_S:
                pause = 2 * _FIRST_PAUSE_S
            await asyncio.sleep(pause)
