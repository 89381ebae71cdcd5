"""``--workers``: several processes on one port, and any of them may die."""

import asyncio
import os
import random
import re
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.chaos import redis_pid
from benchmarks.chaos_players import Tally, all_move, playing
from benchmarks.homes import kill_worker
from benchmarks.homes import playing as together
from benchmarks.servers import ServerDied
from tests.clusters.redis_setups import alone
from tests.processes.playing import serving
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess
from tests.support.torture import a_seed, often
from tests.wire.peer import race_to_the_end
from tests.wire.raw import GARBAGE, line


async def until(holds: Callable[[], bool]) -> None:
    """Wait for other processes, because no message says when."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether any thread has not ended: until then, the process may accept connections."""
    process = Path(f"/proc/{pid}")
    try:
        ended = "\nState:\tZ" in (process / "status").read_text()
        return not ended or len(list((process / "task").iterdir())) > 1
    except FileNotFoundError:
        return False


def files(pid: int) -> set[int]:
    """The files that a process has open, by number."""
    return {int(file.name) for file in Path(f"/proc/{pid}/fd").iterdir()}


async def test_players_continue_on_new_workers_after_every_worker_is_killed(
    tmp_path: Path,
) -> None:
    tally = Tally()
    async with serving(tmp_path / "data", "--workers", "3") as server:
        async with playing([server.url], 9, random.Random(1), tally) as players:
            first = server.workers()
            assert len(first) == 3
            for worker in first:
                os.kill(worker, signal.SIGKILL)
                await all_move(players)
            with pytest.raises(ServerDied, match=f"port {server.port} is taken"):
                await ServerProcess(tmp_path / "other", "--workers", "2", port=server.port).start()
            await until(lambda: len(set(server.workers()) - set(first)) == 3)
            for worker in server.workers():
                os.kill(worker, signal.SIGTERM)  # which is how each of them is updated
            await all_move(players)
        last = server.workers()
    assert tally.faults == []
    assert not any(lives(pid) for pid in last)
    # The process has ended, but the kernel may still be cleaning up.
    await until(lambda: redis_pid(server.data) is None)


async def test_players_of_a_home_that_is_killed_move_on_elsewhere_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    lost: list[str] = []
    draw = random.Random(a_seed())
    async with (
        serving(tmp_path / "data", "--workers", "3") as server,
        together(server.url, often(6, 15), draw, lost) as players,
    ):
        first = server.workers()
        away = [len(await kill_worker(pid, players)) for pid in first]
    assert sum(away) >= len(players), "each of them was on one of these workers"
    assert lost == []


async def test_garbage_is_answered_with_an_error_or_not_at_all(tmp_path: Path) -> None:
    async def answer(port: int, garbage: bytes) -> bytes:
        async with line(port) as one:
            await one.write(garbage)
            one.writer.write_eof()
            return await one.rest()

    async with serving(tmp_path / "data", "--workers", "2") as server:
        for said in await asyncio.gather(*(answer(server.port, one) for one in GARBAGE.values())):
            assert re.match(rb"HTTP/1\.1 4\d\d |$", said), said[:200]
        async with line(server.port) as silent:
            await silent.write(b"GET / HTTP/1.1\r\nHost:")
            await race_to_the_end(server.url)


async def test_a_worker_that_hangs_is_replaced(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--workers", "2") as server:
        hangs, other = server.workers()
        os.kill(hangs, signal.SIGSTOP)
        await until(lambda: not lives(hangs) and len(server.workers()) == 2)
        assert other in server.workers()
        assert f"(pid {hangs}) has done nothing for 10 s; killing it" in server.log()
        await race_to_the_end(server.url)


async def test_workers_that_hang_do_not_outlive_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--workers", "2") as server:
        workers = server.workers()
        os.kill(workers[0], signal.SIGSTOP)
    assert not any(map(lives, workers))


async def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--workers", "2") as server:
        workers = server.workers()
        await server.kill()
        await until(lambda: not any(map(lives, workers)) and redis_pid(server.data) is None)
        await server.start()  # on the same port


async def test_a_worker_that_can_not_start_again_is_started_later(tmp_path: Path) -> None:
    async with (
        alone(tmp_path) as redis,
        serving(tmp_path / "data", "--workers", "2", env={"BIGBEN_REDIS_URL": redis.url}) as server,
    ):
        first = set(server.workers())
        redis.kill()
        os.kill(min(first), signal.SIGKILL)
        await until(lambda: bool(set(server.workers()) - first))
        await until(lambda: set(server.workers()) < first)  # it found no Redis
        redis.start()
        await until(lambda: len(server.workers()) == 2)
        await race_to_the_end(server.url)


async def test_a_worker_is_started_again_once_files_can_be_opened(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--workers", "2") as server:
        killed, other = server.workers()
        usual = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        # Enough for a connection, which is handed over at once, and too few for a process.
        few = [number for number in range(1_000) if number not in files(server.pid)][1] + 1
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (few, usual[1]))
        os.kill(killed, signal.SIGKILL)
        await until(lambda: not lives(killed) and server.workers() == [other])
        await race_to_the_end(server.url)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, usual)
        await until(lambda: len(server.workers()) == 2)
