"""The parent of workers hands each connection to one of them, and waits for nobody.

Here the test reads the lines, as workers do.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from tests.support.patience import PATIENCE_S

from bigben_protocol import RaceId
from bigben_server.accepting import Accepting, Line, Peer, reserved
from bigben_server.config import Limits, Settings
from bigben_server.homes import home_of
from bigben_server.transport.admission import SILENT
from bigben_server.transport.handed import Report, encode_report

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
USUAL = Limits()


class Worker:
    """The worker's end of a line."""

    def __init__(self, number: int, line: Line, end: socket.socket, given: "Given") -> None:
        self.line = line
        self.end = end
        self.living: set[int] = set()
        """As it was told last."""
        self._number = number
        self._given = given
        end.setblocking(False)
        asyncio.get_running_loop().add_reader(end, self._read)

    def hang(self) -> None:
        asyncio.get_running_loop().remove_reader(self.end)

    async def reports(self, report: Report) -> None:
        self.end.send(encode_report(report) + b"\n")
        while self.line.said != report:  # noqa: ASYNC110  # no message says when
            await asyncio.sleep(0)

    def die(self) -> None:
        if self.end.fileno() >= 0:
            self.hang()
            self.end.close()

    def _read(self) -> None:
        message, files, *_ = socket.recv_fds(self.end, 8, 1)
        bits = int.from_bytes(message, "little")
        self.living = {number for number in range(1, 65) if bits >> number - 1 & 1}
        for file in files:
            with socket.socket(fileno=file) as accepted:
                self._given.put_nowait((self._number, accepted.recv(65_536)))


Given = asyncio.Queue[tuple[int, bytes]]
"""Which worker got a connection, and what the peer had sent."""


class Parent:
    def __init__(self, accepting: Accepting, stack: ExitStack) -> None:
        self.accepting = accepting
        self.workers: dict[int, Worker] = {}
        self._given = Given()
        self._address = accepting.listeners[0].getsockname()
        self._stack = stack

    def start(self, number: int) -> Worker:
        ours, theirs = socket.socketpair()
        self._stack.enter_context(ours)
        line = self._stack.enter_context(self.accepting.worker(number, ours))
        worker = Worker(number, line, theirs, self._given)
        self._stack.callback(worker.die)
        self.workers[number] = worker
        return worker

    async def connect(self, sent: bytes, address: str = "127.0.0.1") -> socket.socket:
        """A peer at this address that has sent this."""
        peer = self._stack.enter_context(socket.socket())
        peer.bind((address, 0))
        peer.setblocking(False)
        await asyncio.get_running_loop().sock_connect(peer, self._address)
        peer.send(sent)
        return peer

    async def given(self) -> tuple[int, bytes]:
        async with asyncio.timeout(PATIENCE_S):
            return await self._given.get()

    async def worker_for(self, sent: bytes = REQUEST) -> int:
        """The number of the worker that gets a peer that sends this."""
        await self.connect(sent)
        number, read = await self.given()
        assert read == sent
        return number


@contextmanager
def listening(workers: int, limits: Limits = USUAL) -> Iterator[Parent]:
    settings = Settings(port=0, limits=limits)
    with ExitStack() as stack:
        accepting = Accepting(settings, stack.enter_context(reserved(settings)))
        stack.enter_context(accepting.listening())
        parent = Parent(accepting, stack)
        for number in range(1, workers + 1):
            parent.start(number)
        yield parent


async def closed(peer: socket.socket) -> bool:
    """Wait until the server has closed this connection; whether without an answer."""
    async with asyncio.timeout(PATIENCE_S):
        try:
            return await asyncio.get_running_loop().sock_recv(peer, 1) == b""
        except ConnectionError:
            return True


@pytest.mark.parametrize("target", ["/?race={}", "/?v=2&race={}&x=y", "/play?race={}K7QMPX"])
async def test_all_who_name_a_race_come_to_its_home_and_to_another_when_that_has_ended(
    target: str,
) -> None:
    def sent(code: str) -> bytes:
        return f"GET {target.format(code.lower())} HTTP/1.1\r\n\r\n".encode()

    codes = [RaceId(code) for code in ("AAAAAA", "K7QMPX", "ZZZZZZ")]
    with listening(3) as parent:
        for code in codes * 2:
            assert await parent.worker_for(sent(code)) == home_of(code, (1, 2, 3))
        ended = home_of(codes[0], (1, 2, 3))
        parent.workers.pop(ended).die()
        for code in codes:
            assert await parent.worker_for(sent(code)) == home_of(code, parent.workers)
        assert {frozenset(worker.living) for worker in parent.workers.values()} == {
            frozenset(parent.workers)
        }


