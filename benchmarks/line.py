"""A WebSocket client for benchmarks that costs as little as possible. It trusts its server."""

import asyncio
import sys
from collections.abc import Callable
from typing import Self

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

Heard = Callable[[bytes], None]


class Line(asyncio.Protocol):
    """One connection that sends and receives whole frames without a task."""

    def __init__(self, url: str, subprotocol: str, *, text: bool) -> None:
        self.heard: Heard = lambda frame: None
        """Called with every frame, before the next one is parsed."""
        self._opcode = Opcode.TEXT if text else Opcode.BINARY
        self._websocket = ClientProtocol(
            parse_uri(url), subprotocols=[Subprotocol(subprotocol)], max_size=None
        )
        self._opened: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, url: str, subprotocol: str, *, text: bool) -> Self:
        """Connect. Raises OSError, and the errors of websockets for a failed handshake."""
        uri = parse_uri(url)
        _, line = await asyncio.get_running_loop().create_connection(
            lambda: cls(url, subprotocol, text=text), uri.host, uri.port
        )
        await line._opened
        if line._websocket.handshake_exc:
            raise line._websocket.handshake_exc
        return line

    def send(self, frame: bytes) -> None:
        """Send one frame."""
        if self._opcode is Opcode.TEXT:
            self._websocket.send_text(frame)
        else:
            self._websocket.send_binary(frame)
        self._write()

    def close(self) -> None:
        """Close the connection without a close frame."""
        assert self._transport is not None, "connected"
        self._transport.abort()
        self._transport = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport), "TCP"
        self._transport = transport
        self._websocket.send_request(self._websocket.connect())
        self._write()

    def data_received(self, data: bytes) -> None:
        self._websocket.receive_data(data)
        for event in self._websocket.events_received():
            if isinstance(event, Response):
                self._opened.set_result(event)
            elif isinstance(event, Frame) and event.opcode is self._opcode:
                self.heard(bytes(event.data))
        self._write()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            sys.exit(f"The server hung up: {exc or self._websocket.close_exc}")

    def _write(self) -> None:
        """Write what websockets has to send, including its answers to pings."""
        if self._transport is not None:
            self._transport.writelines(self._websocket.data_to_send())
