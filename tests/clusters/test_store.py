"""The store and pub/sub in a cluster and with replicas, when a node dies."""

import asyncio
import contextlib
import random
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.driver.races import Racing, raced
from benchmarks.packing import ANY, stored
from tests.clusters.redis_setups import Node, alone, cluster, cluster_url, watched
from tests.server.relaying import Process, beating, know_each_other, move, news, process
from tests.server.stage import ADA
from tests.support.times import NOON

from bigben_protocol import PlayerId, RaceId
from bigben_server.config import BadSetting
from bigben_server.race.events import Joined, Player, RoomAppend
from bigben_server.storage import pubsub
from bigben_server.storage.client import PartlyLost, StoreLost, sound
from bigben_server.storage.keys import Keys
from bigben_server.storage.log_reading import Part, read_logs
from bigben_server.storage.opening import client_of, connect
from bigben_server.storage.packing.work import AGE_MS, PackingWork
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.storage.safety import OutsideStore, prove_writes
from bigben_server.thinking import packer
from bigben_server.thinking.packer import Packer
from bigben_server.thinking.pool import Pool

RACES = [RaceId(f"RACE{letter}") for letter in "ABCDEFGHIJ"]
"""Enough keys for every node of a cluster of three."""


def joined(race: RaceId, k: int = 1) -> RoomAppend:
    return RoomAppend(race, k, Joined(ADA.id, ADA.name, NOON))


async def until_it_answers(store: Store) -> None:
    while True:
        try:
            return await store.ping()
        except StoreLost:
            await asyncio.sleep(0.05)


async def test_a_cluster_keeps_its_data_and_each_race_continues_with_its_own_node(
    tmp_path: Path,
) -> None:
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        store = Store(client)
        await store.ping()
        appends = [joined(race) for race in RACES]
        assert not await store.append(appends, dict.fromkeys(RACES, NOON))
        assert await store.append([*appends, joined(RaceId("OTHER"))], {}) == {
            (race, None) for race in RACES
        }
        assert await store.due(NOON) == RACES
        on = {race: await _node_of(race, nodes) for race in RACES}
        assert set(on.values()) == set(nodes)

        nodes[0].kill()
        with pytest.raises(StoreLost):
            await store.append([joined(race, 2) for race in RACES], {})
        for race in RACES:
            if on[race] is nodes[0]:
                with pytest.raises(StoreLost):
                    await store.events(race)
            else:  # Whether or not the first try wrote it, it is there once.
                await store.append([joined(race, 2)], {})
                assert len(await store.events(race)) == 2

        nodes[0].start()
        await until_it_answers(store)
        for race in RACES:
            await store.append([joined(race, 2)], {})
            assert await store.events(race) == [joined(race).event] * 2
        with pytest.raises(StoreLost, match="only 0 of the 1 replicas"):
            await Store(client, replicas=1).append([joined(race, 3) for race in RACES], {})


async def _node_of(race: RaceId, nodes: list[Node]) -> Node:
    for node in nodes:
        if Keys().room_log(race) in await node.ask("KEYS", "*"):
            return node
    raise AssertionError(f"{race} is nowhere")


async def test_a_cluster_works_while_any_of_its_masters_does(tmp_path: Path) -> None:
    """So the servers stay ready for the players of the other races."""
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        store = Store(client)
        assert await prove_writes(store) == (True, [])
        nodes[0].send_signal(signal.SIGSTOP)
        nodes[1].kill()
        for _ in range(2):
            works, lost = await prove_writes(store)
            assert (works, len(lost)) == (True, 2)
        nodes[2].kill()
        nodes[0].kill()
        works, lost = await prove_writes(store)
        assert (works, len(lost)) == (False, 3)


async def test_a_cluster_works_while_any_of_its_masters_has_memory(tmp_path: Path) -> None:
    """Races on the others continue, and the operator learns of the one that is full."""
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        store = Store(client)
        await store.append([joined(race) for race in RACES], {})
        await nodes[0].ask("CONFIG", "SET", "maxmemory", "1")
        works, (full,) = await prove_writes(store)
        assert (works, full.trouble.kind) == (True, "memory")
        on = {race: await _node_of(race, nodes) for race in RACES}
        with pytest.raises(PartlyLost, match="its memory is full") as partly:
            await store.append([joined(race, 2) for race in RACES], {})
        assert partly.value.trouble.kind == "memory"
        assert partly.value.lost == {(race, None) for race in RACES if on[race] is nodes[0]}
        with pytest.raises(StoreLost, match="its memory is full"):
            await OutsideStore(client).revive()


async def test_a_process_subscribes_whichever_node_is_away(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        store = Store(client)
        await store.ping()
        for node in nodes:
            node.kill()
            wire, subscribed = PubSub(store, "here"), False
            listening = asyncio.ensure_future(anext(wire.updates()))
            while not subscribed:
                try:
                    await wire.subscribe(RACES[0])
                    subscribed = True
                except StoreLost:  # the node that it has chosen is away
                    await wire.again()
            listening.cancel()
            await asyncio.wait((listening,))
            await wire.close()
            node.start()
            await until_it_answers(store)


async def test_processes_at_different_nodes_hear_each_other_even_after_a_node_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "BEAT_S", 0.1)
    async with (
        cluster(tmp_path) as nodes,
        client_of(cluster_url(nodes)) as here,
        client_of(cluster_url(nodes)) as there,
        process(here, "here") as teller,
        process(there, "there") as listener,
        beating(teller),
        beating(listener),
    ):
        await know_each_other(teller, listener, *RACES)
        assert await told_all(teller, listener, 1)
        (its_node,) = [n for n in nodes if ":there:" in await n.ask("PUBSUB", "SHARDCHANNELS")]
        its_node.kill()
        await listener.lost.wait()
        its_node.start()
        for each in (teller, listener):
            await until_it_answers(each.store)
        await know_each_other(teller, listener, *RACES)
        assert await told_all(teller, listener, 2)