async def test_others_come_to_the_worker_with_the_fewest_connections() -> None:
    with listening(2) as parent:
        assert [await parent.worker_for() for _ in range(4)] == [1, 2, 1, 2]
        await parent.workers[1].reports(Report(ended=2))
        assert [await parent.worker_for() for _ in range(2)] == [1, 1]
        parent.start(3)
        assert await parent.worker_for() == 3


async def test_a_request_that_comes_in_pieces_is_handed_over_whole_and_delays_nobody() -> None:
    with listening(1) as parent:
        for end in (1, 8, len(REQUEST) - 1):
            slow = await parent.connect(REQUEST[:end])
            await parent.worker_for()
            slow.send(REQUEST[end:])
            assert await parent.given() == (1, REQUEST)


async def test_the_parent_does_not_look_again_before_more_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[Peer] = []
    look = Accepting.look

    def looking(self: Accepting, peer: Peer) -> None:
        looks.append(peer)
        look(self, peer)

    monkeypatch.setattr(Accepting, "look", looking)
    with listening(1) as parent:
        slow = await parent.connect(b"GET /")
        await parent.worker_for()
        before = len(looks)
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert len(looks) == before
        slow.send(b" HTTP/1.1\r\n\r\n")
        await parent.given()
        assert len(looks) == before + 1


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01\n", b"G\n", b"GET / HTTP/2\r\n", b"GET /" + b"a" * 20_000]
)
async def test_what_is_no_request_is_left_to_a_worker(sent: bytes) -> None:
    with listening(1) as parent:
        await parent.connect(sent)
        assert sent.startswith((await parent.given())[1])


@pytest.mark.parametrize("sent", [b"", b"G", REQUEST[:-1]])
async def test_a_peer_that_ends_before_its_request_is_closed(sent: bytes) -> None:
    with listening(1) as parent:
        peer = await parent.connect(sent)
        await parent.worker_for()
        peer.shutdown(socket.SHUT_WR)
        assert await closed(peer)


async def test_a_worker_that_does_not_take_its_connections_holds_up_nobody() -> None:
    with listening(2) as parent:
        sent = b"GET /?race=K7QMPX HTTP/1.1\r\n\r\n"
        full = parent.workers[home_of(RaceId("K7QMPX"), (1, 2))]
        full.hang()
        full.line.end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        for _ in range(20):
            await parent.connect(sent)
        assert (await parent.given())[1] == sent


async def test_a_connection_waits_while_no_worker_takes_it() -> None:
    with listening(0) as parent:
        await parent.connect(REQUEST)
        parent.start(1)
        assert await parent.given() == (1, REQUEST)


async def test_a_late_worker_gets_no_connections_unless_all_are_late() -> None:
    with listening(2) as parent:
        one, other = parent.workers.values()
        parent.accepting.lateness(one.line, is_late=True)
        assert [await parent.worker_for() for _ in range(3)] == [2, 2, 2]
        assert other.living == {2}
        parent.accepting.lateness(other.line, is_late=True)
        assert await parent.worker_for() == 1
        assert one.living == {1, 2}


async def test_a_drained_worker_gets_no_connections_unless_all_are_drained() -> None:
    with listening(2) as parent:
        one, other = parent.workers.values()
        for drained, serves in ((one, 2), (other, 1)):
            await drained.reports(Report(is_draining=True))
            assert await parent.worker_for() == serves


async def test_silent_peers_of_an_address_are_limited_for_all_workers_together() -> None:
    with listening(2) as parent:
        most = SILENT * USUAL.connections_per_address
        silent = [await parent.connect(b"G") for _ in range(most)]
        assert await closed(await parent.connect(REQUEST))
        silent[0].close()
        await parent.worker_for()


async def test_connections_of_an_address_are_limited_for_all_workers_together() -> None:
    """They charge for WebSockets and floods, and give back what files cost."""
    with listening(2, Limits(connects_per_second=1)) as parent:
        one, other = parent.workers.values()
        await one.reports(Report(1, charged={"127.0.0.1": 160}))
        await parent.connect(b"waits")
        await parent.connect(REQUEST, "127.0.0.2")
        assert (await parent.given())[1] == REQUEST
        await other.reports(Report(1, charged={"127.0.0.1": -160}))
        await parent.worker_for()
