"""Long work of a command: how much of it is done, and processes that share it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TextIO, TypeVar, TypeVarTuple

from bigben_server.storage.client import chunks
from bigben_server.storage.opening import store_at
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Pool

_CLEAR: Final = "\r\x1b[K"
_BAR: Final = 30
"""How many signs wide a full bar is."""

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


@asynccontextmanager
async def pool_for(work: int, *, few: int) -> AsyncIterator[Pool]:
    """A pool for a command of the operator: a process for each core, none if ``work`` is little."""
    # A command asks for what keeps all cores busy, which with many of them is more than usual.
    pool = Pool(0 if work <= few else os.cpu_count() or 1, most_waiting=sys.maxsize)
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