async def told_all(teller: Process, listener: Process, n: int) -> bool:
    """Tell it until it is heard: the nodes may not be connected with each other again."""
    hearing = asyncio.create_task(hear_all(listener, n))
    while not hearing.done():
        teller.tell_later(*(move(n, race) for race in RACES))
        await asyncio.wait([hearing], timeout=0.05)
    return await hearing


async def hear_all(listener: Process, n: int) -> bool:
    for race in RACES:
        await listener.hears_until(news(n, race))
    return True


async def test_a_pubsub_connection_that_is_cut_repeatedly_is_only_lost(
    tmp_path: Path,
) -> None:
    """The subscriber may notice the break before or after the listener."""
    chance = random.Random(1)
    async with alone(tmp_path) as redis, client_of(redis.url) as client:
        wire = PubSub(Store(client), "here")

        async def listen() -> None:
            while True:
                with contextlib.suppress(StoreLost):
                    async for _ in wire.updates():
                        pass
                with contextlib.suppress(StoreLost):
                    await wire.again()

        async def subscribe(n: int) -> None:
            with contextlib.suppress(StoreLost):
                await wire.subscribe(RaceId(f"RACE{n}"))

        async with asyncio.TaskGroup() as group:
            listening = group.create_task(listen())
            for cut in range(10):
                cutting = group.create_task(redis.ask("CLIENT", "KILL", "TYPE", "pubsub"))
                subscribing: list[asyncio.Task[None]] = []
                for n in range(30):
                    subscribing.append(group.create_task(subscribe(100 * cut + n)))
                    for _ in range(chance.randrange(20)):
                        await asyncio.sleep(0)
                await asyncio.gather(cutting, *subscribing)
            listening.cancel()
        await wire.close()


async def test_moves_that_replicas_lack_are_neither_acknowledged_nor_shown(tmp_path: Path) -> None:
    async with watched(tmp_path) as setup, client_of(setup.url) as client:
        store, hasty = Store(client, replicas=2), Store(client)
        race, *_ = RACES
        await store.append([joined(race)], {})
        assert len(await store.events(race)) == 1
        slow = setup.replicas[0]
        slow.send_signal(signal.SIGSTOP)
        with pytest.raises(StoreLost, match="only 1 of the 2 replicas"):
            await store.append([joined(race, 2)], {})
        # The move is in the log, and a process that reads it could send it to its player.
        assert len(await hasty.events(race)) == 2
        with pytest.raises(StoreLost, match="only 1 of the 2 replicas"):
            await store.events(race)
        slow.send_signal(signal.SIGCONT)
        await until_it_answers(store)
        assert await store.append([joined(race, 2)], {}) == {(race, None)}
        assert len(await store.events(race)) == 2


async def test_idle_connections_that_redis_has_closed_are_not_used(tmp_path: Path) -> None:
    async with alone(tmp_path) as redis, client_of(redis.url) as client:
        store = Store(client)
        for _ in range(2):
            # Three at once need three connections, which are idle afterwards.
            assert await asyncio.gather(*(store.due(NOON) for _ in range(3))) == [[], [], []]
            redis.kill()
            redis.start()
            await redis.until("PONG", "PING")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://localhost",
        "redis://localhost:port",
        "redis://[::1",
        "redis+sentinel://localhost:26379",
        "redis+sentinel://localhost:x/name",
        "redis+cluster://",
        "redis+cluster://localhost:6379,:6380",
    ],
)
def test_an_invalid_redis_url_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(BadSetting, match="BIGBEN_REDIS_URL"):
        connect(url)


async def test_races_are_packed_although_the_nodes_of_a_cluster_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packer, "REST", 0)
    async with cluster(tmp_path) as nodes, client_of(cluster_url(nodes)) as client:
        store, people = Store(client), [Player(PlayerId(f"guest:{who}"), who) for who in "ab"]
        races = [raced("germanclock", people, random.Random(n), NOON, moves=ANY) for n in range(12)]
        await stored(store, races)
        before = await logs_of(store, races)
        now, progress = max(one.now for one in races) + AGE_MS, PackingWork(store).progress
        for done, node in enumerate(nodes, start=1):
            packing = asyncio.create_task(packed(store, now))
            while (await progress()).looked < 3 * done:  # noqa: ASYNC110
                await asyncio.sleep(0)
            node.kill()
            with contextlib.suppress(StoreLost):
                await packing
            node.start()
            await until_it_answers(store)
            assert await logs_of(store, races) == before
        while (await progress()).looked < len(races):
            await packed(store, now)
        assert await logs_of(store, races) == before
        there = await store.ask(*(("EXISTS", store.keys.packed(one.race.id)) for one in races))
        assert there == [1] * len(races)


async def packed(store: Store, now: int) -> None:
    await store.ask(("DEL", store.keys.packer))  # the lease of one that died
    await Packer(store, Pool(0), lambda: now).look()


async def logs_of(store: Store, races: Sequence[Racing]) -> list[object]:
    """All entries of these races, packed or not."""
    parts = [Part(one.race.id, who) for one in races for who in (None, *one.race.seats)]
    found = await read_logs(store, parts)
    return [[(id_, [*words]) for id_, words in sound(log)] for log in found]
