"""Plays on a server with workers as in an hour of a busy evening, and watches what it uses.

    python -m benchmarks.soak --minutes 10

Guests race in live rooms and are watched, play practice games and dailies, lose their connections
twice a second, and ask for the page and for boards. In the second half the memory, tasks and file
handles of each process must not grow beyond their noise, and when everybody has left, tasks and
file handles must be as many as before anybody came. The exit code is 1 if they are not.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from benchmarks.processes import memory
from benchmarks.servers import TIRELESS, ServerProcess
from benchmarks.soak.flat import BLOCKS, Trend, trend
from benchmarks.soak.load import TABLES, Load
from bigben_server.storage.client import ATONCE

SETTINGS: Final = {
    **TIRELESS,
    "BIGBEN_DAILY_GRADES": "",  # as usual: what prepares the dailies must not grow either
    "BIGBEN_METRICS_PORT": "0",
    "BIGBEN_CONNECTIONS_PER_ADDRESS": "10000",
    "BIGBEN_API_PER_SECOND": "1000",
}
EMPTY_S: Final = 20.0
"""How long a server may need to forget everybody who has left."""
_BAR: Final = 30

Figures = dict[str, float]
"""By the process and what is measured."""


class Watched:
    """What the processes of a server use."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        workers = enumerate(sorted(server.workers()), start=1)
        self._names = {server.pid: "parent"} | {pid: f"worker {i}" for i, pid in workers}
        if len(self._names) == 1:
            self._names = {server.pid: "server"}

    async def read(self) -> Figures:
        """The figures now. Raises OSError if a process has ended."""
        found: Figures = {}
        for pid, name in self._names.items():
            found[f"{name}, memory in KiB"] = memory(pid) / 1024
            found[f"{name}, file handles"] = len(os.listdir(f"/proc/{pid}/fd"))
        for family in text_string_to_metric_families(await asyncio.to_thread(self._metrics)):
            for sample in family.samples:
                if sample.name == "bigben_tasks":
                    found[f"{self._names[int(sample.labels['pid'])]}, tasks"] = sample.value
                elif sample.name == "bigben_redis_memory_bytes":
                    found["Redis, memory in KiB"] = sample.value / 1024
        return found

    def _metrics(self) -> str:
        with urlopen(self._server.metrics_url) as answer:
            return bytes(answer.read()).decode()


class Report:
    """What a soak has found."""

    def __init__(self, series: Mapping[str, Sequence[float]], left: Figures, done: str) -> None:
        self.trends = {name: trend(values) for name, values in sorted(series.items())}
        self.left = left
        """The tasks and file handles that nobody released."""
        self.done = done

    @property
    def faults(self) -> list[str]:
        """What is not flat. Redis keeps each game that was played, so it grows."""
        grown = [n for n, of in self.trends.items() if not (_may_grow(n) or of.flat)]
        left = [f"{name}: {n:+.0f} after everybody has left" for name, n in self.left.items()]
        return [*(f"{name} grows" for name in grown), *left]

    def __str__(self) -> str:
        width = max(map(len, self.trends))
        head = f"{'second half':<{width}}{'begin':>12}{'end':>12}{'growth':>12}{'noise':>10}"
        rows = [f"{name:<{width}}{_cells(name, of)}" for name, of in self.trends.items()]
        return "\n".join([self.done, "", head, *rows])


def _may_grow(name: str) -> bool:
    return name.startswith("Redis")


def _cells(name: str, of: Trend) -> str:
    verdict = "kept games" if _may_grow(name) else "flat" if of.flat else "GROWS"
    return f"{of.begin:>12,.1f}{of.end:>12,.1f}{of.growth:>+12,.1f}{of.noise:>10,.1f}  {verdict}"


async def soak(
    server: ServerProcess, seconds: float, draw: random.Random, *, tables: int = TABLES
) -> Report:
    """Play on a running server for so long, and report what its processes used meanwhile."""
    watched, load = Watched(server), Load(server.port, draw, tables=tables)
    before = await watched.read()
    series: defaultdict[str, list[float]] = defaultdict(list)
    async with asyncio.TaskGroup() as group:
        group.create_task(load.run())
        began, reads = monotonic(), 0
        step = min(1.0, seconds / (3 * BLOCKS))
        while (passed := monotonic() - began) < seconds or reads < 2 * BLOCKS:
            for name, value in (await watched.read()).items():
                series[name].append(value)
            reads += 1
            _show(min(passed / seconds, 1), load.done["moves"])
            await asyncio.sleep(step)
        load.stop()
    _show(1, load.done["moves"])
    print(file=sys.stderr)
    left = await _left(watched, before)
    done = ", ".join(f"{number:,} {what}" for what, number in load.done.items())
    return Report(series, left, f"{seconds / 60:g} minutes: {done}")


async def _left(watched: Watched, before: Figures) -> Figures:
    """The tasks and file handles that are still more than before, once all could be forgotten."""
    began = monotonic()
    while True:
        now = await watched.read()
        left = {n: now[n] - value for n, value in before.items() if "memory" not in n}
        # The connections to Redis of a busy moment stay open.
        left = {n: more for n, more in left.items() if more > (ATONCE if "handles" in n else 0)}
        if not left or monotonic() - began > EMPTY_S:
            return left
        await asyncio.sleep(0.5)


def _show(part: float, moves: int) -> None:
    filled = round(part * _BAR)
    bar = "#" * filled + "." * (_BAR - filled)
    print(f"\r[{bar}] {part:4.0%}  {moves:,} moves", end="", file=sys.stderr, flush=True)


async def _run(options: argparse.Namespace) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        workers = ("--workers", str(options.workers))
        server = ServerProcess(Path(folder) / "data", *workers, env=SETTINGS)
        await server.start()
        try:
            report = await soak(server, options.minutes * 60, random.Random(options.seed))
        finally:
            await server.stop()
        for line in server.complaints():
            print(line, file=sys.stderr)
        return report


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (%(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    report = asyncio.run(_run(parser.parse_args()))
    print(report)
    for fault in report.faults:
        print(fault, file=sys.stderr)
    return bool(report.faults)


if __name__ == "__main__":
    sys.exit(main())
