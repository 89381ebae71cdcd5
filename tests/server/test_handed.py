"""A worker takes the connections that its parent has accepted, and reports what becomes of them."""

import asyncio
import socket
from collections.abc import Iterator

import pytest
from tests.support.patience import PATIENCE_S

from bigben_server.homes import Homes
from bigben_server.readiness import Readiness
from bigben_server.transport.admission import Arrivals
from bigben_server.transport.handed import HandedOver, Report, decode_report, numbers

HERE = "127.0.0.1"


class Echo(asyncio.Protocol):
    """Sends everything back, as long as the connection lasts."""

    open = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        Echo.open += 1
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        Echo.open -= 1


@pytest.fixture
def lines() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The parent's end and the worker's."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        yield ours, theirs


async def reported(line: socket.socket) -> Report:
    async with asyncio.timeout(PATIENCE_S):
        said = await asyncio.get_running_loop().sock_recv(line, 65_536)
    [report] = said.splitlines()
    return decode_report(report)


async def test_a_worker_serves_what_it_is_given_and_reports_it(
    lines: tuple[socket.socket, socket.socket],
) -> None:
    line, theirs = lines
    homes, arrivals, readiness = Homes(2), Arrivals(30), Readiness()
    ended = asyncio.Event()
    handed = HandedOver(theirs, homes, ended.set)
    handed.serve(Echo, lambda: Echo.open, arrivals, readiness)
    with socket.create_server((HERE, 0)) as listener:
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        accepted, _ = listener.accept()
    writer.write(b"hello")
    with accepted:
        socket.send_fds(line, [numbers((1, 2, 64))], [accepted.fileno()])
    assert await reader.readexactly(5) == b"hello"
    assert homes.living == (1, 2, 64)
    arrivals.charge(HERE, 5.0, 9)
    arrivals.give_back(HERE, 5.0, 10)
    assert await reported(line) == Report(charged={HERE: -1})
    writer.close()
    assert await reported(line) == Report(ended=1)
    arrivals.take(HERE, 5.0)
    readiness.drain()
    drained = Report(ended=1, is_draining=True, charged={HERE: 1})
    assert decode_report(line.recv(65_536)) == drained, "before anybody is sent away"
    readiness.end_drain()
    assert decode_report(line.recv(65_536)) == Report(ended=1)
    line.close()
    await ended.wait()
    handed.close()


async def test_the_parent_sees_that_a_worker_takes_nothing_more(
    lines: tuple[socket.socket, socket.socket],
) -> None:
    line, theirs = lines
    handed = HandedOver(theirs, Homes(1), lambda: None)
    handed.serve(Echo, lambda: Echo.open, Arrivals(30), Readiness())
    assert handed.is_serving()
    handed.close()
    assert not handed.is_serving()
    assert line.recv(1) == b""
