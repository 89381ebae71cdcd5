"""Server processes that do nothing but tell each other of a race. Tests nothing itself."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace
from tests.server.stage import ADA, ROOM
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import RaceId
from bigben_server.race.broadcasts.updates import updates_of
from bigben_server.race.events import Entry, PeerUpdate, SeatAppend, SeatStatus
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store

OTHER = RaceId("QQQQQQ")
THIRD = RaceId("PPPPPP")


def move(n: int, race: RaceId = ROOM) -> SeatAppend:
    status = SeatStatus("playing", n, begun_at=NOON)
    return SeatAppend(race, ADA.id, Entry(n, 0, "turn"), status, n - 1)


def news(moves: int, race: RaceId = ROOM) -> PeerUpdate:
    """What a peer receives of a move."""
    return PeerUpdate(race, {}, {ADA.id: move(moves, race).status})


def again(race: RaceId) -> PeerUpdate:
    """What a process hears of a race of which something may be lost."""
    return PeerUpdate(race, {}, {}, readable=False)


class LosingStore(Store):
    """A Redis that loses what is published, when it is told to."""

    losing = 0
    """How many of the next messages."""

    async def send(self, commands: Sequence[Command], *, raise_on_error: bool) -> list[Any]:
        if self.losing and commands and commands[0][0] == "PUBLISH":
            self.losing -= 1
            raise StoreLost("it is away for a moment")
        return await super().send(commands, raise_on_error=raise_on_error)


class Process:
    """What a server process tells and hears of races, in which Ada moves."""

    def __init__(self, client: Client, name: str) -> None:
        self.store = LosingStore(client)
        self.wire = PubSub(self.store, name)
        self._known: dict[RaceId, PeerUpdate] = {}
        self.lost = asyncio.Event()
        """Set when its subscription was lost once."""
        self._heard: asyncio.Queue[PeerUpdate] = asyncio.Queue()

    async def follow(self, *races: RaceId) -> None:
        for race in races:
            await self.wire.follow(race)

    async def tell(self, *moves: SeatAppend) -> None:
        """Publish moves after a commit, as the server does."""
        await self.store.append(moves, {})
        self.tell_later(*moves)
        await self.wire.flush()

    def tell_later(self, *moves: SeatAppend) -> None:
        for update in updates_of(moves):
            self._known[update.race] = replace(update, known=0, late=True)
            self.wire.publish(update)

    async def listen(self) -> None:
        """Hear until cancelled, and begin again when the connection is lost, as the server does."""
        while True:
            with contextlib.suppress(StoreLost):
                await self.wire.again()
                async for updates in self.wire.updates():
                    for update in updates:
                        await self._hear(update)
            self.lost.set()

    async def _hear(self, update: PeerUpdate) -> None:
        if update.asks:
            known = self._known.get(update.race, PeerUpdate(update.race, {}, {}, known=0))
            self.wire.answer(replace(known, process=update.process))
            await self.wire.flush()
        if update.statuses or not update.readable:
            heard = PeerUpdate(update.race, update.events, update.statuses)
            self._heard.put_nowait(replace(heard, readable=update.readable))

    async def hears(self) -> PeerUpdate:
        """The next statuses of a race, or that it must be read again."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._heard.get()

    async def hears_until(self, wanted: PeerUpdate) -> None:
        while await self.hears() != wanted:
            pass

    async def tell_lost(self, *moves: SeatAppend) -> None:
        """Publish moves while the store is away."""
        self.tell_later(*moves)
        await self.wire.flush()


async def know_each_other(one: Process, other: Process, *races: RaceId) -> None:
    """Both follow these races, and know it of each other, also if a connection was lost."""
    for each in (one, other):
        await each.follow(*races)
    while not all(p.wire.is_followed(race) for p in (one, other) for race in races):
        await one.store.ping()


@asynccontextmanager
async def beating(one: Process) -> AsyncIterator[None]:
    """It publishes and beats in this block, whatever happens, as the server does."""

    async def run(run: Callable[[], Awaitable[None]]) -> None:
        while True:
            with contextlib.suppress(StoreLost):
                await run()

    tasks = [asyncio.create_task(run(each)) for each in (one.wire.beat, one.wire.publish_all)]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


@asynccontextmanager
async def process(client: Client, name: str) -> AsyncIterator[Process]:
    one = Process(client, name)
    listening = asyncio.create_task(one.listen())
    try:
        yield one
    finally:
        listening.cancel()
        await asyncio.wait((listening,))
        await one.wire.close()
