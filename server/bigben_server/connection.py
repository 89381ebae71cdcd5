"""WebSockets: frames to messages and back, and how much a peer may send. The user of websockets.

Knows what a message is, and nothing of races.
"""

import asyncio
import contextlib
import http
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from bigben_protocol import CODECS, LONGEST_REASON, FrameError, Refused
from bigben_server import page
from bigben_server.answers import Answer
from bigben_server.api import PREFIX, TOO_FAST
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


class Connection:
    """One peer: its socket, its session, and how fast it may send."""

    def __init__(
        self, socket: ServerConnection, app: App, limits: Limits, returns: Returns
    ) -> None:
        assert socket.subprotocol is not None, "the handshake refuses peers without one"
        self._socket = socket
        self._app = app
        self._limits = limits
        self._returns = returns
        self._codec = CODECS[socket.subprotocol]
        self._session = Session(self._codec, self._send, self._close)
        self._closing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Bring every frame to the application until either side closes. Raises nothing."""
        clock = asyncio.get_running_loop().time
        bucket = Bucket(self._limits.messages_per_second, self._limits.burst, clock())
        try:
            async for frame in self._socket:
                if self._closing:
                    break
                if not bucket.take(clock()):
                    self._too_fast()
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
        self._close(POLICY, text)

    def _close(self, code: int, reason: str) -> None:
        """Begin to close; what was written before goes out first."""
        if self._closing is None:
            said = self._returns.reason(code, reason)
            fitting = said.encode()[:LONGEST_REASON].decode(errors="ignore")
            self._closing = asyncio.create_task(self._socket.close(code, fitting))


class _Socket(ServerConnection):
    """Drops a peer that does without end what websockets itself allows.

    It answers each ping at once and buffers without end: a peer that sends pings and never reads
    would take all memory. And it lets anybody open connections and say nothing for ten seconds.
    """

    doorway: Doorway
    most_unsent: int
    waiting: set["_Socket"]
    """All that have not come in."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.waiting.add(self)
        if not self.doorway.comes(str(self.remote_address[0])):
            self.transport.abort()

    def comes_in(self) -> None:
        """It waits no more; once or oftener."""
        if self in self.waiting:
            self.waiting.remove(self)
            self.doorway.waits_no_more(str(self.remote_address[0]))

    def connection_lost(self, exc: Exception | None) -> None:
        self.comes_in()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > self.most_unsent:
            self.transport.abort()


@asynccontextmanager
async def listening(app: App, settings: Settings) -> AsyncIterator[Server]:
    """Accept connections; on leaving, send everybody to another process with close 1012.

    Raises CannotListen.
    """
    doorway = Doorway(settings)
    returns = Returns()
    waiting: set[_Socket] = set()
    bounds = {
        "doorway": doorway,
        "most_unsent": settings.limits.queue_bytes,
        "waiting": waiting,
    }

    async def handle(socket: ServerConnection) -> None:
        assert isinstance(socket, _Socket), "as serve was told"
        socket.comes_in()
        with doorway.inside(_address(doorway, socket, socket.request)), returns.one_more():
            await Connection(socket, app, settings.limits, returns).run()

    async def answer(socket: ServerConnection, request: Request) -> Response | None:
        """Plain HTTP on the same port, and who may not come in. None goes on to a WebSocket."""
        if "Upgrade" not in request.headers:
            return await _plain_http(app, doorway, _address(doorway, socket, request), request)
        if "Sec-WebSocket-Protocol" not in request.headers:
            text = f"Offer one of the subprotocols {' and '.join(CODECS)}."
            return _sentence(http.HTTPStatus.BAD_REQUEST, text)
        if not doorway.lets_page(_joined(request.headers)):
            text = "Pages of this address may not connect; its operator lists it in BIGBEN_ORIGINS."
            return _sentence(http.HTTPStatus.FORBIDDEN, text)
        if doorway.is_full(_address(doorway, socket, request)):
            text = "Too many connections come from your address; close some and try again."
            return _sentence(http.HTTPStatus.TOO_MANY_REQUESTS, text)
        return None

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
            create_connection=type("Socket", (_Socket,), bounds),
            reuse_port=settings.worker,
        )
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


def _address(doorway: Doorway, socket: ServerConnection, request: Request | None) -> str:
    headers = request.headers if request else Headers()
    return doorway.address(_joined(headers), str(socket.remote_address[0]))


def _joined(headers: Headers) -> dict[str, str]:
    """By name in lower case; a header that is there several times is one list."""
    return {name.lower(): ", ".join(headers.get_all(name)) for name in headers}


async def _plain_http(app: App, doorway: Doorway, address: str, request: Request) -> Response:
    # Before its version 16 websockets knows no other method, and no attribute for it.
    method = getattr(request, "method", "GET")
    if method not in ("GET", "HEAD"):
        text = "Only GET and HEAD are answered here."
        return _sentence(http.HTTPStatus.METHOD_NOT_ALLOWED, text, {"Allow": "GET, HEAD"})
    known = _joined(request.headers).get("if-none-match", "")
    if request.path == "/health":
        response = _sentence(http.HTTPStatus.OK, "ok")
    elif not request.path.startswith(PREFIX):
        response = _response(*page.answer(request.path, known))
    elif doorway.lets_ask(address, asyncio.get_running_loop().time()):
        response = _from_api(await app.api.answer(request.path, known))
    else:
        response = _from_api(TOO_FAST)
    if method == "HEAD":
        response.body = b""
    return response


def _from_api(answer: Answer) -> Response:
    status, body, headers = answer
    every = {
        "Content-Type": "application/json; charset=utf-8",
        "Access-Control-Allow-Origin": "*",
    }
    return _response(status, body, {**every, **headers})


def _sentence(
    status: http.HTTPStatus, text: str, headers: Mapping[str, str] | None = None
) -> Response:
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    return _response(status, f"{text}\n".encode(), {**plain, **(headers or {})})


def _response(status: http.HTTPStatus, body: bytes, headers: Mapping[str, str]) -> Response:
    every = Headers({**headers, "Content-Length": str(len(body)), "Connection": "close"})
    if status is http.HTTPStatus.NOT_MODIFIED:
        # Caches would take these for those of what they have kept.
        for name in ("Content-Length", "Content-Type"):
            every.pop(name, None)
    return Response(status.value, status.phrase, every, body)
