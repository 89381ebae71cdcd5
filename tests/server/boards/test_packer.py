"""Races that are over are packed: after an hour, once, and only if nothing is lost."""

import asyncio
from functools import partial
from itertools import count
from typing import Any

import pytest
from tests.server.boards.made import Dies, Season
from tests.server.guests import Guest, running
from tests.server.stage import NONCE
from tests.server.thinking import jobs
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Create,
    Diff,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Reveal,
    Room,
    Snapshot,
    Start,
    Welcome,
)
from bigben_server.ops.people.delete import delete
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.events import Joined
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.entries import as_sent
from bigben_server.storage.exchange import Raw
from bigben_server.storage.packing.checking import checked_part
from bigben_server.storage.packing.swapping import Swaps
from bigben_server.storage.packing.value import SEATS, Logs, unpack
from bigben_server.storage.packing.work import AGE_MS, PackingWork, Progress
from bigben_server.storage.race_log import Store
from bigben_server.thinking import packer
from bigben_server.thinking.packer import Packer
from bigben_server.thinking.pool import Pool


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packer, "REST", 0)
    monkeypatch.setattr(packer, "LATE_S", 60.0)


async def arrive(app: App) -> Guest:
    one = Guest(app)
    await one.ask(Hello("Ada"), Welcome)
    return one


async def raced(app: App, clock: Clock[int], *players: Guest) -> RaceId:
    """A room in which these players have made two moves and resigned, once it is settled."""
    host = players[0]
    race = RaceId((await host.ask(Create(undo=True), Room)).race)
    for player in players:
        player.say(Join(race))
    for player in players:
        player.say(Ready(race, NONCE))
    host.say(Start(race))
    for player in players:
        await player.until(Room, lambda room: room.race == race and room.starts_at > 0)
    clock.now += COUNTDOWN_MS
    for player in players:
        legal = (await player.until(Snapshot)).legal
        clock.now += 1234
        await player.ask(Move(race, 1, legal[0]), Diff)
        player.say(Move(race, 2, "resign"))
    await host.until(Reveal)
    await app.hub.settled()
    return race


async def settled(store: Store) -> None:
    """Settle what the settler of the application has not settled yet."""
    season = Season(store)
    async with season.ledger.lease(wait=True):
        while await season.settler.settle_next():
            pass


async def logs_of(store: Store, race: RaceId) -> Logs:
    """The logs that are there as logs."""
    seats = [event.player for event in await store.events(race) if isinstance(event, Joined)]
    players = [None, *seats]
    keys = [store.keys.log(race, player) for player in players]
    found = await store.ask(*(Raw(("XRANGE", key, "-", "+")) for key in keys))
    logs = {player: as_sent(log) for player, log in zip(players, found, strict=True) if log}
    return {player: [(i, [*words]) for i, words in log] for player, log in logs.items()}


async def packed(store: Store, race: RaceId) -> Logs | None:
    (value,) = await store.ask(("GET", store.keys.packed(race)))
    return unpack(race, value) if value else None


