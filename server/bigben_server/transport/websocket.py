"""The port: WebSockets, whose frames are messages, and plain HTTP beside them."""

import asyncio
import contextlib
import functools
import logging
import os
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import cycle
from socket import socket as Listener
from typing import Final

from websockets import CloseCode, Request, Response, Subprotocol
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.server import ServerProtocol

from bigben_protocol import (
    CODECS,
    LONGEST_REASON,
    MOST_RETRY_S,
    FrameError,
    texts,
    with_retry,
)
from bigben_protocol.sentence import sentence
from bigben_server import logs
from bigben_server.config import Settings, binding
from bigben_server.counters import COUNTS, close_code
from bigben_server.homes import race_named
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Refusal
from bigben_server.readiness import Readiness
from bigben_server.rooms.hub import Hub
from bigben_server.rooms.session import Session
from bigben_server.transport import http, responses
from bigben_server.transport.admission import UPGRADE_COST, Admission, Place
from bigben_server.transport.connection import MeteredConnection
from bigben_server.transport.frames import NO_PONG, PING, framed
from bigben_server.transport.handed import HandedOver
from bigben_server.transport.policy import turned_away
from bigben_server.transport.proxies import BadForwarded

_log = logging.getLogger(__name__)

GOODBYE_S = 3.0
"""How long a peer may take to answer a close; a restart waits no longer for lost peers."""
PING_S = 20.0
"""Between two pings to a peer, which has this long to answer each."""
HELLO_S: Final = 10.0
"""How long a connection of an address's reserve may have no player."""
KEPT_S = 4.0
"""How long a connection stays open for more plain requests, less than a handshake may take."""
_GROUPS = 100
"""Peers are pinged in groups, so that no move waits for ten thousand pings."""
_ACCEPTED = 1
"""Connections that are accepted in one turn of the event loop. asyncio takes its backlog for this,
so that a hundred handshakes would come between two moves."""
BACKLOG: Final = 1_024
"""Connections that the system lets wait for us, a school class and its pages."""

_SHORTEST_RETRY_S: Final = 1.0
"""The shortest span of returns, even for few clients, because the cause needs time."""
_RETURNS_PER_SECOND: Final = 500
"""Each returning client is a handshake, a token and its races."""
_COME_BACK: Final = frozenset({1011, 1012, 1013})
"""The close codes after which clients reconnect by themselves."""


class Connection(Session):
    """The session of a WebSocket."""

    def __init__(self, socket: MeteredConnection, hub: Hub, place: Place) -> None:
        assert socket.request is not None, "it is forgotten later"
        codec = http.codec_of(socket.request)
        assert codec is not None, "the handshake refuses peers without one"
        super().__init__(codec, address=socket.address)
        self.named = race_named(socket.request.path.encode())
        self._socket = socket
        self._hub = hub
        self._place = place
        self._is_reserved = False
        self._closing: asyncio.Task[None] | None = None
        self._closed_with = 0, "peer"
        """The code, and who closes; known at once if it is not the peer."""
        with logs.about(self.id):
            _log.debug("opened with %s", self.codec.subprotocol)

    async def run(self) -> None:
        """Handle what the peer sends until either side has closed. Raises nothing."""
        self._socket.begin(self, self._receive)
        try:
            await self._socket.wait_closed()
        finally:
            self._leave()
            code, closer = self._closed_with
            code = code or self._socket.close_code or 0
            COUNTS.closes[close_code(code), closer] += 1
            with logs.about(self.id):
                _log.debug("closed with %d by the %s", code, closer)
            if self._closing:
                await self._closing

    def _receive(self, message: bytes | str) -> None:
        if self._closing:
            return
        try:
            self._hub.receive(self, self.codec.decode_client(message))
        except FrameError as error:
            self.close(CloseCode.INVALID_DATA, str(error))
            self._leave()
        except Exception:
            with logs.about(self.id):
                _log.exception("a message could not be handled")
            self.fail()
            self._leave()

    def reserve(self) -> None:
        """Keep the connection for a player for whom another issuer vouches, and who says so soon.

        It has no place of its address, which has used up its own.
        """
        self._is_reserved = True
        self._place.leave()
        self._socket.loop.call_later(HELLO_S, self._close_unknown)

    def _close_unknown(self) -> None:
        if self.player is None and not self.gone:
            self.close(CloseCode.TRY_AGAIN_LATER, texts.said(sentence("plain.connections_often")))

    def check_guest(self) -> None:
        if self._is_reserved:
            raise Refusal("limit", sentence("plain.connections"))

    def vouched(self) -> None:
        self._place.leave()
        now, admission = self._socket.loop.time(), self._socket.admission
        if self._is_reserved:
            admission.reserve.of(self.address, now).give_back(now)
        else:
            admission.arrivals.give_back(self.address, now, 1 + UPGRADE_COST)

    def silent_ms(self) -> int:
        return int((self._socket.loop.time() - self._socket.heard_at) * 1000)

    def probe(self) -> None:
        self.write([PING])

    def hold(self) -> None:
        self._socket.hold()

    def release(self) -> None:
        self._socket.release()

    def framed(self, encoded: bytes) -> bytes:
        return framed(encoded, text=self.codec.text)

    def write(self, frames: list[bytes]) -> None:
        """Write without waiting. A peer that reads too slowly is dropped, and resumes."""
        transport = self._socket.transport
        # The state of websockets tells it too, but is a property that is dearer to read.
        if self._closing or self._socket.protocol.eof_sent or transport.is_closing():
            return
        transport.write(b"".join(frames))
        if transport.get_write_buffer_size() > self._socket.admission.settings.limits.queue_bytes:
            transport.abort()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closed_with = code, "ping" if reason == NO_PONG else "server"
            told = reason_with_hint(code, reason, len(self._socket.server.all_connections))
            fitting = told.encode()[:LONGEST_REASON].decode(errors="ignore")
            self._closing = asyncio.create_task(self._socket.close(code, fitting))
            self._socket.let_go()

    def _leave(self) -> None:
        if not self.gone:
            self._hub.leave(self)


