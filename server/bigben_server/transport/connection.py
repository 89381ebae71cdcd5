"""What a peer sends over its WebSocket: counted, limited and joined to messages."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from websockets import CloseCode, Frame, Opcode, Request, Response, State
from websockets.asyncio.messages import MAX_FRAGMENTS, Assembler
from websockets.asyncio.server import ServerConnection
from websockets.frames import DATA_OPCODES
from websockets.protocol import Event

from bigben_protocol.sentence import sentence
from bigben_server.counters import COUNTS
from bigben_server.race.events import Refusal
from bigben_server.rate_limit import Bucket
from bigben_server.rooms.session import Session
from bigben_server.transport.admission import FLOOD_COST, SILENT, Admission
from bigben_server.transport.frames import NO_PONG, PING, awaits_frame, small_message
from bigben_server.transport.proxies import counted

_WEBSOCKETS_LOG = logging.getLogger("websockets.server")

DRIP_S = 0.1
"""Seconds between two small reads from a peer that was too fast, until it is gone."""
_SLICE = 256
"""Bytes parsed in one turn of the event loop, 42 frames at most, so that others are not delayed."""
_PARTS = 4
"""Slices of a frame, or smaller reads, that cost as much as a frame: a kilobyte."""
_MOST_EARLY = 16
"""Frames that are parsed before the handler begins. The next slice waits until then."""
_TOO_FAST: Final = Refusal("rate", sentence("limit.send"))


class _NoQueue(Assembler):
    """The queue of a connection that hands over its messages at once."""

    def __init__(self) -> None: ...
    def close(self) -> None: ...


_NO_QUEUE: Final = _NoQueue()


class MeteredConnection(ServerConnection):
    """Counts everything that a peer sends, limits what it reads, and joins messages.

    websockets answers pings and drops pongs uncounted, parses a whole read at once, buffers its
    answers without end, and lets anybody open connections and say nothing for ten seconds.
    All connections of a server share ``admission``.
    """

    # In the dict there would be more names than the thirty that instances share.
    __slots__ = (
        "_bucket",
        "_early",
        "_fragments",
        "_holds",
        "_is_parsing",
        "_is_pinged",
        "_is_refused",
        "_is_too_fast",
        "_parts",
        "_receive",
        "_unparsed",
        "address",
        "admission",
        "heard_at",
        "is_proxy",
        "peer",
        "session",
    )

    # Any: what websockets gives to the class above.
    def __init__(self, *args: Any, admission: Admission, **options: Any) -> None:
        super().__init__(*args, **options)
        self.session: Session | None = None
        """None before ``begin`` and after ``end``."""
        self._receive: Callable[[bytes | str], None] | None = None
        self.peer = self.address = ""
        """As they are counted. If the peer ``is_proxy``, set ``address`` to the client's."""
        self.is_proxy = False
        self.admission = admission
        self.heard_at = self.loop.time()
        """When something last came from the peer."""
        limits = admission.settings.limits
        self._bucket = Bucket(limits.messages_per_second, limits.burst, self.loop.time())
        self._is_too_fast = False
        self._is_refused = False
        self._unparsed = memoryview(b"")
        self._parts = 0
        """Slices since the last whole frame, or since they were counted."""
        self._early: list[Frame] = []
        """Data frames that came before the handler began, or while nothing may be taken."""
        self._holds = 0
        """How often ``hold`` was called, and ``release`` not yet."""
        self._is_parsing = False
        """Whether the next slice is parsed in the next turn of the event loop."""
        self._fragments: list[Frame] = []
        """The frames of an unfinished message."""
        self._is_pinged = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        admission = self.admission
        # None if the peer has already closed the connection.
        peer = str((self.remote_address or [""])[0])
        self.peer = self.address = counted(peer)
        self.is_proxy = admission.proxies.trusts(peer)
        together = admission.silent[self.peer]
        together.add(self)
        # A proxy waits for a whole request itself, and tells the address only then.
        if self.is_proxy:
            return
        if len(together) > SILENT * admission.settings.limits.connections_per_address:
            COUNTS.unanswered["aborted"] += 1
            self.transport.abort()
        elif admission.settings.worker:
            return  # its parent has taken it
        elif not admission.arrivals.take(self.address, self.loop.time()):
            COUNTS.unanswered["waits"] += 1
            admission.forgotten.was_refused(self.address, self.loop.time())
            # It waits until its handshake times out. If it were closed, it would reconnect at once.
            self._is_refused = True

    def not_silent(self) -> None:
        """Call it when the handshake is done or the peer is gone. It is idempotent."""
        together = self.admission.silent[self.peer]
        together.discard(self)
        if not together:
            del self.admission.silent[self.peer]

    async def next_request(self, response: Response, wait_s: float) -> Request | None:
        """Send the answer to a plain request, and return the next one on this connection.

        None if no other comes within ``wait_s``, or if the peer has sent more before it had the
        answer; the connection is closed then. websockets itself closes after each answer, and a
        browser would open another connection for each file.
        """
        # For bytes that are no frame websockets has ended the connection already.
        is_ended = self.protocol.eof_sent
        is_next = not is_ended and awaits_frame(self.protocol)
        if not is_next:
            response.headers["Connection"] = "close"
        if not is_ended:
            self.transport.write(response.serialize())
        if is_next:
            self.request, self.request_rcvd = None, self.loop.create_future()
            self.protocol.parser = self.protocol.parse()
            next(self.protocol.parser)
            events = [self.request_rcvd, self.connection_lost_waiter]
            await asyncio.wait(events, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if not (is_next and self.request and self.request_rcvd.done()):
            self.transport.close()
            await self.connection_lost_waiter
            return None
        return self.request

    def begin(self, session: Session, receive: Callable[[bytes | str], None]) -> None:
        """Give ``receive`` all messages from now on, beginning with those that came before.

        It is called until ``end``, also when the session was closed, and must raise nothing.
        """
        self.session, self._receive = session, receive
        self._forget_handshake()
        was_full = len(self._early) > _MOST_EARLY
        self._take_early()
        if was_full:
            self._parse()

    def hold(self) -> None:
        """Take no more messages, and read nothing more, until ``release`` was called as often."""
        self._holds += 1
        self.transport.pause_reading()

    def release(self) -> None:
        """End one ``hold``. What has come meanwhile is taken now, as far as nothing holds it."""
        if self._holds:  # not after ``let_go``
            self._holds -= 1
            if not self._holds:
                self._go_on()

    def _is_held(self) -> bool:
        return self._holds > 0

    def let_go(self) -> None:
        """End every ``hold``: the connection is being closed, and its end must be read."""
        if self._holds:
            self._holds = 0
            self._go_on()

    def _go_on(self) -> None:
        self.heard_at = self.loop.time()
        self._take_early()
        if not self._is_parsing:
            self._parse()

    def _take_early(self) -> None:
        while self._early and self.session is not None and not self._holds:
            self._take(self._early.pop(0))

    def keep_alive(self) -> None:
        """Ping the peer. Close the connection if the ping before was not answered, or if the peer
        has begun to close and does not read the end.
        """
        if self._holds and self.protocol.state is State.OPEN:
            return  # its pong may have come, unread
        if self._is_pinged or self.protocol.state is not State.OPEN:
            self._fail(CloseCode.INTERNAL_ERROR, NO_PONG)
        else:
            self._is_pinged = True
            self.transport.write(PING)

    def _forget_handshake(self) -> None:
        """Release what websockets needs only before, or for its own queue of messages.

        With this, the slots and no task that pings, an idle connection takes much less memory.
        """
        self.request = self.response = None
        self.recv_messages = _NO_QUEUE
        # A list does all that is asked of this deque, whose block has 64 places.
        self.drain_waiters = []  # type: ignore[assignment]
        # Each connection has an adapter, for a prefix that is in no log line.
        self.logger = self.protocol.logger = _WEBSOCKETS_LOG

    async def drain(self) -> None:
        """Wait for nobody who reads slowly: websockets would wait without end before a close."""

    def end(self) -> None:
        """Forget the session, which knows this connection. Call it when both are done."""
        self.session = self._receive = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._unparsed = memoryview(b"")
        self._early.clear()
        self._fragments.clear()
        self.not_silent()
        super().connection_lost(exc)
        # Cycles that would keep all of the connection until the next full collection of garbage.
        self.protocol.parser.close()
        self.protocol.parser_exc = None

    def data_received(self, data: bytes) -> None:
        """Deliver a small message, or parse the first slice, and the others before more is read."""
        self.heard_at = self.loop.time()
        if self._receive is not None and not self._unparsed and not self._holds:
            message = small_message(self.protocol, data)
            if message is not None and self._is_within_rate():
                self._receive(message)
                return
        if self._is_refused:
            self.transport.pause_reading()
            return
        self._unparsed = memoryview(bytes(self._unparsed) + data if self._unparsed else data)
        if len(self._unparsed) > _SLICE:
            self.transport.pause_reading()
        if not self._is_parsing:
            self._parse()

    def process_event(self, event: Event) -> None:
        if not isinstance(event, Frame):
            super().process_event(event)
            return
        self._parts = 0
        if not self._is_within_rate():
            return
        if event.opcode in DATA_OPCODES:
            self._take(event)
        elif event.opcode is Opcode.PONG:
            self._is_pinged = False

    def _take(self, frame: Frame) -> None:
        """Deliver the message if this is its last frame. Its size is limited by websockets."""
        if self.session is None or self._holds:
            self._early.append(frame)
        elif len(self._fragments) == MAX_FRAGMENTS:
            self._fail(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
        else:
            self._fragments.append(frame)
            if frame.fin:
                frames, self._fragments = self._fragments, []
                message = b"".join(frame.data for frame in frames)
                self._deliver(message, text=frames[0].opcode is Opcode.TEXT)

    def _deliver(self, message: bytes, *, text: bool) -> None:
        """Hand a message over at once: a queue and a task would make each dearer."""
        assert self._receive is not None, "call begin() first"
        try:
            self._receive(message.decode() if text else message)
        except UnicodeDecodeError as error:
            self._fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")

    def _parse(self) -> None:
        self._is_parsing = False
        if self._is_held():
            return
        if self._unparsed and not self._is_too_fast:
            self._parts += 1
            piece, self._unparsed = self._unparsed[:_SLICE], self._unparsed[_SLICE:]
            super().data_received(bytes(piece))
            if self._parts == _PARTS:
                self._parts = 0
                self._is_within_rate()
        if self.transport.get_write_buffer_size() > self.admission.settings.limits.queue_bytes:
            self.transport.abort()
        if self._is_too_fast:
            # A little is read now and then and dropped, because the end of the connection comes
            # after it.
            self._unparsed = memoryview(b"")
            self.transport.pause_reading()
            self.loop.call_later(DRIP_S, self.transport.resume_reading)
        elif self._is_held() or len(self._early) > _MOST_EARLY:
            self.transport.pause_reading()
        elif self._unparsed:
            self._is_parsing = True
            self.loop.call_soon(self._parse)
        else:
            self.transport.resume_reading()

    def _is_within_rate(self) -> bool:
        if not self._is_too_fast and not self._bucket.take(self.loop.time()):
            self._is_too_fast = True
            now = self.loop.time()
            self.admission.arrivals.charge(self.address, now, FLOOD_COST)
            # The messages before it are handled first, in this turn of the event loop.
            self.loop.call_soon(self._turn_away)
        return not self._is_too_fast

    def _turn_away(self) -> None:
        if self.session is not None:
            self.session.tell(_TOO_FAST.message())
            self._fail(CloseCode.POLICY_VIOLATION, str(_TOO_FAST))
        # Before there is a WebSocket, a peer with an HTTP answer may still read it.
        elif not self.protocol.close_expected():
            self.transport.abort()

    def _fail(self, code: CloseCode, text: str) -> None:
        """Close the connection of a broken peer, and read nothing more."""
        assert self.session is not None, "call begin() first"
        if self.protocol.state is State.OPEN:
            # The peer's half of the close is not waited for.
            self.protocol.fail(code, text)
            self.send_data()
        self.session.close(code, text)
