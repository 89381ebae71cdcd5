"""Updates about races between server processes, over Redis pub/sub.

An update may be lost. A process that lost its subscription, or notices a gap, must read its races
again.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from bigben_protocol import Cheered, PlayerId, RaceId
from bigben_server.race.events import PeerUpdate, RoomEvent, SeatStatus
from bigben_server.storage import peers
from bigben_server.storage.client import ANSWER_S, LOST, StoreLost, as_lost
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys, race_of
from bigben_server.storage.listener import Subscription, listener, shards_channels
from bigben_server.storage.peers import Inbox, Peers
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled

BEAT_S = 2.5
"""How often a process with peers lets them know that it is alive."""
ALIVE_S = 7.0
"""A peer from which nothing has come for so long is dead, as far as presence is concerned."""
COUNT_S = 1.0
"""How long a process without peers waits for more to publish, before Redis counts the peers."""
RETOLD: Final = 20
"""Races of which a process lets the others know once more, with each beat, that it follows them. A
node of a cluster passes nothing on while it is cut off from another."""
LATE_S = 1.0
"""How long statuses of a large field are gathered, of which peers get the newest."""
RELAYS: Final = 5
"""The version of the data from which on updates go to the inboxes of those who follow a race. All
older servers have left then, which hear them on its channel."""
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What a decoder raises for bytes that are no message, or another version's."""


class _Published(msgspec.Struct, array_like=True):
    """What a process publishes on the channel of a race, mostly that it follows the race."""

    process: str
    events: dict[int, RoomEvent]
    statuses: dict[PlayerId, SeatStatus]
    here: frozenset[PlayerId] | None = None
    asks: bool = False
    said: tuple[Cheered, ...] = ()
    inbox: Inbox | None = None
    """Where it is told of the race from now on; None if it does not say."""
    leaves: bool = False
    """Whether it is told no more."""


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(_Published)


