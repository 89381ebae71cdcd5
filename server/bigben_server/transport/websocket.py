"""The port: WebSockets, whose frames are messages, and plain HTTP beside them."""

import asyncio
import contextlib
import functools
import http
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket as Listener

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from bigben_protocol import CODECS, LONGEST_REASON, FrameError
from bigben_server.config import Settings
from bigben_server.rooms.hub import Hub
from bigben_server.rooms.session import Session
from bigben_server.transport import api, plain_http
from bigben_server.transport.admission import UPGRADE_COST, Admission
from bigben_server.transport.metered import MeteredConnection
from bigben_server.transport.port import binding
from bigben_server.transport.retry import reason_with_hint

_log = logging.getLogger(__name__)

GOODBYE_S = 3.0
"""How long a peer may take to answer a close; a restart waits no longer for lost peers."""
_ACCEPTED = 1
"""Connections that are accepted in one turn of the event loop. asyncio takes its backlog for this,
so that a hundred handshakes would come between two moves."""
_BACKLOG = 1_024
"""Connections that the system lets wait for us, a school class and its pages."""


class Connection(Session):
    """The session of one peer and its socket."""

    def __init__(self, socket: MeteredConnection, hub: Hub, admission: Admission) -> None:
        assert socket.subprotocol is not None, "the handshake refuses peers without one"
        super().__init__(CODECS[socket.subprotocol], address=socket.address)
        self._socket = socket
        self._hub = hub
        self._admission = admission
        self._closing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Bring every frame to the application until either side closes. Raises nothing."""
        try:
            async for frame in self._socket:
                if self._closing:
                    break
                self._hub.receive(self, self.codec.decode_client(frame))
        except FrameError as error:
            self.close(CloseCode.INVALID_DATA, str(error))
        except ConnectionClosed:
            pass
        except Exception:
            _log.exception("a message could not be handled")
            self.fail()
        finally:
            self._hub.leave(self)
            if self._closing:
                await self._read_the_rest()
                await self._closing

    async def _read_the_rest(self) -> None:
        """Read and drop the rest, because the peer's half of the close comes after it."""
        with contextlib.suppress(ConnectionClosed):
            async for _ in self._socket:
                pass

    def write(self, frames: list[bytes]) -> None:
        """Write without waiting. A peer that reads too slowly is dropped, and resumes."""
        protocol, transport = self._socket.protocol, self._socket.transport
        if protocol.state is not State.OPEN or transport.is_closing():
            return
        # As websockets.broadcast() does, but with one write for all frames.
        send = protocol.send_text if self.codec.text else protocol.send_binary
        for frame in frames:
            send(frame)
        transport.writelines(protocol.data_to_send())
        if transport.get_write_buffer_size() > self._admission.limits.queue_bytes:
            transport.abort()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            told = reason_with_hint(code, reason, self._admission.connected)
            fitting = told.encode()[:LONGEST_REASON].decode(errors="ignore")
            self._closing = asyncio.create_task(self._socket.close(code, fitting))


class Acceptor:
    """Takes the WebSockets and answers the plain HTTP requests that come to the port."""

    def __init__(self, hub: Hub, boards: api.Api, settings: Settings) -> None:
        self._hub = hub
        self._boards = boards
        self._admission = Admission(settings)
        self._silent: dict[str, set[MeteredConnection]] = {}
        self.create = functools.partial(
            MeteredConnection, admission=self._admission, silent=self._silent
        )
        """Makes the connection of a new peer."""

    async def answer(self, socket: ServerConnection, request: Request) -> Response | None:
        """The answer to a request; None for a WebSocket, which ``handle`` takes."""
        assert isinstance(socket, MeteredConnection), "create makes it"
        admission, headers, now = self._admission, _joined(request.headers), socket.loop.time()
        socket.address = admission.address(headers, socket.peer)
        asked = plain_http.Request(
            request.method, request.protocol, request.path, headers, socket.address
        )
        if admission.behind_proxy and not admission.arrivals.take(asked.address, now):
            return _response(plain_http.TOO_OFTEN)
        if asked.wants_websocket:
            refusal = admission.refusal(asked, now)
            return _response(refusal) if refusal else None
        response = _response(await api.answer(asked, admission, self._boards, now))
        if request.method == "HEAD":
            response.body = b""
        return response

    async def handle(self, socket: ServerConnection) -> None:
        """Serve a WebSocket until it is closed."""
        assert isinstance(socket, MeteredConnection), "create makes it"
        socket.not_silent()
        admission, now = self._admission, socket.loop.time()
        admission.arrivals.of(socket.address, now).charge(now, UPGRADE_COST)
        with admission.connection(socket.address):
            socket.session = connection = Connection(socket, self._hub, admission)
            await connection.run()

    async def close(self, server: Server) -> None:
        """Close every WebSocket with 1012, after what was decided before."""
        server.close(close_connections=False)
        await asyncio.sleep(0)  # it begins in a task; from then on it accepts nobody
        for socket in [one for together in self._silent.values() for one in together]:
            if socket.request is None:
                socket.transport.abort()
        await self._hub.settled()
        code, text = CloseCode.SERVICE_RESTART, "The server restarts; come back in a moment."
        connected = self._admission.connected
        await asyncio.gather(
            *(
                socket.close(code, reason_with_hint(code, text, connected))
                for socket in server.connections
            )
        )
        await server.wait_closed()


@asynccontextmanager
async def listening(hub: Hub, boards: api.Api, settings: Settings) -> AsyncIterator[Server]:
    """Accept connections. On leaving, send all players to another process.

    Raises CannotListen.
    """
    acceptor = Acceptor(hub, boards, settings)
    with binding(settings):
        server = await serve(
            acceptor.handle,
            settings.host,
            settings.port,
            subprotocols=[Subprotocol(name) for name in CODECS],
            compression=None,  # frames are small, and a compressor for each peer is not
            process_request=acceptor.answer,
            server_header=None,
            close_timeout=GOODBYE_S,
            max_size=settings.limits.frame_bytes,
            create_connection=acceptor.create,  # type: ignore[arg-type]  # any factory may be given
            reuse_port=settings.worker,
            backlog=_ACCEPTED,
        )
    for listener in server.sockets:
        with Listener(fileno=os.dup(listener.fileno())) as same:
            same.listen(_BACKLOG)
    try:
        yield server
    finally:
        await acceptor.close(server)


def port_of(server: Server) -> int:
    """The port that the server listens on, for settings with port 0."""
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


def _joined(headers: Headers) -> dict[str, str]:
    """Headers by name in lower case; repeated ones are joined to one list."""
    return {name.lower(): ", ".join(headers.get_all(name)) for name in headers}


def _response(answer: plain_http.Answer) -> Response:
    status, body, headers = answer
    every = Headers({**headers, "Content-Length": str(len(body)), "Connection": "close"})
    if status is http.HTTPStatus.NOT_MODIFIED:
        # A cache would take these for the headers of the body that it keeps.
        for name in ("Content-Length", "Content-Type"):
            every.pop(name, None)
    return Response(status.value, status.phrase, every, body)
