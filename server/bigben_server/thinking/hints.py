"""Hints, each computed once in another process, however often it is asked for."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from bigben_server.race.events import Refusal
from bigben_server.thinking.pool import Pool, Urgent
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import Hint, hint

MOST_KEPT: Final = 500
MOST_AT_ONCE: Final = 8
"""How many may be computed or wait: analyses come after them, and no player waits for long."""
_BUSY: Final = "Many players ask for hints just now; try again in a moment."


@dataclass(slots=True, eq=False)
class Hints:
    """The hints that this process has found; the oldest are dropped."""

    pool: Pool
    _found: OrderedDict[Asked, asyncio.Future[Hint]] = field(default_factory=OrderedDict)
    """Those that are being computed too."""

    async def find(self, asked: Asked) -> Hint:
        """The hint for a position. Raises Refusal if the pool can't compute it now."""
        self.pool.check()
        if asked in self._found:
            # Who is cancelled does not take it away from the others.
            return await asyncio.shield(self._found[asked])
        if sum(not found.done() for found in self._found.values()) >= MOST_AT_ONCE:
            raise Refusal("busy", _BUSY)
        found = self._found[asked] = asyncio.get_running_loop().create_future()
        try:
            best = await self.pool.ask(hint, asked, urgent=Urgent.NOW)
        except BaseException as error:
            del self._found[asked]
            if not isinstance(error, Exception):
                found.cancel()
            else:
                found.set_exception(error)
                found.exception()  # perhaps nobody else waits
            raise
        found.set_result(best)
        if len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)
        return best
