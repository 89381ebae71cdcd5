"""A real WebSocket server that sends only what the test tells it to send."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bigben_client import Backoff, Client
from bigben_protocol import (
    CODECS,
    ClientMessage,
    Hello,
    PlayerId,
    ServerMessage,
    Welcome,
)

ADA = PlayerId("guest:ada")
WELCOME = Welcome(ADA, "Ada", "token-1", now_at=0)

Kind = TypeVar("Kind", bound=ClientMessage)


class Peer:
    """The server's end of one connection."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        assert connection.subprotocol is not None
        self._codec = CODECS[connection.subprotocol]

    async def hears(self, kind: type[Kind]) -> Kind:
        """The next message, which must be of this kind."""
        message = self._codec.decode_client(await self._connection.recv())
        assert isinstance(message, kind), f"{message} came where {kind.__name__} was due"
        return message

    async def says(self, *messages: ServerMessage) -> None:
        """Send these messages."""
        for message in messages:
            await self.sends(self._codec.encode(message))

    async def sends(self, frame: bytes) -> None:
        """Send any bytes."""
        await self._connection.send(frame, text=self._codec.text)

    async def closes(self, code: int, reason: str = "") -> None:
        """Close with a code and a reason."""
        await self._connection.close(code, reason)

    async def breaks(self) -> None:
        """Break the connection, as a server that loses its power."""
        self._connection.transport.abort()
        await self._connection.wait_closed()

    @property
    def path(self) -> str:
        """What the client asked for, with its query."""
        assert self._connection.request is not None
        return self._connection.request.path

    async def is_left(self) -> int:
        """Wait until the client closes the connection, and return its code."""
        try:
            message = await self._connection.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
        raise AssertionError(f"{message!r} came where a close was due")


class ScriptedServer:
    """Accepts connections; each waits until the test sends something."""

    def __init__(self) -> None:
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()
        self.url = ""

    @classmethod
    @asynccontextmanager
    async def listening(cls, **options: Any) -> AsyncIterator[Self]:  # Any: options of serve()
        """The server on a free port."""
        server = cls()
        subprotocols = [Subprotocol(name) for name in CODECS]
        options = {"subprotocols": subprotocols, **options}
        async with serve(server._take, "127.0.0.1", 0, **options) as serving:
            host, port = next(iter(serving.sockets)).getsockname()
            server.url = f"ws://{host}:{port}"
            yield server

    async def takes(self) -> Peer:
        """The next connection, before any message."""
        return await self._peers.get()

    async def greets(self, welcome: Welcome = WELCOME) -> tuple[Peer, Hello]:
        """The next connection, after hello and welcome."""
        peer = await self.takes()
        return peer, await self.welcomes(peer, welcome)

    async def welcomes(self, peer: Peer, welcome: Welcome = WELCOME) -> Hello:
        """Receive hello on this connection, and answer it."""
        hello = await peer.hears(Hello)
        await peer.says(welcome)
        return hello

    async def welcomes_back(self) -> Peer:
        """The next connection of a client that was connected before."""
        peer, hello = await self.greets()
        assert hello.token == WELCOME.token
        return peer

    @asynccontextmanager
    async def connected(self, **options: Any) -> AsyncIterator[tuple[Client, Peer]]:
        """A client and the server's end of its first connection. Any: options of Client."""
        greeting = asyncio.create_task(self.greets())
        try:
            async with self.client(**options) as client:
                peer, _ = await greeting
                yield client, peer
        finally:
            greeting.cancel()

    def client(self, **options: Any) -> Client:
        """A client of this server that never pauses. Any: options of Client."""
        return Client(self.url, **{"name": "Ada", "backoff": Backoff(first=0), **options})

    async def _take(self, connection: ServerConnection) -> None:
        await self._peers.put(Peer(connection))
        await connection.wait_closed()
