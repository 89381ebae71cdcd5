"""What server processes tell each other about races, over Redis pub/sub. Nothing here is durable.

An update may be lost; a process that lost its subscription must read again what it caches.
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
from bigben_server.storage.client import (
    ANSWER_S,
    LOST,
    NODE_S,
    ONCE,
    Client,
    Command,
    Connection,
    StoreLost,
    as_lost,
)
from bigben_server.storage.keys import PROCESSES, news_channel, process_channel, race_of
from bigben_server.tasks import not_cancelled


class PeerUpdate(NamedTuple):
    """What one commit changed in a race: events of its room by number, and where seats stand."""

    race: RaceId
    events: dict[int, RoomEvent]
    statuses: dict[PlayerId, SeatStatus]
    readable: bool = True
    """False for those of another version of the server: only the race is known."""


class _Payload(msgspec.Struct, array_like=True, frozen=True):
    process: str
    events: dict[int, RoomEvent]
    statuses: dict[PlayerId, SeatStatus]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Payload)


class PubSub:
    """One subscription for all races that a process holds."""

    def __init__(self, store: Connection, process: str) -> None:
        self._client = store.client
        self._process = process
        self._pubsub: Subscription = _listener(self._client)
        self._channels: dict[str, asyncio.Event] = {}
        """Set once Redis has confirmed the subscription."""
        self._any = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._presence = (PROCESSES, process_channel(process))
        self._counts = not isinstance(self._client, RedisCluster)
        """Redis knows of everybody who listens; a node of a cluster only of those who do there."""
        self._alone = self._counts
        """Nobody else listened when last we looked."""

    async def publish(self, updates: Iterable[PeerUpdate]) -> None:
        """Tell the other processes, if there are any. Raises StoreLost.

        Only for what is written already: who begins to listen later reads it.
        """
        if self._alone:
            await self._send([])
        if not self._alone:
            await self._send(map(self._command, updates))

    def hears_of(self, race: RaceId) -> bool:
        """Whether a race is subscribed to, or about to be."""
        return news_channel(race) in self._channels

    async def subscribe(self, *races: RaceId) -> None:
        """Hear of these races from the return of this on. Raises StoreLost."""
        channels = [news_channel(race) for race in races]
        unheard = [channel for channel in channels if channel not in self._channels]
        confirmed = [self._channels.setdefault(channel, asyncio.Event()) for channel in channels]
        try:
            await self._ask_for(unheard)
            with as_lost():
                async with asyncio.timeout(ANSWER_S):
                    for each in confirmed:
                        await each.wait()
        except StoreLost:
            for channel in channels:
                self._channels.pop(channel, None)  # the next one asks again
            raise

    async def unsubscribe(self, race: RaceId) -> None:
        """Hear no more of a race."""
        if self._channels.pop(news_channel(race), None):
            with suppress(StoreLost, *LOST):
                self._check()
                await self._pubsub.unsubscribe(news_channel(race))

    async def updates(self) -> AsyncIterator[PeerUpdate]:
        """What other processes tell, for ever. Raises StoreLost when news may have been lost."""
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
                        payload = _decoder.decode(message["data"])
                    except msgspec.DecodeError:
                        # From another version, in the middle of an update: the race is read again.
                        yield PeerUpdate(race, {}, {}, readable=False)
                        continue
                    if payload.process != self._process:
                        yield PeerUpdate(race, payload.events, payload.statuses)

    async def again(self) -> None:
        """Subscribe anew to all, after StoreLost. Raises StoreLost."""
        async with self._one_at_a_time:  # who asks for more just now has its connection made
            await self.close()
            self._pubsub = _listener(self._client)
        for confirmed in self._channels.values():
            confirmed.clear()
        await self._ask_for(self._channels)

    async def close(self) -> None:
        """Let go of the connection."""
        self._any.clear()
        with suppress(*LOST):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py's gap

    def _command(self, update: PeerUpdate) -> Command:
        payload = _encoder.encode(_Payload(self._process, update.events, update.statuses))
        return ("PUBLISH", news_channel(update.race), payload)

    async def _send(self, commands: Iterable[Command]) -> None:
        """Send these, and see whether anybody else listens."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S), self._client.pipeline(transaction=False) as pipe:
                for command in commands:
                    _ = pipe.execute_command(*command)
                if self._counts:
                    _ = pipe.execute_command("PUBSUB", "NUMSUB", *self._presence)
                *_, last = await pipe.execute()
        if self._counts:
            _, everybody, _, here = last
            self._alone = everybody == here

    async def _ask_for(self, channels: Iterable[str]) -> None:
        if channels := list(channels):
            if not self._any.is_set():
                channels += self._presence  # known to others before anything is read
            with as_lost():
                # Two at once would each open a connection, and one of them would be forgotten.
                async with asyncio.timeout(ANSWER_S), self._one_at_a_time:
                    if self._any.is_set():
                        self._check()
                    await self._pubsub.subscribe(*channels)
            self._any.set()

    def _check(self) -> None:
        """Raises StoreLost when the connection is gone: redis-py would open another one, and
        nobody would know what was missed in between.
        """
        connection = self._pubsub.connection
        if connection is None or not connection.is_connected:
            raise StoreLost("the connection for news is gone")


def _listener(client: Client) -> Subscription:
    """A connection for subscriptions. In a cluster any node hears of everything."""
    if not isinstance(client, RedisCluster):
        return client.pubsub()
    # Not the cluster's own: that goes whenever the client looks again who has what. Another node
    # each time: the one that was lost may be away for long.
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
