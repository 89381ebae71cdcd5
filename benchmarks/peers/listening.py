"""How the peers in Python listen."""

import asyncio
from collections.abc import Awaitable, Callable

from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bigben_protocol import CODECS


async def listen(
    handle: Callable[[ServerConnection], Awaitable[None]], port: int, stop: asyncio.Event
) -> None:
    """Serve WebSockets until ``stop`` is set; print the address once they are accepted."""
    protocols = [Subprotocol(name) for name in CODECS]
    async with serve(handle, "127.0.0.1", port, subprotocols=protocols, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}", flush=True)
        await stop.wait()
