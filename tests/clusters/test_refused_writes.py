"""A Redis that answers PING and keeps no writes: everything that an operator looks at says so."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.clusters.redis_setups import DURABLE, Node, alone
from tests.processes.playing import client, serving, until
from tests.processes.test_metrics import ANY_PORT, shown
from tests.processes.test_ready import get, until_status
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess

from bigben_client import Client

FULL = "Redis takes no writes: its memory is full (`maxmemory`); give it more, or find what grows"
ALONE = (
    "Redis confirms no writes: only 0 of the 1 replicas keep up that must; bring the others back, "
    "or start the servers with a smaller BIGBEN_REDIS_WAIT"
)


class Setup(NamedTuple):
    server: ServerProcess
    redis: Node
    replica: Node


@asynccontextmanager
async def replicated(folder: Path, wait: str) -> AsyncIterator[Setup]:
    """A server, its Redis, and a replica of that."""
    async with alone(folder) as redis:
        replica = Node(folder / "r1", *DURABLE, "--replicaof", "127.0.0.1", str(redis.port))
        env = {"BIGBEN_REDIS_URL": redis.url, "BIGBEN_REDIS_WAIT": wait, **ANY_PORT}
        try:
            await replica.until("master_link_status:up", "INFO", "replication")
            async with serving(folder / "data", env=env) as server:
                yield Setup(server, redis, replica)
        finally:
            replica.leave()


def admin(setup: Setup, *words: str) -> tuple[int, str]:
    """The exit code of ``bigben admin`` with the server's settings, and what it says."""
    command = "import sys; from bigben_server.ops.admin import admin; sys.exit(admin(sys.argv[1:]))"
    env = {**os.environ, "BIGBEN_REDIS_URL": setup.redis.url, "BIGBEN_REDIS_WAIT": "1"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, "-c", command, *words], env=env, capture_output=True)
    return done.returncode, (done.stdout + done.stderr).decode()


async def turn(one: Client, race: str) -> None:
    """A move that needs no thought."""
    await until(one, lambda: race in one.views)
    await one.move(race, "turn")


async def stays_unready(server: ServerProcess, sentence: str) -> None:
    """Not only at the moment at which a write has failed."""
    assert await until_status(server, 503) == sentence
    for _ in range(40):
        assert await asyncio.to_thread(get, server, "/ready") == (503, sentence)
        await asyncio.sleep(0.05)


async def test_everything_says_that_the_memory_of_redis_is_full(tmp_path: Path) -> None:
    async with replicated(tmp_path, "1") as setup, client(setup.server, "Ada") as ada:
        race = (await ada.create(practice=True)).race
        await ada.ready(race)
        await turn(ada, race)
        await setup.redis.ask("CONFIG", "SET", "maxmemory", "1")
        await stays_unready(setup.server, "The store takes no writes: its memory is full.\n")
        await shown(
            setup.server,
            **{"bigben_redis_refuses_writes{memory}": 1, "bigben_redis_up": 0, "bigben_ready": 0},
        )
        code, said = await asyncio.to_thread(admin, setup, "announce", "Back soon.")
        assert (code, said) == (1, f"bigben admin: {FULL}\n")
        # Its last report has expired, and it can't write another one.
        await setup.redis.ask("DEL", "bb:living")
        code, said = await asyncio.to_thread(admin, setup, "status")
        assert said.startswith(f"{FULL}. Moves wait, and no acknowledged one is lost.\n"), said
        assert "1 server process can't report at the moment." in said
        await setup.redis.ask("CONFIG", "SET", "maxmemory", "0")
        await until_status(setup.server, 200)
        await turn(ada, race)
        await logged(setup.server, [FULL, "Redis is back after N s"])


async def test_everything_says_that_a_replica_is_missing(tmp_path: Path) -> None:
    async with replicated(tmp_path, "1") as setup, client(setup.server, "Ada") as ada:
        race = (await ada.create(practice=True)).race
        await ada.ready(race)
        await turn(ada, race)
        setup.replica.kill()
        sentence = "The store confirms no writes: too few of its replicas keep up."
        await stays_unready(setup.server, f"{sentence}\n")
        await shown(
            setup.server, **{"bigben_redis_refuses_writes{replicas}": 1, "bigben_redis_up": 0}
        )
        code, said = await asyncio.to_thread(admin, setup, "announce", "Back soon.")
        assert (code, said) == (1, f"bigben admin: {ALONE}\n")
        async with asyncio.timeout(PATIENCE_S):  # it reports every few seconds
            while f"is not ready: {sentence}" not in said:
                code, said = await asyncio.to_thread(admin, setup, "status")
        assert said.startswith(f"{ALONE}. Moves wait, and no acknowledged one is lost.\n"), said
        assert "1 server process, " in said
        setup.replica.start()
        await until_status(setup.server, 200)
        await turn(ada, race)
        await logged(setup.server, [ALONE, "Redis is back after N s"])


async def test_play_goes_on_without_a_replica_that_nobody_waits_for(tmp_path: Path) -> None:
    async with replicated(tmp_path, "0") as setup, client(setup.server, "Ada") as ada:
        race = (await ada.create(practice=True)).race
        await ada.ready(race)
        await shown(setup.server, bigben_redis_replicas=1)
        setup.replica.kill()
        await turn(ada, race)
        await shown(setup.server, bigben_redis_replicas=0, bigben_redis_up=1)
        assert get(setup.server, "/ready") == (200, "ready\n")


async def logged(server: ServerProcess, wanted: list[str]) -> None:
    """What the log says of Redis, without the time; a line may come again after a minute."""
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while lines != wanted:
            await asyncio.sleep(0.05)
            found = re.findall(r"(?:ERROR|WARNING) (Redis .*)", server.log())
            again = [re.sub(r"after [1-9]\d* s", "after N s", line) for line in found]
            lines = list(dict.fromkeys(again))
            assert len(lines) <= len(wanted), lines
