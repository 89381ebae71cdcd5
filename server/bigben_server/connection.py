"""WebSockets: frames to messages and back, and how much a peer may send. The user of websockets.

Knows what a message is, and nothing of races.
"""

import asyncio
import contextlib
import http
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from socket import socket as Listener

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.typing import Subprotocol

from bigben_protocol import CODECS, LONGEST_REASON, FrameError, Refused
from bigben_server import requests
from bigben_server.answers import Answer
from bigben_server.app import POLICY, App
from bigben_server.binding import binding
from bigben_server.config import Limits, Settings
from bigben_server.doorway import Doorway
from bigben_server.rate import Bucket
from bigben_server.returns import Returns
from bigben_server.session import Session

_log = logging.getLogger(__name__)

MALFORMED = 1007
RESTART = 1012
GOODBYE_S = 3.0
"""How long a peer may take to answer a close; a restart waits no longer for those who are gone."""
DRIP_S = 0.1
"""How often something is read from a peer that was too fast, until it is gone."""
_ACCEPTED = 2
"""Connections that are accepted before others get their turn. asyncio takes its backlog for this,
so that a hundred handshakes would come between two moves."""
_BACKLOG = 1_024
"""Connections that the system lets wait for us, a school class and its pages."""
_SLICE = 1_024
"""Bytes that are parsed before a peer's rate is looked at again: 170 frames at most."""


class Connection:
    """One peer: its socket, its session, and how fast it may send."""

    def __init__(
        self, socket: "MeteredConnection", app: App, limits: Limits, returns: Returns
    ) -> None:
        assert socket.subprotocol is not None, "the handshake refuses peers without one"
        self._socket = socket
        self._app = app
        self._limits = limits
        self._returns = returns
        self._codec = CODECS[socket.subprotocol]
        self._session = Session(self._codec, self._send, self._close, address=socket.address)
        self._closing: asyncio.Task[None] | None = None
        socket.too_fast = self._too_fast

    async def run(self) -> None:
        """Bring every frame to the application until either side closes. Raises nothing."""
        try:
            async for frame in self._socket:
                if self._closing:
                    break
                self._app.receive(self._session, self._codec.decode_client(frame))
        except FrameError as error:
            self._close(MALFORMED, str(error))
        except ConnectionClosed:
            pass
        except Exception:
            _log.exception("a message could not be handled")
            self._session.fail()
        finally:
            self._app.leave(self._session)
            if self._closing:
                await self._pass_over_the_rest()
                await self._closing

    async def _pass_over_the_rest(self) -> None:
        """Read what nobody will handle: the peer's half of the close comes after it."""
        with contextlib.suppress(ConnectionClosed):
            async for _ in self._socket:
                pass

    def _send(self, frames: list[bytes]) -> None:
        """Write without waiting; who reads too slowly is dropped, and resumes."""
        protocol, transport = self._socket.protocol, self._socket.transport
        if protocol.state is not State.OPEN or transport.is_closing():
            return
        # As websockets.broadcast() does, but with one write for all of the turn.
        send = protocol.send_text if self._codec.text else protocol.send_binary
        for frame in frames:
            send(frame)
        transport.writelines(protocol.data_to_send())
        if transport.get_write_buffer_size() > self._limits.queue_bytes:
            transport.abort()

    def _too_fast(self) -> None:
        text = "You send too fast; slow down and come back."
        self._session.tell(Refused("rate", text))
        self._socket.fail(POLICY, text)
        self._close(POLICY, text)

    def _close(self, code: int, reason: str) -> None:
        """Begin to close; what was written before goes out first."""
        if self._closing is None:
            said = self._returns.reason(code, reason)
            fitting = said.encode()[:LONGEST_REASON].decode(errors="ignore")
            self._closing = asyncio.create_task(self._socket.close(code, fitting))


