"""The session of a WebSocket: what comes from it goes to the hub, and the hub's answers to it."""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Final

from websockets import CloseCode

from bigben_protocol import LONGEST_REASON, MOST_RETRY_S, FrameError, texts, with_retry
from bigben_protocol.sentence import sentence
from bigben_server import logs
from bigben_server.counters import COUNTS, close_code
from bigben_server.homes import race_named
from bigben_server.race.events import Refusal
from bigben_server.rooms.hub import Hub
from bigben_server.rooms.session import Session
from bigben_server.transport import http
from bigben_server.transport.admission import UPGRADE_COST, Place
from bigben_server.transport.connection import MeteredConnection
from bigben_server.transport.frames import NO_PONG, PING, framed

_log = logging.getLogger(__name__)

HELLO_S: Final = 10.0
"""How long a connection of an address's reserve may have no player."""
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
