"""Writes the figures of one process into the files that ``serving`` reads, once a second.

The files are those of prometheus_client's multiprocess mode, also for one process. Its own values
would take a lock and a write to the file for every move.
"""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import cache
from os import getpid
from pathlib import Path
from time import perf_counter, thread_time
from typing import Final

from prometheus_client.mmap_dict import MmapedDict, mmap_key

from bigben_server.counters import Distribution
from bigben_server.metrics import shared
from bigben_server.metrics.figures import Figure, Labels, Probes, counted, measured
from bigben_server.metrics.shared import Shared, checksum
from bigben_server.readiness import Readiness
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.registry import Rooms
from bigben_server.storage.admin.vitals import vitals
from bigben_server.storage.client import StoreLost

_log = logging.getLogger(__name__)

WRITE_S: Final = 1.0
"""How often the figures are written, if that takes no longer than usual."""
_REST: Final = 200
"""How much longer than writing the pause after it is at least: with 10,000 connections it takes 10
ms, in which nobody is served."""
_LAG_S: Final = 0.25
"""How often the event loop is timed."""
_PROBE_S: Final = 5.0
"""How often Redis is asked about itself, and the disk how full it is."""
_AGAIN_S: Final = 60.0
"""The pause after a failure, which is logged."""


class Files:
    """The files of this process in the folder of all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pid = getpid()
        self._open: dict[str, MmapedDict] = {}

    def write(self, figures: Iterable[Figure]) -> None:
        for figure in figures:
            for labels, value in figure.values.items():
                if isinstance(value, Distribution):
                    bounds = [*value.bounds, float("inf")]
                    for bound, count in zip(bounds, value.counts, strict=True):
                        self._put(figure, labels, count, "_bucket", bound)
                    self._put(figure, labels, value.sum, "_sum")
                else:
                    self._put(figure, labels, value, "_total" * (figure.kind == "counter"))

    def close(self) -> None:
        for file in self._open.values():
            file.close()  # type: ignore[no-untyped-call]  # prometheus_client's gap, as below

    def _put(
        self, figure: Figure, labels: Labels, value: float, suffix: str, bound: float | None = None
    ) -> None:
        kind = f"gauge_{figure.mode}" if figure.kind == "gauge" else figure.kind
        if kind not in self._open:
            # A new file is empty, and reading an empty one fails.
            path = self._folder / f"{kind}_{self._pid}.db"
            new = path.with_suffix(".new")
            self._open[kind] = MmapedDict(str(new))  # type: ignore[no-untyped-call]
            new.replace(path)
        key = _key(figure.name, suffix, figure.labels, labels, bound, figure.help)
        self._open[kind].write_value(key, float(value), 0.0)  # type: ignore[no-untyped-call]


@cache
def _key(
    name: str, suffix: str, names: Labels, labels: Labels, bound: float | None, text: str
) -> str:
    if bound is not None:
        names, labels = (*names, "le"), (*labels, str(bound))
    return mmap_key(name, name + suffix, list(names), list(labels), text)


class _CountLines(logging.Handler):
    def __init__(self, probes: Probes) -> None:
        super().__init__()
        self._lines = probes.log_lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines[record.levelname] = self._lines.get(record.levelname, 0) + 1


@asynccontextmanager
async def written(
    folder: Path | None, rooms: Rooms, quotas: Quotas, readiness: Readiness, data: Path
) -> AsyncIterator[None]:
    """Write the figures until the block is left; None for a server without metrics.

    ``data``: the data folder, which need not be there.
    """
    if folder is None:
        yield
        return
    probes, files = Probes(), Files(folder)

    def write() -> None:
        files.write(counted())
        files.write(measured(rooms, readiness, probes))
        now, had = rooms.clock(), Shared(set(map(checksum, quotas.players())), {})
        for code, room in rooms.items():
            had.races[checksum(code)] = room.race.opened.kind, room.race.phase(now)
        shared.write(had, folder, getpid())

    write()
    count_lines = _CountLines(probes)
    logging.getLogger().addHandler(count_lines)
    tasks = [
        asyncio.create_task(_often(lambda: _beat(folder))),
        asyncio.create_task(_often(lambda: _write(write))),
        asyncio.create_task(_often(lambda: _ask_redis(rooms, probes))),
        asyncio.create_task(_often(lambda: _look_at_disk(data, probes))),
        asyncio.create_task(_often(lambda: _time_loop(probes))),
    ]
    try:
        yield
    finally:
        logging.getLogger().removeHandler(count_lines)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        files.close()


@asynccontextmanager
async def counts_written(folder: Path | None) -> AsyncIterator[None]:
    """Write what a parent of workers counts until the block is left; None as for ``written``."""
    if folder is None:
        yield
        return
    files = Files(folder)
    task = asyncio.create_task(_often(lambda: _write(lambda: files.write(counted()))))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        files.close()


async def _often(run: Callable[[], Awaitable[None]]) -> None:
    """Run this until cancelled, whatever it raises."""
    while True:
        try:
            await run()
        except Exception:
            _log.exception("the metrics could not be written")
            await asyncio.sleep(_AGAIN_S)


async def _write(write: Callable[[], None]) -> None:
    await asyncio.sleep(rest_after(write))


def rest_after(write: Callable[[], None]) -> float:
    """Call it, and return how many seconds to wait until it may be called again.

    Only its CPU counts: on a busy machine it waits for others, and takes nothing from players.
    """
    began = thread_time()
    write()
    return max(WRITE_S, _REST * (thread_time() - began))


async def _beat(folder: Path) -> None:
    """Apart from the figures, which a process with many connections writes seldom."""
    shared.beat(folder, getpid())
    await asyncio.sleep(WRITE_S)


async def _time_loop(probes: Probes) -> None:
    began = perf_counter()
    await asyncio.sleep(_LAG_S)
    probes.lag.add(max(perf_counter() - began - _LAG_S, 0))


async def _look_at_disk(data: Path, probes: Probes) -> None:
    with suppress(FileNotFoundError):
        found = await asyncio.to_thread(shutil.disk_usage, data)
        probes.disk = found.free, found.total
    await asyncio.sleep(_PROBE_S)


async def _ask_redis(rooms: Rooms, probes: Probes) -> None:
    """Nothing changes while Redis is away; others notice that."""
    with suppress(StoreLost):
        probes.vitals = await vitals(rooms.store)
    await asyncio.sleep(_PROBE_S)
