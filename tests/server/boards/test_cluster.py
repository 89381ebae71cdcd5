"""Boards on a Redis cluster: the same contents as on one Redis, through every operation."""

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.clusters.redis_setups import cluster, cluster_url
from tests.server.boards.contents import everything
from tests.server.boards.made import Season, daily_id, player, stuck, won
from tests.server.boards.test_tied import ZOE, tie
from tests.server.packed_by_hand import pack_closed
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, GetProfile, Group, RaceId, Rules
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops.export import exported, imported
from bigben_server.ops.people.delete import delete
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import Closed, Opened, RoomAppend
from bigben_server.storage.opening import client_of
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ROOM = RaceId("K7QPXM")


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with cluster(tmp_path) as nodes:
        yield cluster_url(nodes)


async def play(store: Store) -> None:
    await People(store).create(player("ada"), Group("aces", "Aces", "CODE"), NOON)
    season = Season(store)
    await season.day("2026-11-19", {"ada": won(61_000), "bob": won(61_000), "bot:x": won(5)})
    await season.day("2026-11-20", {"bob": stuck(60, 7), "carl": won(9)})
    await season.room(ROOM, {"ada": won(70_000), "carl": won(69_000)})
    # Carl is tied to an account that has played too.
    await season.day("2026-11-18", {ZOE.id: won(8), "dora": won(7)})
    await tie(season, "carl")
    first = Opened("deadline", Rules(), "00" * 32, NOON, closes_at=NOON + 9)
    log = [RoomAppend(ROOM, 1, first), RoomAppend(ROOM, 2, Closed(NOON + 9))]
    await store.append(log, {})


async def test_a_cluster_holds_what_one_redis_does(url: str, store: Store) -> None:
    await play(store)
    expected = await everything(store)
    queries = Queries(store, clock=lambda: NOON)
    async with client_of(url) as client:
        clustered = Store(client)
        await play(clustered)
        assert await everything(clustered) == expected
        there = Queries(clustered, clock=lambda: NOON)
        for wanted in (
            GetLeaderboard(date="2026-11-20", around=True),
            GetLeaderboard(period="weekly", group="aces"),
            GetLeaderboard(period="all-time", by="rating", group="bots"),
        ):
            answer = await there.leaderboard("guest:ada", wanted)
            assert answer == await queries.leaderboard("guest:ada", wanted)
        question = GetProfile(against="guest:bob")
        profile = await there.profile(player("ada"), question)
        assert profile == await queries.profile(player("ada"), question)

        await rebuild(clustered)
        assert await everything(clustered) == expected
        lines = [line async for line in exported(clustered)]
        assert lines == [line async for line in exported(store)]
        for each in (clustered, store):
            assert await pack_closed(each) == [ROOM]
        assert lines == [line async for line in exported(clustered)]
        for each in (clustered, store):
            for n, who in enumerate(("bob", "carl", ZOE.id)):
                await delete(each, player(who), f"012{n}")
        assert await everything(clustered) == await everything(store)
        await client.flushall()
        await imported(clustered, io.StringIO("".join(lines)))
        assert await everything(clustered) == expected
        assert daily_id("2026-11-19") in repr(expected)
