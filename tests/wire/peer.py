"""One connection to a server that shows every frame and does not reconnect."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from tests.support.patience import PATIENCE_S
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bigben_protocol import (
    CODECS,
    JSON,
    MSGPACK,
    ClientMessage,
    Codec,
    Create,
    Diff,
    Hello,
    Join,
    Move,
    Ready,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
    View,
    Welcome,
)

_Kind = TypeVar("_Kind", bound=ServerMessage)


class Peer:
    """A connection, and everything that it has received."""

    def __init__(self, socket: ClientConnection, codec: Codec) -> None:
        self.socket = socket
        self.codec = codec
        self.heard: list[ServerMessage] = []

    async def say(self, *messages: ClientMessage) -> None:
        for message in messages:
            await self.send(self.codec.encode(message))

    async def send(self, encoded: bytes) -> None:
        """Send any bytes as a frame of this subprotocol."""
        await self.socket.send(encoded, text=self.codec.text)

    async def hear(self) -> ServerMessage:
        """The next message. Raises ConnectionClosed."""
        async with asyncio.timeout(PATIENCE_S):
            frame = await self.socket.recv()
        self.heard.append(self.codec.decode_server(frame))
        return self.heard[-1]

    async def until(
        self, kind: type[_Kind], wanted: Callable[[_Kind], bool] = lambda _: True
    ) -> _Kind:
        """The next message of this kind; earlier messages are skipped."""
        while True:
            message = await self.hear()
            if isinstance(message, kind) and wanted(message):
                return message

    async def ask(self, message: ClientMessage, kind: type[_Kind]) -> _Kind:
        """Send the message, and return the next message of this kind."""
        await self.say(message)
        return await self.until(kind)

    async def closed(self) -> tuple[int, str]:
        """The code and the reason of the other side's close; earlier messages are skipped."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.hear()
        code, reason = self.socket.close_code, self.socket.close_reason
        assert code is not None
        assert reason is not None
        return code, reason


@asynccontextmanager
async def peer(
    url: str,
    subprotocol: str = JSON,
    *,
    name: str = "Ada",
    address: str = "127.0.0.1",
    keeps_rules: bool = False,
    announcements: bool = False,
    elsewhere: bool = False,
) -> AsyncIterator[Peer]:
    """A connection that has said hello, unless ``name`` is empty. ``address`` is its address."""
    async with connect(
        url,
        subprotocols=[Subprotocol(subprotocol)],
        compression=None,
        ping_interval=None,
        close_timeout=1,  # a peer that has not read all does not hear the server's goodbye
        local_addr=(address, 0),
    ) as socket:
        one = Peer(socket, CODECS[subprotocol])
        if name:
            hello = Hello(
                name,
                keeps_rules=keeps_rules,
                announcements=announcements,
                elsewhere=elsewhere,
            )
            await one.ask(hello, Welcome)
        yield one


async def race_to_the_end(url: str) -> None:
    """Let two players race to the end, which shows that the server works."""
    async with peer(url, JSON) as ada, peer(url, MSGPACK, name="Bob") as bob:
        room = await ada.ask(Create(ref=1), Room)
        await bob.ask(Join(room.race, ref=1), Room)
        for one in (ada, bob):
            await one.say(Ready(room.race, nonce="5e" * 32))
        finals = await asyncio.gather(*(_play(one, room.race) for one in (ada, bob)))
    assert len({final.rows for final in finals}) == 1, "both see the same standings"
    assert [row.state for row in finals[0].rows] == ["resigned", "resigned"]


async def _play(one: Peer, race: str) -> Standings:
    """Play a few moves, resign, and return the final standings."""
    rng = random.Random(race)
    view = View.of(await one.until(Snapshot))
    for _ in range(20):
        if not view.legal:
            break
        await one.say(Move(race, view.n + 1, rng.choice(view.legal)))
        view = view.after(await one.until(Diff))
    if view.state == "playing":
        await one.ask(Move(race, view.n + 1, "resign"), Diff)
    final = await one.until(Standings, lambda standings: standings.final)
    await one.until(Reveal)
    return final
