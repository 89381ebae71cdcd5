"""A connection to Redis that breaks anywhere in an exchange: no answer is taken for another one."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.server.stage import ADA, ROOM
from tests.support.times import NOON

from bigben_server.race.events import BEGIN, NOTHING, Entry, SeatAppend, SeatStatus
from bigben_server.storage import exchange
from bigben_server.storage.client import StoreLost
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

NEVER = sys.maxsize


class Proxy:
    """Stands between a client and Redis, and cuts every connection after some bytes."""

    def __init__(self, redis: str) -> None:
        self._redis = redis
        self.requests = self.answers = NEVER
        """How many bytes may still pass in each direction."""

    async def serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        redis, to = await asyncio.open_unix_connection(self._redis)

        async def pass_on(
            reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: str
        ) -> None:
            with suppress(ConnectionError):
                while getattr(self, budget) > 0 and (some := await reader.read(2**16)):
                    passed = some[: getattr(self, budget)]
                    setattr(self, budget, getattr(self, budget) - len(passed))
                    writer.write(passed)
                    await writer.drain()
            to.close()
            back.close()

        await asyncio.gather(pass_on(client, to, "requests"), pass_on(redis, back, "answers"))


@asynccontextmanager
async def proxied(redis_url: str, folder: Path) -> AsyncIterator[tuple[Proxy, Store]]:
    proxy = Proxy(redis_url.removeprefix("unix://").partition("?")[0])
    path = folder / "proxy"
    server = await asyncio.start_unix_server(proxy.serve, path)
    try:
        async with client_of(f"unix://{path}") as client:
            yield proxy, Store(client)
    finally:
        server.close()


def move(n: int) -> SeatAppend:
    text = "turn" if n else BEGIN
    status = SeatStatus("playing", n, 12, n * 10, 0, NOON)
    return SeatAppend(ROOM, ADA.id, Entry(n, n * 10, text), status, n - 1 if n else NOTHING)


async def moves(store: Store) -> int:
    return (await store.entries(ROOM, ADA.id))[-1].n


@pytest.mark.parametrize("budget", ["requests", "answers"])
async def test_a_connection_may_break_after_any_byte(
    redis_url: str, client: Redis, tmp_path: Path, budget: str
) -> None:
    """Each time some commands are lost, or their answers, and the next exchange is correct."""
    async with proxied(redis_url, tmp_path) as (proxy, store):
        other = Store(client)
        await other.append([move(0)], {})
        n, cut, lost = 0, 0, True
        while lost:
            setattr(proxy, budget, cut)
            try:
                await store.append([move(n + 1)], {ROOM: NOON})
                lost = False
            except StoreLost:
                setattr(proxy, budget, NEVER)
                assert await store.due(NOON - 1) == []
                assert await moves(store) == await moves(other)
            written = await moves(other)
            assert written in ((n, n + 1) if lost else (n + 1,))
            n, cut = written, cut + 1
        assert n > 0
        assert cut > 10


async def test_an_exchange_may_be_cancelled_at_any_step(
    redis_url: str, client: Redis, tmp_path: Path
) -> None:
    async with proxied(redis_url, tmp_path) as (_, store):
        await store.append([move(0)], {})
        n, steps, cancelled = 0, 0, True
        while cancelled:
            task = asyncio.create_task(store.append([move(n + 1)], {}))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            cancelled = isinstance(
                (await asyncio.gather(task, return_exceptions=True))[0], asyncio.CancelledError
            )
            assert await store.due(NOON) == []
            n, steps = await moves(store), steps + 1
        assert steps > 3
        assert n == await moves(Store(client))


async def test_a_connection_that_another_task_closes_before_it_sends_is_lost(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """redis-py then finds no writer, and raises an AttributeError."""
    connection = await client.connection_pool.get_connection()  # type: ignore[no-untyped-call]

    async def closed_by_another_task() -> None:
        await connection.disconnect(nowait=True)

    monkeypatch.setattr(connection, "check_health", closed_by_another_task)
    with pytest.raises(RedisConnectionError, match="closed meanwhile"):
        await exchange.on(connection, [("PING",)], {})
