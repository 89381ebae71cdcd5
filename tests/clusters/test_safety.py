"""What a server says about a Redis that may lose moves, and when it does not start."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.clusters.redis_setups import Node, alone, cluster, cluster_url, watched
from tests.processes.playing import serving
from tests.support.patience import PATIENCE_S

from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.opening import client_of
from bigben_server.storage.safety import OutsideStore

Settings = tuple[str, str]

NO_FILE = (
    "Redis has no append-only file, so moves are lost with it; set `appendonly yes` and "
    "`appendfsync always`, or BIGBEN_REDIS_UNSAFE=1 if that may happen."
)
EVICTS = (
    "Redis drops keys when its memory is full (`maxmemory-policy {}`); set `maxmemory-policy "
    "noeviction`, or BIGBEN_REDIS_UNSAFE=1 if that may happen."
)
SELDOM = (
    "Redis syncs its append-only file with `appendfsync {}`, so the last moves may be lost if it "
    "dies; set `appendfsync always`."
)
REWRITES = (
    "Redis does not sync its append-only file while it rewrites it, so the last moves may be lost "
    "then; set `no-appendfsync-on-rewrite no`."
)
REPLICA = "Redis is a read-only replica; BIGBEN_REDIS_URL must name its master, or the sentinels."
GRAVE: list[tuple[Settings, str]] = [
    (("appendonly", "no"), NO_FILE),
    *((("maxmemory-policy", policy), EVICTS.format(policy)) for policy in (
        "allkeys-lru", "allkeys-random", "volatile-ttl", "volatile-lfu",
    )),
]  # fmt: skip
SLIGHT: list[tuple[Settings, str]] = [
    (("appendfsync", "everysec"), SELDOM.format("everysec")),
    (("appendfsync", "no"), SELDOM.format("no")),
    (("no-appendfsync-on-rewrite", "yes"), REWRITES),
]


@asynccontextmanager
async def store_at(url: str) -> AsyncIterator[OutsideStore]:
    async with client_of(url) as client:
        yield OutsideStore(client)


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged since the last call."""
    said = [record.getMessage() for record in caplog.records]
    assert all(record.levelno == logging.WARNING for record in caplog.records)
    caplog.clear()
    return said


async def usual(redis: Node) -> None:
    for setting in ("appendonly yes", "appendfsync always", "no-appendfsync-on-rewrite no"):
        await redis.ask("CONFIG", "SET", *setting.split())
    await redis.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")


async def test_a_redis_is_refused_or_warned_of_by_what_it_may_lose(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with alone(tmp_path) as redis, store_at(redis.url) as store:
        await store.check_safe(unsafe=False)
        assert warned(caplog) == []
        for setting, text in GRAVE:
            await redis.ask("CONFIG", "SET", *setting)
            with pytest.raises(RedisFailed) as refused:
                await store.check_safe(unsafe=False)
            assert str(refused.value) == text
            await store.check_safe(unsafe=True)
            assert warned(caplog) == [text]
            await usual(redis)
        for setting, text in SLIGHT:
            await redis.ask("CONFIG", "SET", *setting)
            await store.check_safe(unsafe=False)
            assert warned(caplog) == [text]
            await usual(redis)


async def test_a_redis_is_looked_at_again_when_it_is_back_and_its_risks_are_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with alone(tmp_path) as redis, store_at(redis.url) as store:
        await store.check_safe(unsafe=False)
        for _ in range(2):
            await redis.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
            for _ in range(3):
                await store.revive()
            assert warned(caplog) == [EVICTS.format("allkeys-lru")]
            await usual(redis)
            await store.revive()
            assert warned(caplog) == []


@pytest.mark.parametrize(
    ("forbidden", "said"),
    [
        ("-config", ["Redis does not say how often it syncs its file"]),
        ("-info", []),
        (
            "-@admin -@dangerous",
            [
                "Redis does not say whether it has an append-only file",
                "Redis does not say whether it drops keys",
            ],
        ),
    ],
)
async def test_what_a_managed_redis_does_not_say_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, forbidden: str, said: list[str]
) -> None:
    """A fact that CONFIG does not tell may be in INFO, and the other way round."""
    async with alone(tmp_path) as redis:
        user = ("ACL", "SETUSER", "bigben", "on", ">sesame", "~*", "&*", "+@all")
        await redis.ask(*user, *forbidden.split())
        async with store_at(redis.url.replace("//", "//bigben:sesame@")) as store:
            await store.check_safe(unsafe=False)
            where = "docs/durability.md says what it must promise"
            assert warned(caplog) == [f"{text}; {where}." for text in said]


async def test_a_redis_whose_settings_nobody_may_read_is_judged_by_what_it_does(
    tmp_path: Path,
) -> None:
    async with alone(tmp_path) as redis:
        await redis.ask("CONFIG", "SET", "appendonly", "no")
        await redis.ask("ACL", "SETUSER", "bigben", "on", ">sesame", "~*", "&*", "+@all", "-config")
        async with store_at(redis.url.replace("//", "//bigben:sesame@")) as store:
            with pytest.raises(RedisFailed, match="has no append-only file"):
                await store.check_safe(unsafe=False)


async def test_a_replica_is_refused_whatever_the_operator_says(tmp_path: Path) -> None:
    async with watched(tmp_path) as setup:
        async with store_at(setup.replicas[0].url) as store:
            for unsafe in (False, True):
                with pytest.raises(RedisFailed) as refused:
                    await store.check_safe(unsafe=unsafe)
                assert str(refused.value) == REPLICA
        async with store_at(setup.url) as store:
            await store.check_safe(unsafe=False)
            await setup.master.ask("CONFIG", "SET", "appendonly", "no")
            with pytest.raises(RedisFailed, match="Redis has no append-only file"):
                await store.check_safe(unsafe=False)


async def test_every_master_of_a_cluster_is_looked_at(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with cluster(tmp_path) as nodes, store_at(cluster_url(nodes)) as store:
        await store.check_safe(unsafe=False)
        for node in nodes:
            await node.ask("CONFIG", "SET", "appendonly", "no")
            name = f"Redis at 127.0.0.1:{node.port} "
            with pytest.raises(RedisFailed, match=name):
                await store.check_safe(unsafe=False)
            await store.check_safe(unsafe=True)
            assert [text.startswith(name) for text in warned(caplog)] == [True]
            await usual(node)


async def test_a_server_ends_with_one_sentence_or_starts_with_a_warning(tmp_path: Path) -> None:
    async with alone(tmp_path) as redis:
        await redis.ask("CONFIG", "SET", "appendonly", "no")
        env = {"BIGBEN_REDIS_URL": redis.url, "BIGBEN_PORT": "0"}
        done = await asyncio.to_thread(_serve, env)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"bigben serve: {NO_FILE}\n"
        data = tmp_path / "data"
        async with serving(data, env={**env, "BIGBEN_REDIS_UNSAFE": "1"}) as server:
            assert server.log().count(NO_FILE) == 1
            await redis.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
            await redis.ask("CLIENT", "KILL", "TYPE", "pubsub")
            async with asyncio.timeout(PATIENCE_S):
                while EVICTS.format("allkeys-lru") not in server.log():  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            assert server.log().count(NO_FILE) == 1


def _serve(env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bigben_server.cli"]
    path = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    return subprocess.run(
        command,
        env={**path, **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
