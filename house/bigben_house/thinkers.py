"""Processes that think for the house players: few, nice to all others, and started again."""

import asyncio
import logging
import multiprocessing
import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from bigben_house.seen import planned
from bigben_protocol import Rules, View

_log = logging.getLogger(__name__)

NICE: Final = 15
"""The server comes first, on a machine with one core too."""
_ATTEMPTS: Final = 3
"""How often a question is asked whose process dies."""


class Thinkers:
    """Plans moves in ``size`` processes, which start when they are needed. Leave it with ``with``.

    However many seats ask, no more than these processes compute. The others wait.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._pool = self._started()

    def __enter__(self) -> "Thinkers":
        return self

    def __exit__(self, *_: object) -> None:
        # Otherwise Python may write to a closed pipe as it ends. A plan takes some seconds at most.
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def plan(self, strength: str, view: View, rules: Rules, chance: str) -> tuple[str, ...]:
        """See ``planned``. Raises what that raises, and BrokenProcessPool if its process dies."""
        for _ in range(_ATTEMPTS - 1):
            pool = self._pool
            try:
                return await asyncio.wrap_future(_asked(pool, strength, view, rules, chance))
            except BrokenProcessPool:
                _log.warning("a process that thinks has died; starting another")
                if pool is self._pool:  # others may have noticed it before
                    pool.shutdown(wait=False)
                    self._pool = self._started()
        return await asyncio.wrap_future(_asked(self._pool, strength, view, rules, chance))

    def _started(self) -> ProcessPoolExecutor:
        # Not forked: this process has threads, and connections that its children must not keep.
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._size, mp_context=spawn, initializer=_begin)


def _asked(
    pool: ProcessPoolExecutor, strength: str, view: View, rules: Rules, chance: str
) -> Future[tuple[str, ...]]:
    return pool.submit(planned, strength, view, rules, chance)


def _begin() -> None:
    """Be nice, and end with the parent, also if it was killed."""
    os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a child of the pool"
    parent.join()
    os._exit(0)
