"""What processes tell each other over a real Redis, and that one which is alone tells nobody."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis
from tests.server.stage import ADA, ROOM
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import RaceId
from bigben_server.race.events import Entry, PeerUpdate, SeatAppend, SeatStatus
from bigben_server.storage.client import StoreLost
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store

OTHER = RaceId("QQQQQQ")


def move(n: int, race: RaceId = ROOM) -> SeatAppend:
    status = SeatStatus("playing", n, begun_at=NOON)
    return SeatAppend(race, ADA.id, Entry(n, 0, "turn"), status, n - 1)


def news(moves: int, race: RaceId = ROOM) -> PeerUpdate:
    """What a peer receives of a move."""
    return PeerUpdate(race, {}, {ADA.id: move(moves, race).status})


class Process:
    """A wire, and what comes over it."""

    def __init__(self, client: Redis, name: str) -> None:
        self.store = Store(client)
        self.wire = PubSub(self.store, name)
        self._heard: asyncio.Queue[PeerUpdate] = asyncio.Queue()

    async def tell(self, *moves: SeatAppend) -> None:
        """Publish moves after a commit, as the server does."""
        await self.store.append(moves, {})
        self.wire.publish(moves)
        await self.wire.flush()

    async def listen(self) -> None:
        """Hear until cancelled, and begin again when the connection is lost, as the server does."""
        while True:
            with contextlib.suppress(StoreLost):
                async for update in self.wire.updates():
                    self._heard.put_nowait(update)
            await self.wire.again()

    async def hears(self) -> PeerUpdate:
        async with asyncio.timeout(PATIENCE_S):
            return await self._heard.get()


@asynccontextmanager
async def process(client: Redis, name: str) -> AsyncIterator[Process]:
    one = Process(client, name)
    listening = asyncio.create_task(one.listen())
    try:
        yield one
    finally:
        listening.cancel()
        await asyncio.wait((listening,))
        await one.wire.close()


async def lose_connections(client: Redis) -> int:
    """Break every connection that listens; how many."""
    return await client.client_kill_filter(_type="pubsub")


async def published(client: Redis) -> int:
    """How often anything was published since the Redis was emptied."""
    stats = await client.info("commandstats")
    return int(stats.get("cmdstat_publish", {}).get("calls", 0))


STARTS = 1
"""How often a process publishes that it has started."""


@pytest.fixture(autouse=True)
async def _no_stats_yet(client: Redis) -> None:
    await client.config_resetstat()


async def test_a_process_that_is_alone_publishes_nothing(client: Redis) -> None:
    async with process(client, "one") as one:
        await one.tell(move(1))
        await one.wire.subscribe(ROOM, OTHER)
        await one.tell(move(2), move(1, OTHER))
    assert await published(client) == STARTS


async def test_a_process_that_subscribes_later_gets_later_updates(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await one.wire.subscribe(ROOM)
        await one.tell(move(1))
        await other.wire.subscribe(ROOM)
        await one.tell(move(2), move(1, OTHER))
        assert await other.hears() == news(2)
        await other.tell(move(3))
        assert await one.hears() == news(3)


async def test_updates_reach_a_process_that_subscribes_only_to_another_race(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await other.wire.subscribe(OTHER)
        await one.tell(move(1), move(1, OTHER))
        assert await other.hears() == news(1, OTHER)


async def test_a_listener_that_lost_its_connection_gets_updates_again(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await other.wire.subscribe(ROOM)
        assert await lose_connections(client) == 1
        hearing = asyncio.create_task(other.hears())
        while not hearing.done():  # it is on its way back
            await one.tell(move(1))
        assert hearing.result() == news(1)


async def test_a_process_that_lost_its_listener_still_publishes_to_the_other(client: Redis) -> None:
    """With its own gone, one listener is left: to count is not enough, it matters who it is."""
    async with process(client, "one") as one, process(client, "other") as other:
        await one.wire.subscribe(ROOM)
        assert await lose_connections(client) == 1
        await other.wire.subscribe(ROOM)
        await one.tell(move(1))
        assert await other.hears() == news(1)


async def test_a_subscriber_does_not_replace_a_broken_connection_unnoticed_by_the_listener(
    client: Redis,
) -> None:
    """Between two news nobody reads; a new connection would be as if nothing had been missed."""
    wire = PubSub(Store(client), "one")
    news = wire.updates()
    listening = asyncio.ensure_future(anext(news))
    async with process(client, "other") as other, asyncio.timeout(PATIENCE_S):
        await wire.subscribe(ROOM)
        await other.tell(move(1))
        await listening
        await lose_connections(client)
        asking: list[asyncio.Task[None]] = []
        while not any(each.done() for each in asking):  # the first may go into the void
            asking.append(asyncio.create_task(wire.subscribe(RaceId(f"RACE{len(asking)}"))))
            await asyncio.sleep(0)
        with pytest.raises(StoreLost):
            await anext(news)
    await wire.close()
    for each in asking:
        each.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


async def test_whose_only_listener_has_gone_is_alone_again(client: Redis) -> None:
    async with process(client, "one") as one:
        async with process(client, "other") as other:
            await other.wire.subscribe(ROOM)
            await one.tell(move(1))
        while await client.pubsub_channels():
            pass  # Redis has not noticed yet
        await one.wire.peers_at()
        before = await published(client)
        await one.tell(move(2))
        assert await published(client) == before


async def test_what_was_written_before_a_peer_subscribed_reaches_it_if_it_was_not_counted_yet(
    client: Redis,
) -> None:
    """The peer may have read its races between the append and the count."""
    async with process(client, "one") as one, process(client, "other") as other:
        await one.wire.subscribe(ROOM)
        await one.tell(move(1))
        one.wire.publish([move(2)])
        await other.wire.subscribe(ROOM)
        one.wire.publish([move(3), move(1, OTHER)])
        await one.wire.flush()
        assert await other.hears() == news(3)


async def test_a_process_knows_of_a_peer_that_was_there_for_a_moment(client: Redis) -> None:
    """The peer may have written something, and died before it published it."""
    async with process(client, "one") as one, asyncio.timeout(PATIENCE_S):
        await one.wire.subscribe(ROOM)
        before = await one.wire.peers_at()
        assert await one.wire.peers_at() == before, "it is alone"
        async with process(client, "other") as other:
            await other.wire.subscribe(OTHER)
        while await one.wire.peers_at() == before:
            await client.ping()
        while (at := await one.wire.peers_at()) != await one.wire.peers_at():
            pass  # Redis has not noticed yet that the other has gone
        assert at > before
