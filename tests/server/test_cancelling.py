"""A task that is cancelled while it talks to Redis ends, whatever redis-py makes of it."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with EmbeddedRedis(tmp_path / "data") as url, client_of(url) as client:
        yield Store(client)


async def test_no_cancellation_gets_lost_on_its_way_through_redis_py(store: Store) -> None:
    chance = random.Random(1)

    async def asks_on_and_on() -> None:
        while True:
            await store.ping()
            task = asyncio.current_task()
            assert task is not None
            assert not task.cancelling(), "the question was answered, and the cancellation lost"

    for _ in range(200):
        task = asyncio.create_task(asks_on_and_on())
        for _ in range(chance.randrange(60)):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
