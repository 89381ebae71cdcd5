"""A WebSocket connection that meters all that its peer sends, and reads no more than is handled.

websockets answers pings and drops pongs before anybody can count them, parses all that has come in
one go, and buffers its answers without end. It also lets anybody open connections and say nothing
for ten seconds.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame
from websockets.protocol import Event, State

from bigben_server.config import Limits
from bigben_server.rate_limit import Bucket
from bigben_server.transport.admission import FLOOD_COST, Admission

DRIP_S = 0.1
"""Seconds between two small reads from a peer that was too fast, until it is gone."""
_SLICE = 256
"""Bytes that are parsed in one turn of the event loop, 42 frames at most: a chunk of 256 KiB would
hold up everybody else."""
_PARTS = 4
"""Slices of a frame, or reads that bring less, that cost as much as a frame: a kilobyte."""


class MeteredConnection(ServerConnection):
    """One peer's connection; ``listening`` gives the class what all connections share."""

    admission: Admission
    limits: Limits
    waiting: set["MeteredConnection"]
    """All connections that have sent no request yet."""
    address: str
    """The peer's address; behind a proxy, the proxy's address until the headers have arrived."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.too_fast: Callable[[], None] = self._turn_away
        """Called once, after everything within the rate has been handled."""
        self._bucket = Bucket(self.limits.messages_per_second, self.limits.burst, self.loop.time())
        self._is_too_fast = False
        self._unparsed: deque[bytes] = deque()
        self._parts = 0
        """Slices since the last whole frame, or since they were counted."""
        self.recv_messages.resume = self._read_on
        # None if the peer has already closed the connection.
        self.peer = str((self.remote_address or [""])[0])
        self.address = self.admission.address({}, self.peer)
        self.waiting.add(self)
        if not self.admission.opened(self.peer):
            self.transport.abort()
        elif not self.admission.behind_proxy and not self._may_connect():
            # It waits until its handshake times out. If it were closed, it would be back at once.
            self.transport.pause_reading()

    def not_silent(self) -> None:
        """It has sent its request, or is gone. Calling it again changes nothing."""
        if self in self.waiting:
            self.waiting.remove(self)
            self.admission.not_silent(self.peer)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unparsed.clear()
        self.not_silent()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the first slice at once. The others are parsed one by one before more is read."""
        self._unparsed.extend(data[i : i + _SLICE] for i in range(0, len(data), _SLICE))
        if len(self._unparsed) > 1:
            self.transport.pause_reading()
        self._parse()

    def process_event(self, event: Event) -> None:
        """Let a frame through if it is within the rate, control frames too."""
        if isinstance(event, Frame):
            self._parts = 0
            if not self._is_within_rate():
                return
        super().process_event(event)

    def fail(self, code: int, reason: str) -> None:
        """Send a close frame and read no more; the peer's half of the close is not waited for."""
        if self.protocol.state is State.OPEN:
            self.protocol.fail(code, reason)
            self.send_data()

    def _parse(self) -> None:
        if self._unparsed and not self._is_too_fast:
            self._parts += 1
            super().data_received(self._unparsed.popleft())
            if self._parts == _PARTS:
                self._parts = 0
                self._is_within_rate()
        if self.transport.get_write_buffer_size() > self.limits.queue_bytes:
            self.transport.abort()
        if self._is_too_fast:
            # TCP holds the peer up. A little is read now and then, and thrown away, since the
            # end of the connection comes after it.
            self._unparsed.clear()
            self.transport.pause_reading()
            self.loop.call_later(DRIP_S, self.transport.resume_reading)
        elif self._unparsed:
            self.loop.call_soon(self._parse)
        else:
            self._read_on()

    def _read_on(self) -> None:
        """Read again, unless there is something to parse or to handle before."""
        if not (self._unparsed or self.recv_messages.paused):
            self.transport.resume_reading()

    def _may_connect(self) -> bool:
        return self.admission.arrivals.take(self.address, self.loop.time())

    def _is_within_rate(self) -> bool:
        if not self._is_too_fast and not self._bucket.take(self.loop.time()):
            self._is_too_fast = True
            self.admission.charge(self.address, self.loop.time(), FLOOD_COST)
            # After the messages that came before it, which are handled in this turn of the loop.
            self.loop.call_soon(lambda: self.too_fast())
        return not self._is_too_fast

    def _turn_away(self) -> None:
        """Close before there is a WebSocket. A peer with an HTTP answer may still read it."""
        if not self.protocol.close_expected():
            self.transport.abort()
