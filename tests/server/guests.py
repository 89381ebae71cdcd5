"""A whole application without sockets, and players who talk to it. Tests nothing itself."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S

from bigben_protocol import CODECS, JSON, ClientMessage, RaceId, ServerMessage
from bigben_server.accounts.tokens import Issuers
from bigben_server.config import Limits, Webhooks
from bigben_server.race.events import Append, Log
from bigben_server.rooms.app import App
from bigben_server.rooms.session import Session
from bigben_server.scoring.results import Ranked
from bigben_server.storage.admin.processes import Process
from bigben_server.storage.client import Client
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import Schema

SECRET = b"a secret of at least thirty-two bytes"
PLATFORMS = {"discord": ("d" * 32,), "matrix": ("m" * 32,)}
"""The keys of two front ends."""
_Kind = TypeVar("_Kind", bound=ServerMessage)


class SlowStore(Store):
    """A Redis that takes its time to write, when it is told to."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.writes = asyncio.Event()
        self.writes.set()
        self.asked_to_write = asyncio.Event()

    async def append(
        self, appends: Sequence[Append], agenda: Mapping[RaceId, int]
    ) -> frozenset[Log]:
        if not self.writes.is_set():
            self.asked_to_write.set()
            await self.writes.wait()
        return await super().append(appends, agenda)


class SentAway(Exception):
    """The server has closed this guest's connection; the text says why. They may come back."""


class RecordedSession(Session):
    """A session without a socket, whose frames a test reads."""

    def __init__(self, *, address: str = "") -> None:
        super().__init__(CODECS[JSON], address=address)
        self.written: list[list[bytes]] = []

    def framed(self, encoded: bytes) -> bytes:
        return encoded

    def write(self, frames: list[bytes]) -> None:
        self.written.append(frames)

    def close(self, code: int, reason: str) -> None:
        raise AssertionError(f"closed with {code}: {reason}")


class Guest(Session):
    """A player without a socket."""

    def __init__(self, app: App) -> None:
        super().__init__(CODECS[JSON])
        self._app = app
        self._heard: asyncio.Queue[ServerMessage | SentAway] = asyncio.Queue()

    def say(self, *messages: ClientMessage) -> None:
        for message in messages:
            self._app.hub.receive(self, message)

    async def hears(self) -> ServerMessage:
        """The next message, whatever it is. Raises SentAway."""
        message = await self._heard.get()
        if isinstance(message, SentAway):
            raise message
        return message

    async def until(
        self, kind: type[_Kind], wanted: Callable[[_Kind], bool] = lambda _: True
    ) -> _Kind:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await self.hears()
                if isinstance(message, kind) and wanted(message):
                    return message

    async def ask(self, message: ClientMessage, kind: type[_Kind]) -> _Kind:
        self.say(message)
        return await self.until(kind)

    def close(self, code: int, reason: str) -> None:
        self._app.hub.leave(self)
        self._heard.put_nowait(SentAway(f"{code} {reason}"))

    def framed(self, encoded: bytes) -> bytes:
        return encoded

    def write(self, frames: list[bytes]) -> None:
        for frame in frames:
            self._heard.put_nowait(self.codec.decode_server(frame.decode()))


async def _never() -> None:
    raise AssertionError("Redis was never lost")


@asynccontextmanager
async def running(
    client: Client,
    clock: Clock[int],
    store: Store | None = None,
    *,
    revive: Callable[[], Awaitable[None]] = _never,
    process: str = "test",
    ranked: Ranked = "all",
    thinkers: int = 0,
    webhooks: Webhooks = "off",
) -> AsyncIterator[App]:
    """An application on this Redis; ``store`` is how it writes there, if not as usual.

    ``process`` is what it is called by others on the same Redis, if there are any.
    """
    store = store or Store(client)
    wire = PubSub(store, process)
    app = App(
        store,
        wire,
        Issuers(SECRET, PLATFORMS),
        SECRET,
        Limits(),
        clock=clock,
        random_bytes=secrets.token_bytes,
        revive=revive,
        ranked=ranked,
        thinkers=thinkers,
        webhooks=webhooks,
        process=Process(process),
        schema=Schema(store, process),
    )
    started = asyncio.Event()
    task = asyncio.create_task(app.run(started.set))
    await started.wait()
    try:
        yield app
    finally:
        task.cancel()
        await asyncio.wait([task])
        await wire.close()


@asynccontextmanager
async def peer_of(store: Store, race: RaceId) -> AsyncIterator[None]:
    """Another process, which has subscribed to a race and publishes nothing."""
    pubsub = PubSub(store, "peer")
    listening = asyncio.ensure_future(anext(pubsub.updates()))
    await pubsub.subscribe(race)
    yield
    listening.cancel()
    await asyncio.wait((listening,))
    await pubsub.close()
