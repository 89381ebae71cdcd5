"""Updates about races between server processes, over Redis pub/sub.

An update may be lost. A process that lost its subscription must read its races again.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import NamedTuple

import msgspec
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.client import PubSub as Subscription

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import RoomEvent, SeatStatus
from bigben_server.storage.client import ANSWER_S, LOST, NODE_S, ONCE, Client, StoreLost, as_lost
from bigben_server.storage.keys import PROCESSES, news_channel, race_of
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled


class PeerUpdate(NamedTuple):
    """The changes of a race in one commit: events of its room by number, and seats' statuses."""

    race: RaceId
    events: dict[int, RoomEvent]
    statuses: dict[PlayerId, SeatStatus]
    readable: bool = True
    """False for an update from another version of the server: only its race is known."""


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(tuple[str, dict[int, RoomEvent], dict[PlayerId, SeatStatus]])
"""Of the process that publishes, and its update."""


class PubSub:
    """One subscription for all races of this process."""

    def __init__(self, store: Store, process: str) -> None:
        self._store = store
        self._process = process
        self._pubsub = _listener(store.client)
        self._channels: dict[str, asyncio.Event] = {}
        """Set once Redis has confirmed the subscription."""
        self._any = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        if not isinstance(store.client, RedisCluster):  # a node counts only its own subscribers
            store.presence = (PROCESSES, f"{PROCESSES}:{process}")

    async def publish(self, updates: Iterable[PeerUpdate]) -> None:
        """Send updates to the other processes, if there are any. Raises StoreLost.

        Publish only what ``store.append`` has just written, without awaiting anything between: then
        a process that subscribes later reads it from the store.
        """
        if not self._store.alone:
            commands = [
                ("PUBLISH", news_channel(race), _encode((self._process, events, statuses)))
                for race, events, statuses, _ in updates
            ]
            await self._store.send(commands, raise_on_error=True)

    def hears_of(self, race: RaceId) -> bool:
        """Whether a race is subscribed to, or will be."""
        return news_channel(race) in self._channels

    async def subscribe(self, *races: RaceId) -> None:
        """Subscribe to these races; updates arrive once this returns. Raises StoreLost."""
        channels = list(map(news_channel, races))
        new = [channel for channel in channels if channel not in self._channels]
        confirmed = [self._channels.setdefault(channel, asyncio.Event()) for channel in channels]
        try:
            await self._ask_for(new, confirmed)
        except StoreLost:
            for channel in channels:
                self._channels.pop(channel, None)  # the next call tries again
            raise

    async def unsubscribe(self, race: RaceId) -> None:
        if self._channels.pop(news_channel(race), None):
            with suppress(StoreLost, *LOST):
                self._check()
                await self._pubsub.unsubscribe(news_channel(race))

    async def updates(self) -> AsyncIterator[PeerUpdate]:
        """The updates of other processes, endlessly. Raises StoreLost if some may be lost."""
        with as_lost():
            while not_cancelled():
                await self._any.wait()
                self._check()
                message = await self._pubsub.get_message(timeout=None)
                if message is None:
                    continue
                channel = message["channel"].decode()
                if message["type"] == "subscribe" and channel in self._channels:
                    self._channels[channel].set()
                elif message["type"] == "message":
                    race = race_of(channel)
                    try:
                        process, events, statuses = _decoder.decode(message["data"])
                    except msgspec.DecodeError:
                        # From another version, during a rolling update: the race is read again.
                        yield PeerUpdate(race, {}, {}, readable=False)
                        continue
                    if process != self._process:
                        yield PeerUpdate(race, events, statuses)

    async def again(self) -> None:
        """Subscribe to all races again, after StoreLost. Raises StoreLost."""
        async with self._one_at_a_time:  # a call of ``subscribe`` may be connecting just now
            await self.close()
            self._pubsub = _listener(self._store.client)
        for confirmed in self._channels.values():
            confirmed.clear()
        await self._ask_for(self._channels)

    async def close(self) -> None:
        self._any.clear()
        with suppress(*LOST):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py's gap

    async def _ask_for(self, new: Iterable[str], confirmed: Iterable[asyncio.Event] = ()) -> None:
        """Subscribe to new channels, and wait for these confirmations."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if channels := list(new):
                    # Two at once would each open a connection, and one of them would leak.
                    async with self._one_at_a_time:
                        if self._any.is_set():
                            self._check()
                        # Other processes count us before we read anything.
                        await self._pubsub.subscribe(*channels, *self._store.presence)
                        self._any.set()
                for each in confirmed:
                    await each.wait()

    def _check(self) -> None:
        """Raises StoreLost if the connection is gone: redis-py would open another one silently."""
        connection = self._pubsub.connection
        if connection is None or not connection.is_connected:
            raise StoreLost("the connection for news is gone")


def _listener(client: Client) -> Subscription:
    """A connection for subscriptions. In a cluster every node receives everything."""
    if not isinstance(client, RedisCluster):
        return client.pubsub()
    # Not the cluster client's own, which closes when it looks up the nodes again. Another node
    # each time, because the one that was lost may be away for long.
    node = random.choice(client.get_primaries() or client.startup_nodes)
    return Redis(
        host=node.host,
        port=int(node.port),
        username=client.connection_kwargs["username"],
        password=client.connection_kwargs["password"],
        socket_timeout=None,
        socket_connect_timeout=NODE_S,
        retry=ONCE,
    ).pubsub()