async def test_a_race_is_packed_an_hour_after_its_end(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        race = await raced(app, clock, await arrive(app), await arrive(app))
        logs, one = await logs_of(store, race), Packer(store, Pool(0), clock)
        assert len(logs) == 3
        await settled(store)
        clock.now += AGE_MS - 1
        await one.look()
        assert await packed(store, race) is None
        clock.now += 1
        await one.look()
        assert await packed(store, race) == logs
        assert await store.ask(("EXISTS", store.keys.room_log(race))) == [0]
        assert await PackingWork(store).progress() == Progress(1, 1, 0)


async def test_a_large_field_is_packed_part_by_part(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        race = await raced(app, clock, *[await arrive(app) for _ in range(2 * SEATS + 1)])
        logs = await logs_of(store, race)
        await settled(store)
        clock.now += AGE_MS
        await Packer(store, Pool(0), clock).look()
        assert await packed(store, race) == logs


async def test_a_race_that_counts_nowhere_is_packed_too(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        alone = await raced(app, clock, await arrive(app))
        logs = await logs_of(store, alone)
        assert await PackingWork(store).progress() == Progress(0, 0, 1)
        clock.now += AGE_MS
        await Packer(store, Pool(0), clock).look()
        assert await packed(store, alone) == logs
        assert await PackingWork(store).progress() == Progress(0, 0, 0)


async def test_nothing_is_packed_while_older_servers_may_read_the_data(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        race = await raced(app, clock, await arrive(app), await arrive(app))
        await settled(store)
        clock.now += AGE_MS
        store.version = packer.SINCE - 1
        await Packer(store, Pool(0), clock).look()
        assert await packed(store, race) is None


async def test_a_race_that_does_not_reproduce_stays_and_the_next_one_is_packed(
    client: Client,
) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        ada, bob = await arrive(app), await arrive(app)
        wrong, right = await raced(app, clock, ada, bob), await raced(app, clock, ada, bob)
        seat = next(player for player in await logs_of(store, wrong) if player)
        status = b"9 99 0 0 1 won"
        await store.ask(("XADD", store.keys.log(wrong, seat), "3-0", "3", "1 turn", "is", status))
        await settled(store)
        clock.now += AGE_MS
        await Packer(store, Pool(0), clock).look()
        assert await packed(store, wrong) is None
        assert await packed(store, right) is not None
        assert await PackingWork(store).progress() == Progress(2, 2, 0)
        assert await PackingWork(store).kept() == [wrong]


async def test_a_race_that_ends_in_the_future_is_put_aside_and_the_next_one_is_packed(
    client: Client,
) -> None:
    clock, store = Clock(NOON + DAY), Store(client)
    async with running(client, clock) as app:
        ahead = await raced(app, clock, await arrive(app), await arrive(app))
    clock.now = NOON
    async with running(client, clock) as app:
        race = await raced(app, clock, await arrive(app), await arrive(app))
        await settled(store)
    clock.now += AGE_MS
    one = Packer(store, Pool(0), clock)
    await one.look()
    assert await packed(store, ahead) is None
    assert await packed(store, race) is not None
    assert await PackingWork(store).progress() == Progress(2, 2, 1)
    clock.now += DAY + AGE_MS
    await one.look()
    assert await packed(store, ahead) is not None
    assert await PackingWork(store).progress() == Progress(2, 2, 0)


async def test_a_race_that_ends_the_process_of_the_packer_is_put_aside_after_some_tries(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store, pool = Clock(NOON), Store(client), Pool(1)
    async with running(client, clock) as app:
        ada, bob = await arrive(app), await arrive(app)
        fatal, race = await raced(app, clock, ada, bob), await raced(app, clock, ada, bob)
        await settled(store)
    clock.now += AGE_MS
    monkeypatch.setattr(packer, "TRIES", 1)
    monkeypatch.setattr(packer, "checked_part", partial(jobs.pack_others, fatal))
    one, answering = Packer(store, pool, clock), asyncio.create_task(pool.run())
    try:
        await one.look()
        assert await packed(store, race) is None
        await one.look()
    finally:
        answering.cancel()
        await asyncio.wait([answering])
    assert await packed(store, fatal) is None
    assert await packed(store, race) is not None
    assert await PackingWork(store).progress() == Progress(2, 2, 1)


async def test_nothing_is_packed_any_more_once_the_version_is_lowered(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        ada, bob = await arrive(app), await arrive(app)
        first, second = [await raced(app, clock, ada, bob) for _ in range(2)]
        await settled(store)
    clock.now += AGE_MS

    def lowers(*args: Any) -> bytes | None:
        store.version = packer.SINCE - 1
        return checked_part(*args)

    monkeypatch.setattr(packer, "checked_part", lowers)
    await Packer(store, Pool(0), clock).look()
    assert await packed(store, first) is not None
    assert await packed(store, second) is None


async def test_a_race_that_is_unpacked_when_it_was_just_packed_stays_on_the_list(
    store: Store,
) -> None:
    work, race = PackingWork(store), RaceId("K7QPXM")
    await work.later(race, NOON)
    candidate = await work.next(NOON)
    assert candidate
    await work.later(race, NOON + AGE_MS)
    await work.done(candidate)
    assert await work.progress() == Progress(0, 0, 1)
    candidate = await work.next(NOON + AGE_MS)
    assert candidate
    await work.done(candidate)
    assert await work.progress() == Progress(0, 0, 0)


async def test_a_race_whose_logs_were_brought_back_is_packed_again(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        race = await raced(app, clock, await arrive(app), await arrive(app))
        logs, one = await logs_of(store, race), Packer(store, Pool(0), clock)
        await settled(store)
        clock.now += AGE_MS
        await one.look()
        assert await Swaps(store).unpack(race, clock.now + AGE_MS)
        assert await logs_of(store, race) == logs
        await one.look()
        assert await packed(store, race) is None
        clock.now += AGE_MS
        await one.look()
        assert await packed(store, race) == logs


async def test_a_race_of_a_deleted_player_is_packed_again_at_once(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        race = await raced(app, clock, await arrive(app), await arrive(app))
        await settled(store)
    clock.now += AGE_MS
    await Packer(store, Pool(0), clock).look()
    before = await packed(store, race)
    assert before
    _, ada, bob = before
    assert ada
    instead, _ = await delete(store, ada, "0123", clock=clock)
    after = await packed(store, race)
    assert after
    assert [*after] == [None, instead, bob]
    assert (after[instead], after[bob]) == (before[ada], before[bob])


async def test_a_packer_that_dies_at_any_step_loses_nothing(client: Client) -> None:
    clock, store = Clock(NOON), Store(client)
    async with running(client, clock) as app:
        race = await raced(app, clock, await arrive(app), await arrive(app))
    logs = await logs_of(store, race)
    await settled(store)
    clock.now += AGE_MS
    step = 0
    for step in count(1):
        try:
            await Packer(Dies(client, step), Pool(0), clock).look()
        except StoreLost:
            assert logs in (await packed(store, race), await logs_of(store, race))
            await store.ask(("DEL", store.keys.packer))  # it would expire
        else:
            break
    assert step > 5
    assert await packed(store, race) == logs
    assert await PackingWork(store).progress() == Progress(1, 1, 0)
