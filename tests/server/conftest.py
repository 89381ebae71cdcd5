"""A real Redis for the tests that ask for one: started once a module, emptied before each."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.server.redis_processes import connected

from bigben_server.storage.client import Client
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    embedded = EmbeddedRedis(Path(tmp_path_factory.mktemp("redis")) / "data")
    url = asyncio.run(embedded.ensure())
    with connected(url) as redis:
        # What survives a kill is tested where processes are killed; here it would only be slow.
        redis.config_set("appendfsync", "no")
    yield url
    asyncio.run(embedded.close())


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[Client]:
    async with client_of(redis_url) as client:
        await client.flushall()
        yield client


@pytest.fixture
def store(client: Client) -> Store:
    return Store(client)
