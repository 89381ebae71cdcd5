"""Updates about races between server processes, over Redis pub/sub.

An update may be lost. A process that lost its subscription must read its races again.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from functools import partial

import msgspec
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.client import PubSub as Subscription

from bigben_protocol import Cheered, PlayerId, RaceId
from bigben_server.race.broadcasts.updates import updates_of
from bigben_server.race.events import Append, PeerUpdate, RoomEvent, SeatStatus
from bigben_server.storage.client import (
    ANSWER_S,
    LOST,
    NODE_S,
    ONCE,
    Client,
    Connection,
    StoreLost,
    as_lost,
)
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys, race_of
from bigben_server.tasks import not_cancelled

BEAT_S = 2.5
"""How often a process with peers publishes that it is alive."""
ALIVE_S = 7.0
"""A peer from which nothing has come for so long is dead, as far as presence is concerned."""
COUNT_S = 1.0
"""How long a process without peers waits for more to publish, before Redis counts the peers."""


class _Published(msgspec.Struct, array_like=True):
    """Of the process that publishes, and its update; mostly only the first three."""

    process: str
    events: dict[int, RoomEvent]
    statuses: dict[PlayerId, SeatStatus]
    here: frozenset[PlayerId] | None = None
    asks: bool = False
    said: tuple[Cheered, ...] = ()


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(_Published)


class PubSub:
    """One subscription for all races of this process, and what it publishes.

    Publishing costs no commit a round trip. While no peer is known, appends wait for up to COUNT_S.
    Then Redis counts the processes that have subscribed, and only if there are others the appends
    are published. A peer that subscribes after this count misses nothing: it reads its races after
    it has subscribed, and by then the appends were in the store.
    """

    def __init__(self, store: Connection, process: str) -> None:
        self._store, self._keys = store, store.keys
        self.process = process
        """The id of this process."""
        self._pubsub = _listener(store.client)
        self._channels: dict[str, asyncio.Event] = {}
        """Set once Redis has confirmed the subscription."""
        self._any = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._own = f"{store.keys.processes}:{process}"
        keys = store.keys
        self._common = keys.processes, keys.started, keys.alive, keys.ordered
        self._peers = asyncio.Event()
        """Set while there are peers, as far as is known."""
        self._peers_at = time.monotonic()
        self._unpublished: list[Append] = []
        self._here: dict[RaceId, tuple[frozenset[PlayerId], bool]] = {}
        """Who is here in these races, and whether to ask, to be published."""
        self._said: dict[RaceId, tuple[Cheered, ...]] = {}
        """What players said in these races, to be published once, or to be lost."""
        self._beats: dict[str, float] = {}
        """When each process was last heard of, also this one, in seconds of ``time.monotonic``."""
        self.ordered = asyncio.Event()
        """Set when an operator's orders may have changed. The task that waits for it clears it."""
        self._hears_orders = False
        self._to_publish = asyncio.Event()
        self._publishing = asyncio.Lock()

    # Publishing

    def publish(self, appends: Iterable[Append]) -> None:
        """Let the peers, if there are any, hear of these appends, which must be in the store."""
        self._unpublished += appends
        self._to_publish.set()

    def tell_here(self, race: RaceId, here: frozenset[PlayerId], *, asks: bool) -> None:
        """Let the peers know which players are here in a race, and perhaps ask for theirs."""
        if self._peers.is_set():
            self._here[race] = here, asks
            self._to_publish.set()

    def tell_said(self, race: RaceId, said: tuple[Cheered, ...]) -> None:
        """Let the peers know what players said here. It may be lost, and replaces what waits."""
        if said and self._peers.is_set():
            self._said[race] = said
            self._to_publish.set()

    def is_alive(self, process: str) -> bool:
        """Whether a peer is known to be alive, or can't be known to be dead: pub/sub is broken."""
        now = time.monotonic()
        through = now - self._beats.get(self.process, -ALIVE_S) < ALIVE_S
        return not through or now - self._beats.get(process, 0) < ALIVE_S

    async def beat(self) -> None:
        """Let the peers know endlessly that this process is alive."""
        while not_cancelled():
            await asyncio.sleep(BEAT_S)
            if self._peers.is_set():
                with suppress(StoreLost):  # then nobody is thought dead
                    beat = ("PUBLISH", self._keys.alive, self.process)
                    await self._store.send([beat], raise_on_error=False)

    async def publish_all(self) -> None:
        """Publish endlessly what ``publish`` is given. Raises StoreLost; updates are lost then."""
        while not_cancelled():
            await self._to_publish.wait()
            if not self._peers.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(COUNT_S):
                        await self._peers.wait()
            await self.flush()

    async def flush(self) -> None:
        """Publish now what ``publish`` was given. Raises StoreLost; updates are lost then."""
        async with self._publishing:  # in order
            self._to_publish.clear()
            appends, self._unpublished = self._unpublished, []
            here, self._here = self._here, {}
            said, self._said = self._said, {}
            if not (appends or here or said):
                return
            if not self._peers.is_set():
                await self._count()
            if self._peers.is_set():
                told = partial(news, self._keys, self.process)
                commands = [told(u.race, u.events, u.statuses) for u in updates_of(appends)]
                commands += [told(race, {}, {}, *each) for race, each in here.items()]
                commands += [told(race, {}, {}, None, False, each) for race, each in said.items()]
                try:
                    await self._store.send(commands, raise_on_error=True)
                except StoreLost:
                    self._here = here | self._here
                    raise

    async def peers_at(self) -> float:
        """When there were last peers, in seconds of ``time.monotonic``. Raises StoreLost.

        Only of rooms that were read before this time an update may have been lost. Every process
        publishes that it has started before it writes anything, so none remains unknown.
        """
        if self._peers.is_set():
            await self._count()
        return self._peers_at

    async def _count(self) -> None:
        """Let Redis count the peers. A node of a cluster would count only its own subscribers."""
        if self._store.cluster:
            self._see(peers=True)
            return
        count = ("PUBSUB", "NUMSUB", self._keys.processes, self._own)
        ((_, everybody, _, here),) = await self._store.send([count], raise_on_error=True)
        self._see(peers=everybody > here)

    def _see(self, *, peers: bool) -> None:
        if peers or self._peers.is_set():
            self._peers_at = time.monotonic()
        if peers:
            self._peers.set()
        else:
            self._peers.clear()

    # Subscribing

    def hears_of(self, race: RaceId) -> bool:
        """Whether a race is subscribed to, or will be."""
        return self._keys.news(race) in self._channels

    async def subscribe(self, *races: RaceId) -> None:
        """Subscribe to these races; updates arrive once this returns. Raises StoreLost."""
        channels = list(map(self._keys.news, races))
        new = [channel for channel in channels if channel not in self._channels]
        confirmed = [self._channels.setdefault(channel, asyncio.Event()) for channel in channels]
        try:
            await self._ask_for(new, confirmed)
        except StoreLost:
            for channel in channels:
                self._channels.pop(channel, None)  # the next call tries again
            raise

    async def unsubscribe(self, *races: RaceId) -> None:
        channels = [self._keys.news(race) for race in races]
        if known := [channel for channel in channels if self._channels.pop(channel, None)]:
            with suppress(StoreLost, *LOST):
                self._check()
                await self._pubsub.unsubscribe(*known)

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
                elif message["type"] == "subscribe" and channel == self._keys.ordered:
                    if not self._hears_orders:  # those before this were read or missed
                        self.ordered.set()
                    self._hears_orders = True
                elif message["type"] == "message" and channel == self._keys.alive:
                    self._beats[message["data"].decode()] = time.monotonic()
                elif message["type"] == "message" and channel == self._keys.ordered:
                    self.ordered.set()
                elif message["type"] == "message" and channel == self._keys.started:
                    if message["data"] != self.process.encode():
                        self._see(peers=True)
                elif message["type"] == "message":
                    race = race_of(channel)
                    try:
                        told = _decoder.decode(message["data"])
                    except msgspec.DecodeError:
                        # From another version, during a rolling update: the race is read again.
                        yield PeerUpdate(race, {}, {}, readable=False)
                        continue
                    if told.process != self.process:
                        self._see(peers=True)
                        self._beats[told.process] = time.monotonic()
                        update = PeerUpdate(race, told.events, told.statuses, said=told.said)
                        here = update._replace(process=told.process, here=told.here, asks=told.asks)
                        yield update if told.here is None else here

    async def again(self) -> None:
        """Subscribe to all races again, after StoreLost. Raises StoreLost."""
        async with self._one_at_a_time:  # a call of ``subscribe`` may be connecting just now
            await self.close()
            self._peers_at = time.monotonic()  # a peer may have started meanwhile
            self._pubsub = _listener(self._store.client)
        for confirmed in self._channels.values():
            confirmed.clear()
        await self._ask_for(self._channels)

    async def close(self) -> None:
        self._any.clear()
        self._hears_orders = False
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
                        await self._pubsub.subscribe(*channels, self._own, *self._common)
                        if not self._any.is_set():
                            await self._start()
                        self._any.set()
                for each in confirmed:
                    await each.wait()

    async def _start(self) -> None:
        """Tell the peers of this process, and count them. In a cluster all have peers anyway, and
        the node that would publish it may be away.
        """
        if self._store.cluster is None:
            started = ("PUBLISH", self._keys.started, self.process)
            await self._store.send([started], raise_on_error=True)
        await self._count()

    def _check(self) -> None:
        """Raises StoreLost if the connection is gone: redis-py would open another one silently."""
        connection = self._pubsub.connection
        if connection is None or not connection.is_connected:
            raise StoreLost("the connection for news is gone")


def news(keys: Keys, process: str, race: RaceId, *update: object) -> Command:
    """Publishes to the peers what a process has changed in a race: the fields of ``_Published``."""
    return ("PUBLISH", keys.news(race), _encode((process, *update)))


def _listener(client: Client) -> Subscription:
    """A connection for subscriptions. In a cluster every node receives everything."""
    if not isinstance(client, RedisCluster):
        return client.pubsub()
    # Not the cluster client's own, which closes when it looks up the nodes again. Another node
    # each time, because the one that was lost may be away for long.
    node = random.choice(client.get_primaries() or client.startup_nodes)
    tls = {key: value for key, value in client.connection_kwargs.items() if key.startswith("ssl_")}
    return Redis(
        host=node.host,
        port=int(node.port),
        username=client.connection_kwargs["username"],
        password=client.connection_kwargs["password"],
        ssl=bool(tls),
        **tls,
        socket_timeout=None,
        socket_connect_timeout=NODE_S,
        retry=ONCE,
    ).pubsub()
