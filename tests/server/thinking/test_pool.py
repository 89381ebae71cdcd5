"""The pool computes in other processes, survives their deaths, and is bounded."""

import asyncio
import operator
import os
import pickle
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import pytest
from tests.server.thinking import jobs

from bigben_server.race.events import Refusal
from bigben_server.thinking.child import framed
from bigben_server.thinking.pool import PUT_OFF, Pool, Urgent


async def running(pool: Pool) -> AsyncIterator[Pool]:
    task = asyncio.create_task(pool.run())
    yield pool
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    async for one in running(Pool(1)):
        yield one


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A pipe in which a process that hangs tells who it is."""
    path = tmp_path / "ready"
    os.mkfifo(path)
    return path


async def pid_in(ready: Path) -> int:
    """The process that hangs there, once it does."""
    return int(await asyncio.to_thread(ready.read_text))


async def refused(answer: Awaitable[object]) -> str:
    with pytest.raises(Refusal) as raised:
        await answer
    return str(raised.value)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_computes_in_another_process_that_is_nice_and_has_no_keys(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIGBEN_SECRET", "s" * 32)
    pid, nice, settings = await pool.ask(jobs.whereabouts)
    assert pid != os.getpid()
    assert nice == 19
    assert settings == []
    assert (await pool.ask(jobs.whereabouts))[0] == pid


async def test_what_the_function_raises_is_raised(pool: Pool) -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        await pool.ask(operator.truediv, 1, 0)
    assert "Traceback" in raised.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Twisted: 1 and 2"):
        await pool.ask(jobs.twist)
    assert await pool.ask(operator.add, 1, 2) == 3


async def test_what_a_function_prints_is_no_answer(pool: Pool) -> None:
    assert await pool.ask(jobs.talk) == "heard"
    assert await pool.ask(operator.add, 1, 2) == 3


async def test_a_killed_process_is_replaced_and_the_question_asked_again(
    pool: Pool, ready: Path
) -> None:
    asked = asyncio.create_task(pool.ask(jobs.hang_while, ready))
    pid = await pid_in(ready)
    os.unlink(ready)
    os.kill(pid, signal.SIGKILL)
    assert await asked == "answered"


async def test_a_question_whose_process_dies_twice_is_refused(pool: Pool, ready: Path) -> None:
    asked = asyncio.create_task(pool.ask(jobs.hang, ready))
    for _ in range(2):
        os.kill(await pid_in(ready), signal.SIGKILL)
    assert await refused(asked) == "The server could not compute this; try again in a minute."
    assert await pool.ask(operator.add, 1, 2) == 3


async def test_a_caller_that_is_cancelled_ends_the_computation(pool: Pool, ready: Path) -> None:
    asked = asyncio.create_task(pool.ask(jobs.hang, ready))
    pid = await pid_in(ready)
    asked.cancel()
    assert await pool.ask(operator.add, 1, 2) == 3
    assert not alive(pid)


async def test_a_question_that_takes_too_long_is_refused(ready: Path) -> None:
    async for pool in running(Pool(1, longest_s=0.0)):
        asked = pool.ask(jobs.hang, ready)
        assert (await refused(asked)).startswith("The server could not compute this")


async def test_the_urgent_comes_first(pool: Pool, ready: Path, tmp_path: Path) -> None:
    order = tmp_path / "order"
    first = asyncio.create_task(pool.ask(jobs.hang_while, ready))
    pid = await pid_in(ready)
    os.unlink(ready)
    async with asyncio.TaskGroup() as tasks:
        for what in (Urgent.LATER, Urgent.SOON, Urgent.NOW, Urgent.COUNTDOWN, Urgent.SOON):
            tasks.create_task(pool.ask(jobs.note, order, what.name, urgent=what))
            await asyncio.sleep(0)  # it is in the queue
        os.kill(pid, signal.SIGKILL)
    await first
    assert order.read_text().split() == ["COUNTDOWN", "NOW", "SOON", "SOON", "LATER"]


async def test_what_nobody_waits_for_is_not_put_off_for_ever(
    pool: Pool, ready: Path, tmp_path: Path
) -> None:
    order = tmp_path / "order"
    first = asyncio.create_task(pool.ask(jobs.hang_while, ready))
    pid = await pid_in(ready)
    os.unlink(ready)
    async with asyncio.TaskGroup() as tasks:
        for what in (Urgent.LATER, *[Urgent.SOON] * (PUT_OFF + 5), Urgent.NOW):
            tasks.create_task(pool.ask(jobs.note, order, what.name, urgent=what))
            await asyncio.sleep(0)  # it is in the queue
        os.kill(pid, signal.SIGKILL)
    await first
    noted = order.read_text().split()
    assert (noted[0], noted.index("LATER")) == ("NOW", 1 + PUT_OFF)


async def test_each_urgency_has_a_bounded_queue(ready: Path) -> None:
    async for pool in running(Pool(1, most_waiting=1)):
        first = asyncio.create_task(pool.ask(jobs.hang, ready, urgent=Urgent.LATER))
        await pid_in(ready)
        text = await refused(pool.ask(operator.add, 1, 2, urgent=Urgent.LATER))
        assert text == "The server has too much to compute; try again in a minute."
        second = asyncio.create_task(pool.ask(operator.add, 1, 2, urgent=Urgent.NOW))
        first.cancel()
        assert await second == 3
        assert await pool.ask(operator.add, 2, 2, urgent=Urgent.LATER) == 4


async def test_without_processes_everything_is_refused() -> None:
    async for pool in running(Pool(0)):
        text = await refused(pool.ask(operator.add, 1, 2))
        assert text == "This server gives no hints, analyses or grades."


async def test_its_end_kills_the_processes_and_refuses_who_waits(ready: Path) -> None:
    pool = Pool(1)
    task = asyncio.create_task(pool.run())
    asked = [
        asyncio.create_task(pool.ask(jobs.hang, ready)),
        asyncio.create_task(pool.ask(operator.add, 1, 2)),
    ]
    pid = await pid_in(ready)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    for one in asked:
        assert await refused(one) == "The server is stopping; try again in a moment."
    assert not alive(pid)


async def test_a_process_ends_with_its_server_in_the_middle_of_a_computation(ready: Path) -> None:
    command = (sys.executable, "-m", "bigben_server.thinking.child")
    child = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=DEVNULL)
    assert child.stdin is not None
    child.stdin.write(framed(pickle.dumps((jobs.hang, (ready,)))))
    assert await pid_in(ready) == child.pid
    child.stdin.close()
    assert await child.wait() == 0
