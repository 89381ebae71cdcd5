"""What processes tell each other over a real Redis, and that one which is alone tells nobody."""

import asyncio

import pytest
from redis.asyncio import Redis
from tests.server.relaying import (
    OTHER,
    THIRD,
    again,
    beating,
    know_each_other,
    move,
    news,
    process,
)
from tests.server.stage import ROOM
from tests.support.patience import PATIENCE_S

from bigben_protocol import RaceId
from bigben_server.storage import pubsub
from bigben_server.storage.client import StoreLost
from bigben_server.storage.keys import Keys
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store


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
        await one.follow(ROOM, OTHER)
        await one.tell(move(2), move(1, OTHER))
    assert await published(client) == STARTS


async def test_a_process_that_follows_a_race_is_told_what_is_known_and_what_comes(
    client: Redis,
) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await one.follow(ROOM)
        await one.tell(move(1))
        await other.follow(ROOM)
        assert await other.hears() == news(1)
        await one.tell(move(2), move(1, OTHER))
        assert await other.hears() == news(2)
        await other.tell(move(3))
        assert await one.hears() == news(3)


async def test_a_process_is_told_in_one_message_only_what_it_follows(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await know_each_other(one, other, OTHER, THIRD)
        await one.follow(ROOM)
        before = await published(client)
        await one.tell(move(1), move(1, OTHER), move(1, THIRD))
        assert [await other.hears() for _ in "23"] == [news(1, OTHER), news(1, THIRD)]
        assert await published(client) == before + 1
        await one.tell(move(2))
        await other.wire.unsubscribe(OTHER)
        while one.wire.is_followed(OTHER):
            await one.store.ping()
        await one.tell(move(2, OTHER))
        assert await published(client) == before + 2, "that it follows no more"


async def test_what_is_told_before_a_follower_is_noted_reaches_it_with_what_is_known(
    client: Redis,
) -> None:
    """The follower may have read the race before it was written."""
    async with process(client, "one") as one, process(client, "other") as other:
        await one.follow(ROOM)
        one.tell_later(move(2))
        await other.follow(ROOM)
        assert await other.hears() == news(2)
        await one.tell(move(3))
        await other.hears_until(news(3))


async def test_statuses_of_large_fields_are_gathered_and_only_the_newest_told(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "LATE_S", 0.01)
    async with process(client, "one") as one, process(client, "other") as other:
        await know_each_other(one, other, ROOM)
        for n in (1, 2, 3):
            one.wire.publish_late(news(n))
        listening = asyncio.create_task(one.wire.publish_all())
        assert await other.hears() == news(3)
        one.wire.publish_late(news(4))
        await one.wire.flush(late=True)
        assert await other.hears() == news(4), "a process that ends tells it at once"
        listening.cancel()


async def test_while_an_older_server_lives_updates_are_told_on_the_channel_of_the_race(
    client: Redis,
) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        one.store.version = other.store.version = pubsub.RELAYS - 1
        old = client.pubsub()
        await old.subscribe(Keys().news(ROOM), Keys().alive)
        for _ in "ab":
            await old.get_message(timeout=PATIENCE_S)
        await know_each_other(one, other, ROOM)
        await one.tell(move(1))
        assert await other.hears() == news(1)
        heard = b""
        while b"playing" not in heard:  # that they follow is of no use to an old server
            published = await old.get_message(timeout=PATIENCE_S)
            heard = published["data"] if published else b""
        one.store.version = pubsub.RELAYS
        await one.tell(move(2))
        assert await other.hears() == news(2)
        other.store.version = pubsub.RELAYS
        while not other.wire.is_followed(ROOM):
            await client.ping()
        await other.tell(move(3))
        assert await one.hears() == news(3)
        await old.aclose()  # type: ignore[no-untyped-call]  # redis-py's gap


# What is lost


async def test_a_follower_that_misses_a_message_reads_its_races_again(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await know_each_other(one, other, ROOM, OTHER)
        one.store.losing = 1
        with pytest.raises(StoreLost):
            await one.tell_lost(move(1))
        await one.tell(move(1, OTHER))
        heard = [await other.hears() for _ in "123"]
        assert heard == [*map(again, (ROOM, OTHER)), news(1, OTHER)]
        await one.tell(move(2))
        assert await other.hears() == news(2)


async def test_the_next_beat_shows_that_the_last_message_was_lost(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "BEAT_S", 0.05)
    async with process(client, "one") as one, process(client, "other") as other:
        await know_each_other(one, other, ROOM)
        one.store.losing = 1
        with pytest.raises(StoreLost):
            await one.tell_lost(move(1))
        async with beating(one):
            assert await other.hears() == again(ROOM)


async def test_the_races_of_a_peer_that_has_died_are_read_again(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have written more than it has told."""
    monkeypatch.setattr(pubsub, "BEAT_S", 0.05)
    async with process(client, "one") as one, process(client, "other") as other:
        await know_each_other(one, other, OTHER)
        async with process(client, "dead") as dead:
            await know_each_other(dead, other, ROOM)
        async with beating(one), beating(other):
            assert await other.hears() == again(ROOM)
        assert not other.wire.is_followed(ROOM)
        await one.tell(move(1, OTHER))
        assert await other.hears() == news(1, OTHER), "of one that lives nothing is lost"


async def test_a_message_of_another_version_makes_a_process_read_its_races_again(
    client: Redis,
) -> None:
    async with process(client, "one") as one:
        await one.follow(ROOM)
        (inbox,) = await client.pubsub_channels(f"{Keys().inboxes}*")
        await client.publish(inbox, b"from the future")
        assert await one.hears() == again(ROOM)
        await client.publish(Keys().news(OTHER), b"nobody follows it")
        await client.publish(Keys().news(ROOM), b"the same about one race")
        assert await one.hears() == again(ROOM)


async def test_a_listener_that_lost_its_connection_gets_updates_again(client: Redis) -> None:
    async with process(client, "one") as one, process(client, "other") as other:
        await know_each_other(one, other, ROOM)
        assert await lose_connections(client) == 2
        await know_each_other(one, other, ROOM)
        await one.tell(move(1))
        await other.hears_until(news(1))


async def test_a_process_that_lost_its_listener_still_publishes_to_the_other(client: Redis) -> None:
    """With its own gone, one listener is left: to count is not enough, it matters who it is."""
    async with process(client, "one") as one, process(client, "other") as other:
        await one.follow(ROOM)
        assert await lose_connections(client) == 1
        await know_each_other(one, other, ROOM)
        await one.tell(move(1))
        await other.hears_until(news(1))


async def test_a_subscriber_does_not_replace_a_broken_connection_unnoticed_by_the_listener(
    client: Redis,
) -> None:
    """Between two news nobody reads; a new connection would be as if nothing had been missed."""
    wire = PubSub(Store(client), "one")
    news = wire.updates()
    listening = asyncio.ensure_future(anext(news))
    async with asyncio.timeout(PATIENCE_S):
        await wire.subscribe(ROOM)
        await client.publish(Keys().news(ROOM), b"")
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
            await know_each_other(one, other, ROOM)
        while (await client.pubsub_numsub(Keys().processes))[0][1] > 1:
            pass  # Redis has not noticed yet
        await one.wire.peers_at()
        before = await published(client)
        await one.tell(move(2))
        assert await published(client) == before


async def test_a_process_knows_of_a_peer_that_was_there_for_a_moment(client: Redis) -> None:
    """The peer may have written something, and died before it published it."""
    async with process(client, "one") as one, asyncio.timeout(PATIENCE_S):
        await one.follow(ROOM)
        before = await one.wire.peers_at()
        assert await one.wire.peers_at() == before, "it is alone"
        async with process(client, "other") as other:
            await other.follow(OTHER)
        while await one.wire.peers_at() == before:
            await client.ping()
        while (at := await one.wire.peers_at()) != await one.wire.peers_at():
            pass  # Redis has not noticed yet that the other has gone
        assert at > before
