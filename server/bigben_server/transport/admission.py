"""Who may connect, how much one address may use, and how much one connection may send."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from websockets import CloseCode, Frame, State
from websockets.asyncio.server import ServerConnection
from websockets.protocol import Event

from bigben_protocol import Refused
from bigben_server.config import Settings
from bigben_server.rate_limit import Bucket, Buckets
from bigben_server.rooms.session import Session

# How many seconds' queries, connections and files of the page an address may have at once.
_QUERIES_BURST_S = 10
_ARRIVALS_BURST_S = 100  # a school class that opens the page makes hundreds at once
_FILES_BURST_S = 200  # two classes may load the page and reload it
UPGRADE_COST = 9
"""Additional connections that a WebSocket counts as: it is more work than a file of the page."""
FLOOD_COST = 300
"""Additional connections for a WebSocket that was closed because it sent too fast."""
DRIP_S = 0.1
"""Seconds between two small reads from a peer that was too fast, until it is gone."""
_SLICE = 256
"""Bytes parsed in one turn of the event loop, 42 frames at most, so that others are not delayed."""
_PARTS = 4
"""Slices of a frame, or smaller reads, that cost as much as a frame: a kilobyte."""
SILENT = 8
"""How many connections may be open and have sent no whole request yet, as a multiple of the limit
for an address. A browser opens six for each page, and new ones before it has closed the old."""
_TOO_FAST: Final = "You send too fast; slow down and come back."


class Admission:
    """The origins that may connect, and what each address has used of its limits."""

    def __init__(self, settings: Settings) -> None:
        limits, rate = settings.limits, settings.limits.connects_per_second
        self.settings = settings
        self.silent: defaultdict[str, set[ServerConnection]] = defaultdict(set)
        """All connections before their handshake, by the address of the peer."""
        self.open: Counter[str] = Counter()
        """How many WebSockets each address has."""
        self.queries = Buckets(limits.api_per_second, limits.api_per_second * _QUERIES_BURST_S)
        self.arrivals = Buckets(rate, rate * _ARRIVALS_BURST_S)
        """Take one for each connection: behind a proxy once its headers are here, else before."""
        self._files = Buckets(rate, rate * _FILES_BURST_S)

    def address(self, forwarded: str, peer: str) -> str:
        """The address or IPv6 network of a connection: behind a proxy, the last one forwarded."""
        last = forwarded.rpartition(",")[2].strip() if self.settings.behind_proxy else ""
        return _network(last or peer)

    def allows_origin(self, origin: str | None, host: str) -> bool:
        """Whether the page that asks is this server's, or listed. Only browsers send an Origin."""
        if origin is None or origin in self.settings.origins:
            return True
        try:
            return urlsplit(origin).netloc == host != ""
        except ValueError:
            return False

    def sent_file(self, address: str, now: float) -> None:
        """Give back what was charged for the connection, unless too many files were sent."""
        if self._files.take(address, now):
            self.arrivals.of(address, now).give_back(now)

    @contextmanager
    def connection(self, address: str) -> Iterator[None]:
        self.open[address] += 1
        try:
            yield
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]


@lru_cache
def _network(address: str) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:  # A proxy may say ``unknown``, or add a port.
        return address
    if isinstance(parsed, IPv6Address):
        # The owner of a network may change the other 64 bits.
        return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


class MeteredConnection(ServerConnection):
    """Counts everything that a peer sends, and limits what it reads.

    websockets answers pings and drops pongs uncounted, parses a whole read at once, buffers its
    answers without end, and lets anybody open connections and say nothing for ten seconds.
    All connections of a server share ``admission``.
    """

    # Any: what websockets gives to the class above.
    def __init__(self, *args: Any, admission: Admission, **options: Any) -> None:
        super().__init__(*args, **options)
        self.session: Session | None = None
        """Set it when the handshake is done."""
        self.peer = self.address = ""
        """The peer's address. Behind a proxy ``peer`` is the proxy; set ``address``."""
        self.admission = admission
        limits = admission.settings.limits
        self._bucket = Bucket(limits.messages_per_second, limits.burst, self.loop.time())
        self._is_too_fast = False
        self._unparsed: deque[bytes] = deque()
        self._parts = 0
        """Slices since the last whole frame, or since they were counted."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.recv_messages.resume = self._read_on
        admission = self.admission
        # None if the peer has already closed the connection.
        peer = str((self.remote_address or [""])[0])
        self.peer = self.address = admission.address("", peer)
        together = admission.silent[self.peer]
        together.add(self)
        # A proxy waits for a whole request itself, and tells the address only then.
        if admission.settings.behind_proxy:
            return
        if len(together) > SILENT * admission.settings.limits.connections_per_address:
            self.transport.abort()
        elif not admission.arrivals.take(self.address, self.loop.time()):
            # It waits until its handshake times out. If it were closed, it would reconnect at once.
            self.transport.pause_reading()

    def not_silent(self) -> None:
        """Call it when the handshake is done or the peer is gone. It is idempotent."""
        together = self.admission.silent[self.peer]
        together.discard(self)
        if not together:
            del self.admission.silent[self.peer]

    def connection_lost(self, exc: Exception | None) -> None:
        self._unparsed.clear()
        self.not_silent()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the first slice at once, and the others before more is read."""
        self._unparsed.extend(data[i : i + _SLICE] for i in range(0, len(data), _SLICE))
        if len(self._unparsed) > 1:
            self.transport.pause_reading()
        self._parse()

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame):
            self._parts = 0
            if not self._is_within_rate():
                return
        super().process_event(event)

    def _parse(self) -> None:
        if self._unparsed and not self._is_too_fast:
            self._parts += 1
            super().data_received(self._unparsed.popleft())
            if self._parts == _PARTS:
                self._parts = 0
                self._is_within_rate()
        if self.transport.get_write_buffer_size() > self.admission.settings.limits.queue_bytes:
            self.transport.abort()
        if self._is_too_fast:
            # A little is read now and then and dropped, because the end of the connection comes
            # after it.
            self._unparsed.clear()
            self.transport.pause_reading()
            self.loop.call_later(DRIP_S, self.transport.resume_reading)
        elif self._unparsed:
            self.loop.call_soon(self._parse)
        else:
            self._read_on()

    def _read_on(self) -> None:
        if not (self._unparsed or self.recv_messages.paused):
            self.transport.resume_reading()

    def _is_within_rate(self) -> bool:
        if not self._is_too_fast and not self._bucket.take(self.loop.time()):
            self._is_too_fast = True
            now = self.loop.time()
            self.admission.arrivals.of(self.address, now).charge(now, FLOOD_COST)
            # The messages before it are handled first, in this turn of the event loop.
            self.loop.call_soon(self._turn_away)
        return not self._is_too_fast

    def _turn_away(self) -> None:
        if self.session is not None:
            self.session.tell(Refused("rate", _TOO_FAST))
            if self.protocol.state is State.OPEN:
                # Nothing more is read, and the peer's half of the close is not waited for.
                self.protocol.fail(CloseCode.POLICY_VIOLATION, _TOO_FAST)
                self.send_data()
            self.session.close(CloseCode.POLICY_VIOLATION, _TOO_FAST)
        # Before there is a WebSocket, a peer with an HTTP answer may still read it.
        elif not self.protocol.close_expected():
            self.transport.abort()
