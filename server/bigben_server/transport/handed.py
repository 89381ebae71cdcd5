"""The connections that a worker gets from its parent, which alone accepts them.

Its standard input is a line to the parent. Down come sockets, each accepted and with an unread
request, and with everything the numbers of the living workers. Up goes what has become of them.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from typing import Final

import msgspec

from bigben_server.homes import Homes
from bigben_server.readiness import Readiness
from bigben_server.transport.admission import Arrivals

_NUMBERS: Final = 8
"""Bytes of a message: a bit for each number of a worker, of which there are 64 at most. A socket
may come with it."""
_REPORT_S: Final = 0.5
"""How often a worker reports, if there is something to say. A drain it reports at once."""
_MOST_ADDRESSES: Final = 100
"""In one report, which the line takes as a whole. The others come with the next ones."""


class Report(msgspec.Struct, omit_defaults=True):
    """What a worker says of its connections."""

    ended: int = 0
    """How many of those that it was given have ended, since it started."""
    is_draining: bool = False
    """Whether it should get no more, as long as others serve."""
    charged: dict[str, int] = {}
    """What it has charged to addresses since the last report; less than 0 if it gave back more."""


encode_report: Final = msgspec.json.Encoder().encode
decode_report: Final = msgspec.json.Decoder(Report).decode


def numbers(living: Collection[int]) -> bytes:
    """The living workers, as the parent sends them."""
    return sum(1 << number - 1 for number in living).to_bytes(_NUMBERS, "little")


def _living(message: bytes) -> tuple[int, ...]:
    bits = int.from_bytes(message, "little")
    return tuple(number + 1 for number in range(bits.bit_length()) if bits >> number & 1)


class HandedOver:
    """A server whose connections come from the parent; for websockets, which else makes its own.

    It has what websockets asks of a server of asyncio.
    """

    def __init__(self, line: socket.socket, homes: Homes, parent_ends: Callable[[], None]) -> None:
        """``homes`` is told who lives. ``parent_ends`` is called once."""
        self._loop = asyncio.get_running_loop()
        self._line = line
        line.setblocking(False)
        self._parent_ends = parent_ends
        self._loop.add_reader(line, self._receive)
        self._homes = homes
        self._create: Callable[[], asyncio.BaseProtocol] | None = None
        self._open: Callable[[], int] = int
        self._adopting = set[asyncio.Task[None]]()
        self._given = 0
        self._reporting: asyncio.Task[None] | None = None
        self._said = Report()
        """What the parent knows."""

    def serve(
        self,
        create: Callable[[], asyncio.BaseProtocol],
        connections: Callable[[], int],
        arrivals: Arrivals,
        readiness: Readiness,
    ) -> None:
        """Take connections from now on. ``connections`` says how many of them there are."""
        self._create, self._open = create, connections
        arrivals.are_reported = True
        report = partial(self._report, arrivals.unreported, readiness)
        self._reporting = self._loop.create_task(_often(report))
        # Before anybody is sent away from here, who would else be sent back.
        readiness.drain_changed = report

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        return ()

    def is_serving(self) -> bool:
        return self._create is not None

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def close(self) -> None:
        """The parent sees it, and sends nobody here any more."""
        self._create = None
        if self._reporting:
            self._reporting.cancel()
        self._loop.remove_reader(self._line)
        self._line.close()

    async def wait_closed(self) -> None:
        if self._adopting:
            await asyncio.wait(self._adopting)

    def _receive(self) -> None:
        """Take one message, so that no move waits for many connections."""
        try:
            message, files, *_ = socket.recv_fds(self._line, _NUMBERS, 1)
        except BlockingIOError:
            return
        except OSError:
            message, files = b"", []
        if not message:
            self._loop.remove_reader(self._line)
            self._parent_ends()
            return
        self._homes.living = _living(message)
        for file in files:
            self._given += 1
            accepted = socket.socket(fileno=file)
            accepted.set_inheritable(False)
            task = self._loop.create_task(self._adopt(accepted))
            self._adopting.add(task)
            task.add_done_callback(self._adopting.discard)

    async def _adopt(self, accepted: socket.socket) -> None:
        try:
            if self._create:
                await self._loop.connect_accepted_socket(self._create, accepted)
                return
        except OSError:  # the peer has gone
            pass
        accepted.close()

    def _report(self, charged: Counter[str], readiness: Readiness) -> None:
        """Report if there is something to say."""
        ended = self._given - len(self._adopting) - self._open()
        some = {address: charged[address] for address in list(charged)[:_MOST_ADDRESSES]}
        report = Report(ended, readiness.is_draining, some)
        if report == self._said and not some:
            return
        try:
            self._line.send(encode_report(report) + b"\n")
        except OSError:  # the parent reads nothing, or has ended
            return
        charged.subtract(some)
        for address in some:
            if not charged[address]:
                del charged[address]
        self._said = Report(ended, readiness.is_draining)


async def _often(report: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(_REPORT_S)
        report()
