"""The port: WebSockets, whose frames are messages, and plain HTTP beside them."""

import asyncio
import contextlib
import functools
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import cycle
from socket import socket as Listener
from typing import Final

from websockets import CloseCode, Request, Response, Subprotocol
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.server import ServerProtocol

from bigben_protocol import CODECS, texts
from bigben_protocol.sentence import sentence
from bigben_server.config import Settings, binding
from bigben_server.counters import COUNTS
from bigben_server.leaderboards.queries import Queries
from bigben_server.readiness import Readiness
from bigben_server.rooms.hub import Hub
from bigben_server.transport import http, responses
from bigben_server.transport.admission import UPGRADE_COST, Admission
from bigben_server.transport.connection import MeteredConnection
from bigben_server.transport.handed import HandedOver
from bigben_server.transport.peer import Connection
from bigben_server.transport.policy import turned_away
from bigben_server.transport.proxies import BadForwarded

GOODBYE_S = 3.0
"""How long a peer may take to answer a close; a restart waits no longer for lost peers."""
PING_S = 20.0
"""Between two pings to a peer, which has this long to answer each."""
KEPT_S = 4.0
"""How long a connection stays open for more plain requests, less than a handshake may take."""
_GROUPS = 100
"""Peers are pinged in groups, so that no move waits for ten thousand pings."""
_ACCEPTED = 1
"""Connections that are accepted in one turn of the event loop. asyncio takes its backlog for this,
so that a hundred handshakes would come between two moves."""
BACKLOG: Final = 1_024
"""Connections that the system lets wait for us, a school class and its pages."""


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
            self.hub.seasons.seasons,
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
        is_reserved = admission.is_reserved(socket.address, now)
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