@dataclass(slots=True, eq=False)
class Acceptor:
    """Takes the WebSockets and answers the plain HTTP requests that come to the port."""

    hub: Hub
    queries: Queries
    admission: Admission
    readiness: Readiness
    _groups: list[set[MeteredConnection]] = field(
        default_factory=lambda: [set() for _ in range(_GROUPS)]
    )
    _pinged: int = _GROUPS - 1
    """The group that was pinged last. Who comes now joins it, and is pinged after ``PING_S``."""

    async def answer(self, socket: ServerConnection, request: Request) -> Response | None:
        """The last answer to the requests of a connection; None for a WebSocket, which ``handle``
        takes.
        """
        assert isinstance(socket, MeteredConnection), "create_connection makes it"
        until = socket.loop.time() + KEPT_S
        while response := await self._answer(socket, request):
            left = until - socket.loop.time()
            if (
                left <= 0
                or response.status_code >= HTTPStatus.BAD_REQUEST
                or not responses.keeps_open(request)
            ):
                response.headers["Connection"] = "close"
                return response
            following = await socket.next_request(response, left)
            if following is None:
                return response  # nobody is there to read it
            request = following
            now, arrivals = socket.loop.time(), self.admission.arrivals
            if not (socket.is_proxy or arrivals.take(socket.address, now)):
                response = responses.too_often()
                response.headers["Connection"] = "close"
                self._count(socket, request, response)
                return response
        return None

    async def _answer(self, socket: MeteredConnection, request: Request) -> Response | None:
        response = await self._response(socket, request)
        if response:
            self._count(socket, request, response)
            if request.method == "HEAD":
                response.body = b""
        return response

    async def _response(self, socket: MeteredConnection, request: Request) -> Response | None:
        now, admission, is_spare = socket.loop.time(), self.admission, False
        if admission.settings.discord_app and request.path.startswith("/.proxy/"):
            request.path = request.path.removeprefix("/.proxy")  # as older clients of Discord ask
        forwarded = responses.header(request, responses.FORWARDED)
        if socket.is_proxy:
            try:
                socket.address = admission.proxies.client(socket.remote_address[0], forwarded)
            except BadForwarded:
                return responses.bad_forwarded()
            is_spare = not admission.arrivals.take(socket.address, now)
            if is_spare and not admission.settings.discord_app:
                return responses.too_often()
        elif forwarded:
            admission.forgotten.has_forwarded(socket.address, now)
        if response := turned_away(request, socket.address, self.hub.services.policy):
            return response
        return await http.answer(
            request,
            socket.address,
            self.queries,
            admission,
            self.readiness,
            now,
            is_spare=is_spare,
        )

    def _count(self, socket: MeteredConnection, request: Request, response: Response) -> None:
        COUNTS.responses[http.aim(request), response.status_code] += 1
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            self.admission.forgotten.was_refused(socket.address, socket.loop.time())

    async def handle(self, socket: ServerConnection) -> None:
        assert isinstance(socket, MeteredConnection), "create_connection makes it"
        socket.not_silent()
        admission, now = self.admission, socket.loop.time()
        is_reserved = admission.has_used_up(socket.address, now)
        if not is_reserved:
            admission.arrivals.charge(socket.address, now, UPGRADE_COST)
        group = self._groups[self._pinged]
        group.add(socket)
        try:
            with admission.connection(socket.address) as place:
                connection = Connection(socket, self.hub, place)
                if is_reserved:
                    connection.reserve()
                await connection.run()
        finally:
            group.remove(socket)
            socket.end()

    async def keep_alive(self) -> None:
        """Ping every peer every ``PING_S`` until cancelled. A peer that never answers is closed.

        The task that websockets has for each would make an idle connection dearer.
        """
        for number in cycle(range(_GROUPS)):
            await asyncio.sleep(PING_S / _GROUPS)
            for socket in self._groups[number]:
                if socket.session:
                    self.hub.rooms.before_ping(socket.session)
                socket.keep_alive()
            self._pinged = number

    async def close(self, server: Server) -> None:
        """Close every WebSocket with 1012, after what was decided before."""
        server.close(close_connections=False)
        await asyncio.sleep(0)  # it begins in a task; from then on it accepts nobody
        for socket in [one for together in self.admission.silent.values() for one in together]:
            if socket.request is None:
                socket.transport.abort()
        await self.hub.settled()
        text = texts.said(sentence("plain.restarts"))
        for socket in server.connections:
            assert isinstance(socket, MeteredConnection), "create_connection makes it"
            assert socket.session is not None, "handle() makes it"
            socket.session.close(CloseCode.SERVICE_RESTART, text)
        await server.wait_closed()


