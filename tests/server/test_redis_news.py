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
from bigben_server.race.events import Left, RoomAppend, SeatStatus
from bigben_server.storage.client import StoreLost
from bigben_server.storage.pubsub import PeerUpdate, PubSub
from bigben_server.storage.race_log import Store

OTHER = RaceId("QQQQQQ")


def news(moves: int, race: RaceId = ROOM) -> PeerUpdate:
    return PeerUpdate(race, {}, {ADA.id: SeatStatus("playing", moves, begun_at=NOON)})


class Process:
    """A wire, and what comes over it."""

    def __init__(self, client: Redis, name: str) -> None:
        self.store = Store(client)
        self.wire = PubSub(self.store, name)
        self._heard: asyncio.Queue[PeerUpdate] = asyncio.Queue()

    async def tell(self, *updates: PeerUpdate) -> None:
        """Publish updates after a commit, as the server does."""
        await self.store.append([RoomAppend(ROOM, 1, Left(ADA.id, NOON))], {})
        await self.wire.publish(updates)

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


@pytest.fixture(autouse=True)
async def _no_stats_yet(client: Redis) -> None:
    await client.config_resetstat()


async def test_a_process_that_is_alone_publishes_nothing(client: Redis) -> None:
    async with process(client, "one") as one:
        await one.tell(news(1))
        await one.wire.subscribe(ROOM, OTHER)
        await one.tell(news(2), news(1, OTHER))
    assert await published(client) == 0


async def test_a_process_that_subscribes_later_gets_later_updates(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await one.wire.subscribe(ROOM)
        await one.tell(news(1))
        await other.wire.subscribe(ROOM)
        await one.tell(news(2), news(1, OTHER))
        assert await other.hears() == news(2)
        await other.tell(news(3))
        assert await one.hears() == news(3)


async def test_updates_reach_a_process_that_subscribes_only_to_another_race(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await other.wire.subscribe(OTHER)
        await one.tell(news(1), news(1, OTHER))
        assert await other.hears() == news(1, OTHER)


async def test_a_listener_that_lost_its_connection_gets_updates_again(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await other.wire.subscribe(ROOM)
        assert await lose_connections(client) == 1
        hearing = asyncio.create_task(other.hears())
        while not hearing.done():  # it is on its way back
            await one.tell(news(1))
        assert hearing.result() == news(1)


async def test_a_process_that_lost_its_listener_still_publishes_to_the_other(client: Redis) -> None:
    """With its own gone, one listener is left: to count is not enough, it matters who it is."""
    async with process(client, "one") as one, process(client, "other") as other:
        await one.wire.subscribe(ROOM)
        assert await lose_connections(client) == 1
        await other.wire.subscribe(ROOM)
        await one.tell(news(1))
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
        await other.tell(PeerUpdate(ROOM, {}, {}))
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
            await one.tell(news(1))
        while await client.pubsub_channels():
            pass  # Redis has not noticed yet
        before = await published(client)
        await one.tell(news(2))
        assert await published(client) == before
