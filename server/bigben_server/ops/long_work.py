"""Long work of a command: how much of it is done, and processes that share it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, Final, TextIO, TypeVar, TypeVarTuple

from bigben_server.storage.client import chunks
from bigben_server.storage.opening import store_at
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Pool

_CLEAR: Final = "\r\x1b[K"
_BAR: Final = 30
"""How many signs wide a full bar is."""
_BYTES: Final = 300_000
"""The most bytes of packed races in one question, unless one race has more: their logs take twenty
times as much, and each process has some questions' answers."""
_LONGEST_S: Final = 3_600.0
"""Nobody else waits for the pool of a command, and a very large race is in one question."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Args = TypeVarTuple("_Args")
Work = Callable[[Store, *_Args], Coroutine[Any, Any, _Result]]  # Any: as asyncio has it


class Progress:
    """Shows a bar on ``file`` if that is a terminal. Call ``clear`` at the end."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file if file and file.isatty() else None
        self._line = ""

    def show(self, what: str, done: int, of: int) -> None:
        hundredths = 100 * min(done, of) // of if of else 100
        bar = "#" * (_BAR * hundredths // 100)
        line = f"{what} [{bar:.<{_BAR}}] {hundredths} %"
        if self._file and line != self._line:
            print(f"{_CLEAR}{line}", end="", file=self._file, flush=True)
        self._line = line

    def over(self, what: str, items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
        """All these, ``size`` at a time, and show how many there were before."""
        for done, some in enumerate(chunks(items, size)):
            self.show(what, done * size, len(items))
            yield some

    def each(self, what: str, items: Sequence[_Item]) -> Iterator[_Item]:
        """The same one by one."""
        for (one,) in self.over(what, items, 1):
            yield one

    def clear(self) -> None:
        if self._file:
            print(_CLEAR, end="", file=self._file, flush=True)


SILENT: Final = Progress()


def by_size(items: Sequence[_Item], sizes: Sequence[int], most: int) -> list[Sequence[_Item]]:
    """The items in order, at most ``most`` at a time, and of so many bytes as a question may have.

    ``sizes`` are the bytes of each.
    """
    cuts, size = [0], 0
    for i, one in enumerate(sizes):
        size += one
        if i > cuts[-1] and (size > _BYTES or i - cuts[-1] == most):
            cuts.append(i)
            size = one
    return [items[first:end] for first, end in pairwise([*cuts, len(items)]) if first < end]


@asynccontextmanager
async def pool_for(work: int, *, few: int) -> AsyncIterator[Pool]:
    """A pool for a command of the operator: a process for each core, none if ``work`` is little."""
    # A command asks for what keeps all cores busy, which with many of them is more than usual.
    processes = 0 if work <= few else os.cpu_count() or 1
    pool = Pool(processes, longest_s=_LONGEST_S, most_waiting=sys.maxsize)
    running = asyncio.create_task(pool.run())
    try:
        yield pool
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def shared(pool: Pool, store: Store, work: Work[*_Args, _Result], *args: *_Args) -> _Result:
    """``await work(store, *args)``, in another process with its own connection if there is one."""
    if pool.size:
        return await pool.ask(_in_process, store.url, store.keys.prefix, work, *args)
    return await work(store, *args)


def _in_process(url: str, prefix: str, work: Work[*_Args, _Result], *args: *_Args) -> _Result:
    async def run() -> _Result:
        async with store_at(url, prefix) as store:
            return await work(store, *args)

    return asyncio.run(run())