@contextlib.asynccontextmanager
async def listening(
    hub: Hub,
    queries: Queries,
    readiness: Readiness,
    settings: Settings,
    handed: HandedOver | None = None,
) -> AsyncIterator[int]:
    """Accept connections at the returned port, or take those that are ``handed`` over by a parent.

    On leaving, send all players to another process. Raises BadSetting.
    """
    acceptor = Acceptor(hub, queries, Admission(settings), readiness)
    server = _server(acceptor, settings, handed)
    with binding(settings):
        _ = await server
    for listener in server.sockets:
        with Listener(fileno=os.dup(listener.fileno())) as same:
            same.listen(BACKLOG)
    pinging = asyncio.create_task(acceptor.keep_alive())
    try:
        yield settings.port if handed else server.sockets[0].getsockname()[1]
    finally:
        pinging.cancel()
        await acceptor.close(server)


def _server(acceptor: Acceptor, settings: Settings, handed: HandedOver | None) -> Server:
    """A server that begins when it is awaited."""
    subprotocols, most = [Subprotocol(name) for name in CODECS], settings.limits.frame_bytes
    create = functools.partial(MeteredConnection, admission=acceptor.admission)
    server = serve(
        acceptor.handle,
        settings.host,
        settings.port,
        subprotocols=subprotocols,
        select_subprotocol=_selected,
        compression=None,  # frames are small, and a compressor for each peer is not
        process_request=acceptor.answer,
        server_header=None,
        ping_interval=None,  # keep_alive() pings
        close_timeout=GOODBYE_S,
        max_size=most,
        create_connection=create,  # type: ignore[arg-type]  # any factory may be given
        backlog=_ACCEPTED,
    )
    if handed is None:
        return server

    def connection() -> MeteredConnection:
        """Like those that ``serve`` makes, but it tells nobody but its own listener how."""
        protocol = ServerProtocol(
            subprotocols=subprotocols, select_subprotocol=_selected, max_size=most
        )
        return create(protocol, server, ping_interval=None, close_timeout=GOODBYE_S)

    async def begin() -> HandedOver:
        arrivals = acceptor.admission.arrivals
        handed.serve(connection, lambda: len(server.handler_tasks), arrivals, acceptor.readiness)
        return handed

    server.create_server = begin  # type: ignore[assignment]  # it has what websockets asks of it
    return server


def _selected(_: object, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """None where the address names the codec: peers who name none are refused before."""
    return next((Subprotocol(name) for name in CODECS if name in offered), None)


def reason_with_hint(
    code: int, text: str, connected: int, draw: Callable[[], float] = random.random
) -> str:
    """The reason of a close with this code: the text, and when to come back, if at all.

    Returns are spread, longer for more ``connected`` clients. ``draw`` gives numbers from 0 to 1.
    """
    if code not in _COME_BACK:
        return text
    spread = min(_SHORTEST_RETRY_S + connected / _RETURNS_PER_SECOND, MOST_RETRY_S)
    return with_retry(text, spread * draw())
