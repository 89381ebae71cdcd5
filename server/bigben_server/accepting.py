"""Accepts the connections of all workers, and hands each of them to the worker that suits it.

A parent reads nothing from a connection: it looks at the request, which the worker reads. It waits
for nobody, neither for a peer that sends its request slowly nor for a worker that does not take it.
"""

import asyncio
import contextlib
import re
import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bigben_protocol import RaceId
from bigben_server.config import Settings, binding
from bigben_server.counters import COUNTS
from bigben_server.homes import home_of, race_named
from bigben_server.transport.admission import SILENT, Admission
from bigben_server.transport.handed import Report, decode_report, numbers
from bigben_server.transport.proxies import counted
from bigben_server.transport.websocket import BACKLOG

_MOST_BYTES: Final = 8_192
"""Of a request whose end has not come a worker decides what to do, once there is so much."""
_REQUEST_S: Final = 10.0
"""How long a peer may take to send its request, as long as websockets gives it."""
_AGAIN_S: Final = 0.05
"""The pause before a connection is offered again that no worker could take."""
_NO_FILES_S: Final = 1.0
"""The pause after the system lets this process open no more files."""
_REQUEST_LINE: Final = re.compile(rb"[A-Z]+ [^ ]+ HTTP/1\.[01]\r")


class Line:
    """The parent's end of the line to a worker."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        end.setblocking(False)
        self.is_late = False
        """Whether it has not shown for a while that it runs."""
        self._given = 0
        self.said = Report()
        """What the worker has reported last."""
        self._read = b""

    @property
    def connections(self) -> int:
        """How many it has now, as far as is known."""
        return self._given - self.said.ended

    def give(self, accepted: socket.socket, message: bytes) -> bool:
        """Whether the line took the connection."""
        try:
            socket.send_fds(self.end, [message], [accepted.fileno()])
        except OSError:  # it is full, or the worker ends
            return False
        self._given += 1
        return True

    def read(self) -> list[Report] | None:
        """The reports that have come; None if the worker takes no more connections."""
        try:
            more = self.end.recv(65_536)
        except BlockingIOError:
            return []
        except OSError:
            return None
        *lines, self._read = (self._read + more).split(b"\n")
        reports = [decode_report(line) for line in lines]
        self.said = reports[-1] if reports else self.said
        return reports if more else None


@dataclass(slots=True, eq=False)
class Peer:
    """A connection that no worker has yet."""

    socket: socket.socket
    address: str
    """As it is counted."""
    patience: asyncio.TimerHandle = field(init=False)
    seen: int = 0
    """How many bytes have come."""


@dataclass(slots=True, eq=False)
class Accepting:
    """All connections until a worker has them, and the workers that take them."""

    settings: Settings
    listeners: Sequence[socket.socket]
    """Bound, and not listening yet."""
    lines: dict[int, Line] = field(default_factory=dict)
    """To the workers that serve, by number."""
    _admission: Admission = field(init=False)
    _waiting: defaultdict[str, set[Peer]] = field(default_factory=lambda: defaultdict(set))
    """By address."""

    def __post_init__(self) -> None:
        self._admission = Admission(self.settings)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Accept connections until the block is left. Raises BadSetting."""
        loop = asyncio.get_running_loop()
        with binding(self.settings):
            for listener in self.listeners:
                listener.setblocking(False)
                listener.listen(BACKLOG)
        for listener in self.listeners:
            loop.add_reader(listener, self._accept, listener)
        try:
            yield
        finally:
            for listener in self.listeners:
                loop.remove_reader(listener)
                listener.close()
            for peer in [one for together in self._waiting.values() for one in together]:
                self._drop(peer)

    @contextlib.contextmanager
    def worker(self, number: int, end: socket.socket) -> Iterator[Line]:
        """Inside, a worker takes connections at the other end of this line."""
        loop, line = asyncio.get_running_loop(), Line(end)

        def heard() -> None:
            was_draining, reports = line.said.is_draining, line.read()
            if reports is None:
                leave()
            for report in reports or ():
                self._charge(report.charged, loop.time())
            if line.said.is_draining != was_draining:
                self._tell()

        def leave() -> None:
            loop.remove_reader(end)
            if self.lines.pop(number, None):
                self._tell()

        self.lines[number] = line
        loop.add_reader(end, heard)
        self._tell()
        try:
            yield line
        finally:
            leave()

    def lateness(self, line: Line, *, is_late: bool) -> None:
        """A worker has shown nothing for a while, or does again."""
        if line.is_late != is_late:
            line.is_late = is_late
            self._tell()

    def _tell(self) -> None:
        """Tell all workers who lives. If a line is full, its next connection says it too."""
        message = numbers(self._living())
        for line in self.lines.values():
            with contextlib.suppress(OSError):
                line.end.send(message)

    def _living(self) -> dict[int, Line]:
        """The workers that get connections; those that are late or drained only if all are."""
        prompt = {number: line for number, line in self.lines.items() if not line.is_late}
        serving = {number: line for number, line in prompt.items() if not line.said.is_draining}
        return serving or prompt or self.lines

    def _charge(self, charged: Mapping[str, int], now: float) -> None:
        for address, tokens in charged.items():
            if tokens > 0:
                self._admission.arrivals.charge(address, now, tokens)
            else:
                self._admission.arrivals.give_back(address, now, -tokens)

    def _accept(self, listener: socket.socket) -> None:
        loop, admission = asyncio.get_running_loop(), self._admission
        try:
            accepted, (host, *_) = listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionError):
            return
        except OSError:
            loop.remove_reader(listener)
            loop.call_later(_NO_FILES_S, self._accept_again, listener)
            return
        accepted.setblocking(False)
        peer = Peer(accepted, counted(host))
        peer.patience = loop.call_later(_REQUEST_S, self._drop, peer)
        together = self._waiting[peer.address]
        together.add(peer)
        if not admission.proxies.trusts(host):
            if len(together) > SILENT * self.settings.limits.connections_per_address:
                COUNTS.unanswered["aborted"] += 1
                self._drop(peer)
                return
            if not admission.arrivals.take(peer.address, loop.time()):
                COUNTS.unanswered["waits"] += 1
                admission.forgotten.was_refused(peer.address, loop.time())
                return  # if it were closed, it would reconnect at once
        self.look(peer)

    def _accept_again(self, listener: socket.socket) -> None:
        if listener.fileno() >= 0:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def look(self, peer: Peer) -> None:
        """Look what has come of the request. Hand the connection over if that is enough."""
        loop = asyncio.get_running_loop()
        try:
            data = peer.socket.recv(_MOST_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            loop.add_reader(peer.socket.fileno(), self.look, peer)
        except OSError:
            self._drop(peer)
        else:
            if len(data) == peer.seen:  # the peer has ended it, or else it would not be readable
                self._drop(peer)
            elif _is_enough(data):
                loop.remove_reader(peer.socket.fileno())
                if peer.seen:
                    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
                self._hand_over(peer, race_named(data.removeprefix(b"GET ")))
            else:
                # What is unread stays there: without this, the loop would find it again and again.
                peer.seen = len(data)
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, peer.seen + 1)
                loop.add_reader(peer.socket.fileno(), self.look, peer)

    def _hand_over(self, peer: Peer, race: RaceId | None) -> None:
        """Give the connection to the home of the race, else to the worker that has the fewest."""
        if peer.socket.fileno() < 0:
            return  # dropped while it waited
        left = dict(self._living())
        message = numbers(left)
        while left:
            number = home_of(race, left) if race else min(left, key=lambda n: left[n].connections)
            if left.pop(number).give(peer.socket, message):
                self._drop(peer)  # the worker has it now
                return
        asyncio.get_running_loop().call_later(_AGAIN_S, self._hand_over, peer, race)

    def _drop(self, peer: Peer) -> None:
        """Close it here."""
        peer.patience.cancel()
        # By number: where nobody waits for it, an exception names it, and a socket asks the system.
        asyncio.get_running_loop().remove_reader(peer.socket.fileno())
        peer.socket.close()
        together = self._waiting[peer.address]
        together.discard(peer)
        if not together:
            del self._waiting[peer.address]


def _is_enough(data: bytes) -> bool:
    """Whether a worker can answer: the request is whole, or it is none, or it may never end."""
    line, ends, _ = data.partition(b"\n")
    is_request = not ends or _REQUEST_LINE.fullmatch(line)
    return b"\r\n\r\n" in data or len(data) >= _MOST_BYTES or not is_request


@contextlib.contextmanager
def reserved(settings: Settings) -> Iterator[list[socket.socket]]:
    """A socket for each address of the host, all bound to one port. Nobody listens yet.

    Raises BadSetting.
    """
    port, found = settings.port, list[socket.socket]()
    with contextlib.ExitStack() as reserved:
        with binding(settings):
            # As asyncio does for a server: a name may have an IPv4 and an IPv6 address.
            stream, passive = socket.SOCK_STREAM, socket.AI_PASSIVE
            for family, *_, address in socket.getaddrinfo(
                settings.host or None, port, 0, stream, 0, passive
            ):
                one = reserved.enter_context(socket.socket(family))
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, True)
                if family == socket.AF_INET6:
                    one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, True)
                one.bind((address[0], port, *address[2:]))
                port = one.getsockname()[1]
                found.append(one)
        yield found
