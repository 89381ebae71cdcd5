"""Deleted data is in no append-only file of any node."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.clusters.redis_setups import Node, alone, cluster, cluster_url
from tests.server.boards.made import Season, won

from bigben_server.ops.admin import admin
from bigben_server.storage.admin.maintenance import rewrite
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

KEYS = [f"bb:test:{n}" for n in range(30)]
"""Enough keys for every node of a cluster of three."""


async def write_and_delete(store: Store) -> None:
    await store.ask(*(("SET", key, "Countess Ada") for key in KEYS))
    await store.ask(*(("SET", key, "nobody") for key in KEYS))


def file_of(folder: Path) -> bytes:
    """From Redis 7 on there are several files."""
    return b"".join(f.read_bytes() for f in folder.rglob("appendonly.aof*") if f.is_file())


async def test_every_node_of_a_cluster_rewrites_its_file(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        store = Store(client)
        await write_and_delete(store)
        assert all(b"Countess Ada" in file_of(tmp_path / name) for name in "abc")
        await done(rewrite(store))
        for name in "abc":
            assert b"Countess Ada" not in file_of(tmp_path / name)
            assert b"nobody" in file_of(tmp_path / name)


async def test_a_rewrite_that_is_already_running_is_awaited_and_repeated(tmp_path: Path) -> None:
    async with alone(tmp_path) as node, client_of(node.url) as client:
        store = Store(client)
        # So slow that a rewrite takes a while.
        await node.ask("CONFIG", "SET", "rdb-key-save-delay", 20_000)
        await store.ask(*(("SET", key, "Countess Ada") for key in KEYS))
        await store.everywhere("BGREWRITEAOF")
        await store.ask(*(("SET", key, "nobody") for key in KEYS))
        await done(rewrite(store))
        assert b"Countess Ada" not in file_of(tmp_path / "redis")
        assert b"nobody" in file_of(tmp_path / "redis")


async def test_a_redis_without_an_append_only_file_has_nothing_to_rewrite(tmp_path: Path) -> None:
    async with alone(tmp_path) as node, client_of(node.url) as client:
        await node.ask("CONFIG", "SET", "appendonly", "no")
        before = await forks_of(node)
        await done(rewrite(Store(client)))
        assert await forks_of(node) == before


async def test_the_operator_is_told_where_redis_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with alone(tmp_path) as node, client_of(node.url) as client:
        store = Store(client)
        await Season(store).day("2026-11-21", {"ada": won(61_000)})
        await node.ask("ACL", "SETUSER", "default", "-bgrewriteaof")
        monkeypatch.setenv("BIGBEN_REDIS_URL", node.url)
        assert await asyncio.to_thread(admin, ["delete-player", "guest:ada"]) == 1
        said = capsys.readouterr().err
        assert said.startswith("bigben admin: guest:ada is gone from Redis, but")
        assert "permission" in said
        assert "BGREWRITEAOF" in said
        assert "guest:ada" not in await node.ask("KEYS", "*")


async def done(rewriting: AsyncIterator[tuple[int, int]]) -> None:
    """Run the whole command, and ignore its progress."""
    assert all([done <= of async for done, of in rewriting])


async def forks_of(node: Node) -> int:
    """How often the node has begun a rewrite."""
    said = await node.ask("INFO", "stats")
    return int(said.partition("total_forks:")[2].split()[0])
