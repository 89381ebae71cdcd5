"""WebSockets: frames to messages and back, and which peers are accepted. Uses websockets.

Knows what a message is, and nothing of races.
"""

import asyncio
import contextlib
import errno
import http
import logging
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from socket import gaierror
from socket import socket as Listener

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from bigben_protocol import CODECS, LONGEST_REASON, FrameError, Refused
from bigben_server.config import Limits, Settings
from bigben_server.rooms.hub import Hub
from bigben_server.rooms.services import POLICY
from bigben_server.rooms.session import Session
from bigben_server.transport import api, plain_http
from bigben_server.transport.admission import UPGRADE_COST, Admission
from bigben_server.transport.metered import MeteredConnection
from bigben_server.transport.retry import RetryHints

_log = logging.getLogger(__name__)

MALFORMED = 1007
RESTART = 1012
GOODBYE_S = 3.0
"""How long a peer may take to answer a close; a restart waits no longer for those who are gone."""
_ACCEPTED = 1
"""Connections that are accepted in one turn of the event loop. asyncio takes its backlog for this,
so that a hundred handshakes would come between two moves."""
_BACKLOG = 1_024
"""Connections that the system lets wait for us, a school class and its pages."""


class Connection:
    """One peer: its socket, its session, and how fast it may send."""

    def __init__(
        self, socket: MeteredConnection, hub: Hub, limits: Limits, returns: RetryHints
    ) -> None:
        assert socket.subprotocol is not None, "the handshake refuses peers without one"
        self._socket = socket
        self._hub = hub
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
                self._hub.receive(self._session, self._codec.decode_client(frame))
        except FrameError as error:
            self._close(MALFORMED, str(error))
        except ConnectionClosed:
            pass
        except Exception:
            _log.exception("a message could not be handled")
            self._session.fail()
        finally:
            self._hub.leave(self._session)
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


@asynccontextmanager
async def listening(hub: Hub, boards: api.Api, settings: Settings) -> AsyncIterator[Server]:
    """Accept connections; on leaving, send everybody to another process with close 1012.

    Raises CannotListen.
    """
    admission = Admission(settings)
    returns = RetryHints()
    waiting: set[MeteredConnection] = set()
    bounds = {
        "admission": admission,
        "limits": settings.limits,
        "waiting": waiting,
    }

    async def handle(socket: ServerConnection) -> None:
        assert isinstance(socket, MeteredConnection), "as serve was told"
        socket.not_silent()
        admission.charge(socket.address, socket.loop.time(), UPGRADE_COST)
        with admission.connected(socket.address), returns.one_more():
            await Connection(socket, hub, settings.limits, returns).run()

    async def answer(socket: ServerConnection, request: Request) -> Response | None:
        """Plain HTTP on the same port, and who may not come in. None goes on to a WebSocket."""
        assert isinstance(socket, MeteredConnection), "as serve was told"
        headers, now = _joined(request.headers), socket.loop.time()
        socket.address = admission.address(headers, socket.peer)
        asked = plain_http.Request(
            request.method, request.protocol, request.path, headers, socket.address
        )
        if admission.behind_proxy and not admission.arrivals.take(asked.address, now):
            return _response(plain_http.TOO_OFTEN)
        if asked.wants_websocket:
            refusal = admission.refusal(asked, now)
            return _response(refusal) if refusal else None
        response = _response(await api.answer(asked, admission, boards, now))
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
        await hub.settled()
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


def _response(answer: plain_http.Answer) -> Response:
    status, body, headers = answer
    every = Headers({**headers, "Content-Length": str(len(body)), "Connection": "close"})
    if status is http.HTTPStatus.NOT_MODIFIED:
        # A cache would take these for the headers of the body that it keeps.
        for name in ("Content-Length", "Content-Type"):
            every.pop(name, None)
    return Response(status.value, status.phrase, every, body)


class CannotListen(Exception):
    """The server can't start. Its text is a sentence for the operator that says what to do."""


@contextmanager
def binding(settings: Settings) -> Iterator[None]:
    """Around the code that binds the host and port of the settings. Raises CannotListen."""
    try:
        yield
    # UnicodeError: the host can't be a name.
    except (OSError, UnicodeError) as error:
        raise CannotListen(_why(error, settings.host, settings.port)) from error


def _why(error: OSError | UnicodeError, host: str, port: int) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if isinstance(error, (gaierror, UnicodeError)) or code == errno.EADDRNOTAVAIL:
        return (
            f"{host[:60]!r} is no address of this machine; --host (BIGBEN_HOST) is 127.0.0.1 for "
            "players on this machine only, 0.0.0.0 for everybody."
        )
    if code == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by a server that runs already; stop that one, or "
            "choose another port with --port (BIGBEN_PORT; make serve PORT=…)."
        )
    if code == errno.EACCES:
        return (
            f"port {port} is reserved for the system; choose one from 1024 on with --port "
            "(BIGBEN_PORT), and let a proxy forward that one."
        )
    return f"can't listen on {host[:60]!r}, port {port}: {error}."
