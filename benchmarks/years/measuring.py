"""Measures a data folder that has years of games in it: memory, a start, and long commands."""

import asyncio
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.processes import memory
from benchmarks.servers import ServerProcess
from bigben_protocol import GetProfile, PlayerId
from bigben_server.leaderboards.queries import Queries
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.keys import Keys, race_of
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.opening import store_at
from bigben_server.storage.race_log import Store

_KEYS: Final = Keys()
_AT_ONCE: Final = 1_000
_KINDS: Final = {
    "{closed}": "list of closed races",
    "}:packed": "packed races",
    "}:room": "logs",
    "}:seat:": "logs",
    "}:results": "results",
    ":history:": "histories",
    ":board:{daily.": "boards of days",
    ":board:": "boards of weeks and longer",
    ":rating:": "ratings",
    ":names": "players",
    ":player:": "players",
    "": "the rest",
}
"""What a key is counted as: by the first of these texts that is in it."""
_COMMANDS: Final = ("backup", "check", "export", "rebuild-boards")

_PROFILES: Final = 10

Row = tuple[str, str]


class Cost(NamedTuple):
    """What a command took."""

    wall_s: float
    cpu_s: float
    """Of all its processes."""
    redis_s: float
    peak: int
    """The most memory of its first process, in bytes."""

    def __str__(self) -> str:
        cpu = f"{self.cpu_s:.1f} s of CPU, Redis {self.redis_s:.1f} s"
        return f"{self.wall_s:.1f} s; {cpu}; {_size(self.peak)}"


async def measure(data: Path, scratch: Path) -> AsyncIterator[Row]:
    """What is measured, and the figures. ``scratch``: a folder for backups and exports."""
    began = time.monotonic()
    async with EmbeddedRedis(data) as url, store_at(url, _KEYS.prefix) as store:
        yield "Redis loads its files", f"{time.monotonic() - began:.1f} s, {_size(_files(data))}"
        async for row in _stored(store):
            yield row
        async for row in _started(data, store, scratch):
            yield row


async def _started(data: Path, store: Store, scratch: Path) -> AsyncIterator[Row]:
    server = ServerProcess(data)
    before, began = await _served(store), time.monotonic()
    await server.start()
    try:
        took = time.monotonic() - began
        asked, sent = (after - b for after, b in zip(await _served(store), before, strict=True))
        said = f"{took:.1f} s; Redis answers {asked} commands with {_size(sent)}"
        yield "a server starts", said
        yield "memory of the server, of Redis", f"{_size(memory(server.pid))}, {await _used(store)}"
        yield "a profile of a player", await _profiled(store)
        for command in _COMMANDS:
            words = {"backup": [scratch / "backup"], "export": [scratch / "export"]}
            cost = await _cost(store, data, command, *words.get(command, []))
            yield f"`{command}`", str(cost)
    finally:
        await server.stop()


async def _profiled(store: Store) -> str:
    """How long the player waits who has played most, at most."""
    histories = [key async for key in store.scan(_KEYS.history(PlayerId("")))]
    sizes = await store.ask(*(("HLEN", key) for key in histories))
    games, key = max(zip(sizes, histories, strict=True))
    player = PlayerId(key.removeprefix(_KEYS.history(PlayerId(""))))
    queries, began = Queries(store, clock=lambda: time.time_ns() // 1_000_000), time.monotonic()
    for _ in range(_PROFILES):
        await queries.profile(player, GetProfile())
    return f"{1000 * (time.monotonic() - began) / _PROFILES:.0f} ms of {games:,} games"


async def _stored(store: Store) -> AsyncIterator[Row]:
    """How much memory of Redis each kind of key takes."""
    sizes, counts, games, moves = Counter[str](), Counter[str](), 0, 0
    async for some in _keys(store):
        answers = await store.ask(*(("MEMORY", "USAGE", key, "SAMPLES", 0) for key in some))
        for key, size in zip(some, answers, strict=True):
            kind = next(kind for text, kind in _KINDS.items() if text in key)
            sizes[kind] += size or 0
            counts[kind] += 1
        races = [race_of(key) for key in some if key.endswith("}:results")]
        for found in store.readable(await Boards(store).results_of(races)):
            games += len(found)
            moves += sum(one.result.moves for one in found)
    yield "games, moves each, keys", f"{games:,}, {moves / games:.0f}, {counts.total():,}"
    for kind in dict.fromkeys(_KINDS.values()):
        if counts[kind]:
            said = f"{sizes[kind] / games:.0f} bytes a game, {_size(sizes[kind])}"
            yield kind, f"{said}, {counts[kind]:,} keys"
    (about,) = await store.ask(("INFO", "memory"))
    used = about["used_memory"]
    yield "memory of Redis", f"{used / games:.0f} bytes a game, {_size(used)}"


async def _keys(store: Store) -> AsyncIterator[list[str]]:
    """All keys, some at a time."""
    some: list[str] = []
    async for key in store.scan(_KEYS.all):
        some.append(key)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    yield some


async def _cost(store: Store, data: Path, *words: str | Path) -> Cost:
    redis, began = await _redis_s(store), time.monotonic()
    used = await asyncio.to_thread(_run, "--data", data, *words)
    wall, redis = time.monotonic() - began, await _redis_s(store) - redis
    return Cost(wall, used.ru_utime + used.ru_stime, redis, used.ru_maxrss * 1024)


def _run(*words: str | Path) -> resource.struct_rusage:
    """Run a command of the operator. Raises AssertionError if it fails."""
    command = [sys.executable, "-m", "bigben_terminal", "admin", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{words} failed"
    return used


async def _served(store: Store) -> tuple[int, int]:
    """How many commands Redis has carried out, and how many bytes it has answered."""
    (about,) = await store.ask(("INFO", "stats"))
    return about["total_commands_processed"], about["total_net_output_bytes"]


async def _redis_s(store: Store) -> float:
    (about,) = await store.ask(("INFO", "cpu"))
    return float(about["used_cpu_user"]) + float(about["used_cpu_sys"])


async def _used(store: Store) -> str:
    (about,) = await store.ask(("INFO", "memory"))
    return _size(about["used_memory_rss"])


def _files(data: Path) -> int:
    return sum(file.stat().st_size for file in data.rglob("*") if file.is_file())


def _size(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"
