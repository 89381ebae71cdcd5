"""What ``/ready``, ``/health`` and ``/version`` say, while Redis dies, hangs and comes back."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import closing
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.clusters.redis_setups import Node, alone
from tests.processes.playing import serving
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess


class Setup(NamedTuple):
    redis: Node
    server: ServerProcess


@pytest.fixture
async def setup(tmp_path: Path) -> AsyncIterator[Setup]:
    async with (
        alone(tmp_path) as redis,
        serving(tmp_path / "data", env={"BIGBEN_REDIS_URL": redis.url}) as server,
    ):
        yield Setup(redis, server)


def get(server: ServerProcess, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.status, answer.read().decode()


async def until_status(server: ServerProcess, status: int) -> str:
    async with asyncio.timeout(PATIENCE_S):
        while (answer := await asyncio.to_thread(get, server, "/ready"))[0] != status:
            assert await asyncio.to_thread(get, server, "/health") == (200, "ok\n")
            await asyncio.sleep(0.05)
    return answer[1]


async def test_a_server_is_not_ready_soon_after_its_redis_hangs_and_ready_when_it_is_back(
    setup: Setup,
) -> None:
    assert get(setup.server, "/ready") == (200, "ready\n")
    setup.redis.send_signal(signal.SIGSTOP)
    try:
        assert await until_status(setup.server, 503) == "The store does not answer.\n"
        await _until_logged(setup.server, "Redis is away: it does not answer")
    finally:
        setup.redis.send_signal(signal.SIGCONT)
    await until_status(setup.server, 200)
    await _until_logged(setup.server, "Redis is back after ")


async def test_a_server_is_not_ready_soon_after_its_redis_dies_and_ready_when_it_is_back(
    setup: Setup,
) -> None:
    """It says what it is, whatever happens."""
    setup.redis.kill()
    await until_status(setup.server, 503)
    status, body = get(setup.server, "/version")
    assert status == 200
    assert json.loads(body) == {
        "version": version("bigben-race"),
        "protocols": ["bigben.v1.json", "bigben.v1.msgpack"],
    }
    setup.redis.start()
    await until_status(setup.server, 200)


async def _until_logged(server: ServerProcess, words: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while words not in server.log():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