class PubSub:
    """One subscription for all races of this process, and what it publishes.

    A process subscribes to a race, lets all know that it follows the race, and reads it. Every
    process that has the race notes that, and tells it at once what it knows. So what was written
    between the reading and the noting is not missed, and later all is told to the inbox of the
    follower. Publishing costs no commit a round trip.
    """

    def __init__(self, store: Store, process: str) -> None:
        self._store, self._keys = store, store.keys
        self.process = process
        """The id of this process."""
        self._pubsub: Subscription | None = None
        self._inbox = Inbox(process, 0)
        self._own = f"{store.keys.processes}:{process}"
        self._channels: dict[str, asyncio.Event] = {}
        """Of races; set once Redis has confirmed the subscription."""
        self._told: dict[RaceId, None] = {}
        """The races of which the peers know that this process follows them."""
        self._any = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self.peers = Peers()
        self._are_peers = asyncio.Event()
        """Set while there are peers, as far as is known."""
        self._peers_at = time.monotonic()
        self._unpublished: list[PeerUpdate] = []
        self._late: dict[RaceId, PeerUpdate] = {}
        """Statuses of large fields, to be published within LATE_S."""
        self._here: dict[RaceId, PeerUpdate] = {}
        """Who is here in these races, and whether to ask, to be published."""
        self._said: dict[RaceId, PeerUpdate] = {}
        """What players said in these races, to be published once, or to be lost."""
        self._beats: dict[str, float] = {}
        """When each process was last heard of, also this one, in seconds of ``time.monotonic``."""
        self._beat_is_due = False
        self.ordered = asyncio.Event()
        """Set when an operator's orders may have changed. The task that waits for it clears it."""
        self.challenged: asyncio.Queue[PlayerId] = asyncio.Queue()
        """Players whose challenges have changed; some may be missed."""
        self._hears_orders = False
        self._to_publish = asyncio.Event()
        self._publishing = asyncio.Lock()

    @property
    def relays(self) -> bool:
        """Whether followers are told in their inboxes, and what they tell their subscribers."""
        return self._store.version >= RELAYS

    # Publishing

    def is_followed(self, race: RaceId) -> bool:
        """Whether a peer may want to hear of a race."""
        return race in self.peers.followers or not self.relays

    def publish(self, update: PeerUpdate) -> None:
        """Let the peers who follow its race hear of an update, which must be in the store."""
        self._unpublished.append(update)
        self._to_publish.set()

    def publish_late(self, update: PeerUpdate) -> None:
        """The same within LATE_S, and of statuses that others follow soon only the newest."""
        if not self.relays:
            self.publish(update)
            return
        if not self._late:
            asyncio.get_running_loop().call_later(LATE_S, self._gathered)
        known = self._late.setdefault(update.race, PeerUpdate(update.race, {}, {}, late=True))
        known.statuses.update(update.statuses)

    def _gathered(self) -> None:
        self._unpublished += self._late.values()
        self._late = {}
        self._to_publish.set()

    def answer(self, update: PeerUpdate) -> None:
        """Let the peer ``update.process``, which has asked, know what this one knows of a race."""
        self.publish(update)

    def tell_here(self, race: RaceId, here: frozenset[PlayerId], *, asks: bool) -> None:
        """Let the peers know which players are here in a race, and perhaps ask for theirs."""
        if self._are_peers.is_set() and self.is_followed(race):
            asks = asks and not self.relays  # else it follows, which asks for all
            self._here[race] = PeerUpdate(race, {}, {}, here=here, asks=asks)
            self._to_publish.set()

    def tell_said(self, race: RaceId, said: tuple[Cheered, ...]) -> None:
        """Let the peers know what players said here. It may be lost, and replaces what waits."""
        if said and self._are_peers.is_set() and self.is_followed(race):
            self._said[race] = PeerUpdate(race, {}, {}, said=said)
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
            if self._are_peers.is_set():
                self._beat_is_due = True
                self._to_publish.set()

    async def publish_all(self) -> None:
        """Publish endlessly what ``publish`` is given. Raises StoreLost; updates are lost then."""
        while not_cancelled():
            await self._to_publish.wait()
            if not self._are_peers.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(COUNT_S):
                        await self._are_peers.wait()
            await self.flush()

    async def flush(self, *, late: bool = False) -> None:
        """Publish now what ``publish`` was given. Raises StoreLost; updates are lost then.

        ``late``: also what is gathered.
        """
        if late:
            self._gathered()
        async with self._publishing:  # in order
            self._to_publish.clear()
            updates, self._unpublished = self._unpublished, []
            here, self._here = self._here, {}
            updates += [*here.values(), *self._said.values()]
            self._said = {}
            beats, self._beat_is_due = self._beat_is_due, False
            if not (updates or beats):
                return
            if not self._are_peers.is_set():
                await self._count()
            if self._are_peers.is_set():
                try:
                    commands = self._commands(updates, beats=beats)
                    await self._store.send(commands, raise_on_error=True)
                except StoreLost:
                    self._here = here | self._here
                    raise

    def _commands(self, updates: Sequence[PeerUpdate], *, beats: bool) -> list[Command]:
        commands: list[Command] = []
        if not self.relays:
            # Who follows it hears so, because the version may be raised at any time.
            answers = [update for update in updates if update.process]
            told = [update for update in updates if not update.process]
            commands += [news(self._keys, self.process, update) for update in told]
            commands += [("PUBLISH", self._keys.alive, self.process)] * beats
            updates = answers
        if beats and self._store.cluster:
            races = list(itertools.islice(self._told, RETOLD))
            for race in races:
                self._told[race] = self._told.pop(race)  # the last ones from now on
            commands += [self._follows(race) for race in races]
        for inbox, message in self.peers.address(self._inbox, updates, everybody=beats):
            word = "SPUBLISH" if inbox.sharded else "PUBLISH"
            commands.append((word, self._keys.inbox(inbox.process, inbox.epoch), message))
        return commands

    async def peers_at(self) -> float:
        """When there were last peers, in seconds of ``time.monotonic``. Raises StoreLost.

        Only of rooms that were read before this time an update may have been lost. Every process
        publishes that it has started before it writes anything, so none remains unknown.
        """
        if self._are_peers.is_set():
            await self._count()
        return self._peers_at

    async def _count(self) -> None:
        """Let Redis count the peers. A node of a cluster would count only its own subscribers."""
        if self._store.cluster:
            self._see(peers=True)
            return
        known_at = self._peers_at
        count = ("PUBSUB", "NUMSUB", self._keys.processes, self._own)
        ((_, everybody, _, here),) = await self._store.send([count], raise_on_error=True)
        if everybody > here or self._peers_at == known_at:  # else one has just started
            self._see(peers=everybody > here)

    def _see(self, *, peers: bool) -> None:
        if peers or self._are_peers.is_set():
            self._peers_at = time.monotonic()
        if peers:
            self._are_peers.set()
        else:
            self._are_peers.clear()

    # Following

    def hears_of(self, race: RaceId) -> bool:
        """Whether a race is subscribed to, or will be."""
        return self._keys.news(race) in self._channels

    async def follow(self, race: RaceId) -> None:
        """Subscribe to a race that will be read now, and let the peers know. Raises StoreLost."""
        await self.subscribe(race)
        if self._are_peers.is_set() and race not in self._told:
            async with self._publishing:
                await self._store.send([self._follows(race, asks=True)], raise_on_error=True)
            self._told[race] = None

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
        """Follow these races no more."""
        known = [race for race in races if self._channels.pop(self._keys.news(race), None)]
        self._forget_told(known)
        followed = [race for race in known if self.peers.drop(race)]
        with suppress(StoreLost, *LOST):
            if known:
                await self._connected().unsubscribe(*map(self._keys.news, known))
            if followed:
                await self._leave(followed)

    async def _leave(self, races: Iterable[RaceId]) -> None:
        """Let the peers know which races are not followed any more, unless they are again."""
        async with self._publishing:
            left = [self._follows(race, leaves=True) for race in races if not self.hears_of(race)]
            await self._store.send(left, raise_on_error=False)

    def _forget_told(self, races: Iterable[RaceId]) -> None:
        for race in races:
            self._told.pop(race, None)

    def _follows(self, race: RaceId, *, asks: bool = False, leaves: bool = False) -> Command:
        told = _Published(self.process, {}, {}, None, asks, (), self._inbox, leaves)
        return ("PUBLISH", self._keys.news(race), _encode(told))

    # Hearing

    async def updates(self) -> AsyncIterator[Sequence[PeerUpdate]]:
        """The updates of other processes, endlessly. Raises StoreLost if some may be lost."""
        with as_lost():
            while not_cancelled():
                await self._any.wait()
                message = await self._connected().get_message(timeout=None)
                if message is None:
                    continue
                channel = message["channel"].decode()
                if message["type"] in ("message", "smessage"):
                    if heard := self._hear(channel, message["data"]):
                        yield heard
                elif message["type"] == "subscribe" and channel in self._channels:
                    self._channels[channel].set()
                elif message["type"] == "subscribe" and channel == self._keys.ordered:
                    if not self._hears_orders:  # those before this were read or missed
                        self.ordered.set()
                    self._hears_orders = True
                elif message["type"] == "sunsubscribe":
                    raise StoreLost("another node of the cluster has the inbox now")

    def _hear(self, channel: str, data: bytes) -> Sequence[PeerUpdate]:
        keys = self._keys
        if channel.startswith(keys.inboxes):
            return self._hear_message(data)
        if channel == keys.alive:
            self._beats[data.decode(errors="replace")] = time.monotonic()
        elif channel == keys.ordered:
            self.ordered.set()
        elif channel == keys.challenged:
            self.challenged.put_nowait(PlayerId(data.decode(errors="replace")))
        elif channel == keys.started:
            if data != self.process.encode():
                self._see(peers=True)
        else:
            return self._hear_published(race_of(channel), data)
        return ()

    def _hear_message(self, data: bytes) -> Sequence[PeerUpdate]:
        try:
            message = peers.decode(data)
        except UNREADABLE:  # from another version
            return self._unreadable(map(race_of, self._channels))
        process = message.sender.process
        self._beats[process] = time.monotonic()
        if process == self.process:
            gone = self.peers.beat()
            self._forget_told(gone)  # one that is not dead answers
            return self._unreadable(gone)
        updates: list[PeerUpdate] = []
        if not self.peers.hear(message):
            updates += self._unreadable(map(race_of, self._channels))
        for update in message.updates:
            if self.hears_of(update.race):
                update.process = process
                update.asks |= update.known is not None and self.peers.note(process, update.race)
                updates.append(update)
        return updates

    def _hear_published(self, race: RaceId, data: bytes) -> Sequence[PeerUpdate]:
        try:
            told = _decoder.decode(data)
        except UNREADABLE:
            # From another version, during a rolling update: the race is read again.
            return self._unreadable([race])
        if told.process == self.process:
            return ()
        self._see(peers=True)
        self._beats[told.process] = time.monotonic()
        if told.inbox:
            self.peers.meet(told.inbox)
            if told.leaves:
                self.peers.leave(told.process, race)
                return ()
            told.asks |= self.peers.note(told.process, race)
        update = PeerUpdate(race, told.events, told.statuses, here=told.here, said=told.said)
        update.process, update.asks = told.process, told.asks
        return [update]

    def _unreadable(self, races: Iterable[RaceId]) -> Sequence[PeerUpdate]:
        return [PeerUpdate(race, {}, {}, readable=False) for race in races]

    # Connecting

    async def again(self) -> None:
        """Subscribe to all races again, after StoreLost. Raises StoreLost."""
        async with self._one_at_a_time:  # a call of ``subscribe`` may be connecting just now
            await self.close()
            self._peers_at = time.monotonic()  # a peer may have started meanwhile
        for confirmed in self._channels.values():
            confirmed.clear()
        await self._ask_for(self._channels)

    async def close(self) -> None:
        self._any.clear()
        self._hears_orders = False
        self._told.clear()
        await self._disconnect()

    async def _disconnect(self) -> None:
        pubsub, self._pubsub = self._pubsub, None
        with suppress(*LOST):
            if pubsub:
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py's gap

    async def _ask_for(self, new: Iterable[str], confirmed: Iterable[asyncio.Event] = ()) -> None:
        """Subscribe to new channels, and wait for these confirmations."""
        with as_lost():
            async with asyncio.timeout(ANSWER_S):
                if channels := list(new):
                    # Two at once would each open a connection, and one of them would leak.
                    async with self._one_at_a_time:
                        if self._any.is_set():
                            await self._connected().subscribe(*channels)
                        else:
                            await self._connect(*channels)
                for each in confirmed:
                    await each.wait()

    async def _connect(self, *channels: str) -> None:
        """Subscribe to these channels and those of all processes, and tell the peers of this one.

        In a cluster all have peers anyway, and the node that would publish it may be away.
        """
        keys, epoch = self._keys, self._inbox.epoch + 1
        await self._disconnect()  # it was no good
        sharded = await shards_channels(self._store)
        self._inbox = Inbox(self.process, epoch, sharded)
        self.peers.restart(self._inbox)
        inbox = keys.inbox(self.process, epoch)
        self._pubsub = listener(self._store.client, inbox if sharded else "")
        # Other processes count us before we read anything.
        common = self._own, keys.processes, keys.started, keys.alive, keys.ordered, keys.challenged
        await self._pubsub.subscribe(*channels, *common, *([] if sharded else [inbox]))
        if sharded:
            await self._pubsub.ssubscribe(inbox)
        if self._store.cluster is None:
            await self._store.send([("PUBLISH", keys.started, self.process)], raise_on_error=True)
        await self._count()
        self._any.set()

    def _connected(self) -> Subscription:
        """Raises StoreLost if the connection is gone: redis-py would open another one silently."""
        pubsub = self._pubsub
        if pubsub is None or pubsub.connection is None or not pubsub.connection.is_connected:
            raise StoreLost("the connection for news is gone")
        return pubsub


def news(keys: Keys, process: str, update: PeerUpdate) -> Command:
    """Publishes on the channel of a race what a process has changed in it."""
    u = update
    told = _Published(process, u.events, u.statuses, u.here, u.asks, u.said)
    return ("PUBLISH", keys.news(update.race), _encode(told))