class MeteredConnection(ServerConnection):
    """Meters all that a peer sends, and drops a peer that does without end what websockets allows.

    websockets answers pings and drops pongs before anybody can count them, and it buffers its
    answers without end. It also lets anybody open connections and say nothing for ten seconds.
    """

    doorway: Doorway
    limits: Limits
    waiting: set["MeteredConnection"]
    """All that have not come in."""
    address: str
    """Where it comes from; behind a proxy this is the proxy until the headers are there."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.too_fast: Callable[[], None] = self._turn_away
        """Called once, after what was within the rate."""
        self._bucket = Bucket(self.limits.messages_per_second, self.limits.burst, self.loop.time())
        self._frames = 0
        """That were within the rate."""
        self._is_too_fast = False
        # None where it has hung up already.
        self.peer = str((self.remote_address or [""])[0])
        self.address = self.doorway.address({}, self.peer)
        self.waiting.add(self)
        if not self.doorway.comes(self.peer):
            self.transport.abort()
        elif not self.doorway.behind_proxy and not self._may_connect():
            # It waits until its handshake has taken too long. Hung up on, it would be back at once.
            self.transport.pause_reading()

    def comes_in(self) -> None:
        """It waits no more; once or oftener."""
        if self in self.waiting:
            self.waiting.remove(self)
            self.doorway.waits_no_more(self.peer)

    def connection_lost(self, exc: Exception | None) -> None:
        self.comes_in()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a slice at a time; what comes after the peer was too fast is not even parsed."""
        for start in range(0, len(data), _SLICE):
            if self._is_too_fast:
                break
            before = self._frames
            super().data_received(data[start : start + _SLICE])
            if self._frames == before:
                self._is_within_rate()  # part of a frame costs as much as one
        if self.transport.get_write_buffer_size() > self.limits.queue_bytes:
            self.transport.abort()
        if self._is_too_fast:
            # TCP holds the peer up. A little is read now and then, and thrown away, since the
            # end of the connection comes after it.
            self.transport.pause_reading()
            self.loop.call_later(DRIP_S, self.transport.resume_reading)

    def process_event(self, event: Event) -> None:
        """Let a frame through if it is within the rate, control frames too."""
        if isinstance(event, Frame):
            if not self._is_within_rate():
                return
            self._frames += 1
        super().process_event(event)

    def fail(self, code: int, reason: str) -> None:
        """Send a close frame and read no more; the peer's half of the close is not waited for."""
        if self.protocol.state is State.OPEN:
            self.protocol.fail(code, reason)
            self.send_data()

    def _may_connect(self) -> bool:
        return self.doorway.lets_connect(self.address, self.loop.time())

    def _is_within_rate(self) -> bool:
        if not self._is_too_fast and not self._bucket.take(self.loop.time()):
            self._is_too_fast = True
            self.doorway.was_flooded(self.address, self.loop.time())
            # After the messages that came before it, which are handled in this turn of the loop.
            self.loop.call_soon(lambda: self.too_fast())
        return not self._is_too_fast

    def _turn_away(self) -> None:
        """Hang up before there is a WebSocket; a peer that has its HTTP answer may read it."""
        if not self.protocol.close_expected():
            self.transport.abort()


@asynccontextmanager
async def listening(app: App, settings: Settings) -> AsyncIterator[Server]:
    """Accept connections; on leaving, send everybody to another process with close 1012.

    Raises CannotListen.
    """
    doorway = Doorway(settings)
    returns = Returns()
    waiting: set[MeteredConnection] = set()
    bounds = {
        "doorway": doorway,
        "limits": settings.limits,
        "waiting": waiting,
    }

    async def handle(socket: ServerConnection) -> None:
        assert isinstance(socket, MeteredConnection), "as serve was told"
        socket.comes_in()
        with doorway.inside(socket.address), returns.one_more():
            await Connection(socket, app, settings.limits, returns).run()

    async def answer(socket: ServerConnection, request: Request) -> Response | None:
        """Plain HTTP on the same port, and who may not come in. None goes on to a WebSocket."""
        assert isinstance(socket, MeteredConnection), "as serve was told"
        headers, now = _joined(request.headers), socket.loop.time()
        socket.address = doorway.address(headers, socket.peer)
        asked = requests.Request(
            request.method, request.protocol, request.path, headers, socket.address
        )
        if doorway.behind_proxy and not doorway.lets_connect(asked.address, now):
            return _response(requests.TOO_OFTEN)
        if requests.wants_websocket(asked):
            refusal = requests.refusal(asked, doorway)
            return _response(refusal) if refusal else None
        response = _response(await requests.answered(asked, doorway, app.api, now))
        if request.method == "HEAD":
            response.body = b""
        return response

    with binding(settings):
        server = await serve(
            handle,
            settings.host,
            settings.port,
            subprotocols=[Subprotocol(name) for name in CODECS],
            compression=None,  # frames are small, and a compressor for each peer is not
            process_request=answer,
            server_header=None,
            close_timeout=GOODBYE_S,
            max_size=settings.limits.frame_bytes,
            create_connection=type("Socket", (MeteredConnection,), bounds),
            reuse_port=settings.worker,
            backlog=_ACCEPTED,
        )
    for listener in server.sockets:
        with Listener(fileno=os.dup(listener.fileno())) as same:
            same.listen(_BACKLOG)
    try:
        yield server
    finally:
        server.close(close_connections=False)
        await asyncio.sleep(0)  # it begins in a task; from then on nobody new comes in
        for silent in [socket for socket in waiting if socket.request is None]:
            silent.transport.abort()
        await app.settled()
        text = "The server restarts; come back in a moment."
        await asyncio.gather(
            *(socket.close(RESTART, returns.reason(RESTART, text)) for socket in server.connections)
        )
        await server.wait_closed()


def port_of(server: Server) -> int:
    """The port that is listened on, where port 0 was asked for."""
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


def _joined(headers: Headers) -> dict[str, str]:
    """By name in lower case; a header that is there several times is one list."""
    return {name.lower(): ", ".join(headers.get_all(name)) for name in headers}


def _response(answer: Answer) -> Response:
    status, body, headers = answer
    every = Headers({**headers, "Content-Length": str(len(body)), "Connection": "close"})
    if status is http.HTTPStatus.NOT_MODIFIED:
        # Caches would take these for those of what they have kept.
        for name in ("Content-Length", "Content-Type"):
            every.pop(name, None)
    return Response(status.value, status.phrase, every, body)
