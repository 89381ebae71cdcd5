"""A peer that reads nothing more keeps neither its connection nor the server."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.wire.in_process import server_here
from tests.wire.raw import PING, TEXT, frame, upgraded
from websockets import State

from bigben_server.config import Limits
from bigben_server.rooms.session import Session
from bigben_server.transport.connection import MeteredConnection
from bigben_server.transport.websocket import GOODBYE_S

Receive = Callable[[bytes | str], None]


@pytest.fixture
def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to a peer stays in the buffer of its transport."""
    begin: Callable[[MeteredConnection, Session, Receive], None] = MeteredConnection.begin

    def begin_full(self: MeteredConnection, session: Session, receive: Receive) -> None:
        begin(self, session, receive)
        self.pause_writing()

    monkeypatch.setattr(MeteredConnection, "begin", begin_full)


@pytest.mark.usefixtures("_full")
async def test_it_is_closed_although_it_does_not_read_the_close(tmp_path: Path) -> None:
    async with server_here(tmp_path) as url, upgraded(int(url.rpartition(":")[2])) as one:
        await one.write(frame(TEXT, b"not a message"))
        assert await one.closed() == 1007


@pytest.mark.usefixtures("_full")
async def test_a_server_stops_without_waiting_for_it(tmp_path: Path) -> None:
    now = asyncio.get_running_loop().time
    async with AsyncExitStack() as peers:
        async with server_here(tmp_path) as url:
            await peers.enter_async_context(upgraded(int(url.rpartition(":")[2])))
            await asyncio.sleep(0.1)  # its session begins after the answer to the handshake
            began = now()
        assert now() - began < GOODBYE_S + PATIENCE_S / 2


async def test_it_is_dropped_if_it_ends_its_half_of_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[MeteredConnection] = []
    begin: Callable[[MeteredConnection, Session, Receive], None] = MeteredConnection.begin

    def noted(self: MeteredConnection, session: Session, receive: Receive) -> None:
        begun.append(self)
        begin(self, session, receive)

    monkeypatch.setattr(MeteredConnection, "begin", noted)
    patient = Limits(
        messages_per_second=10**7, burst=10**7, queue_bytes=10**9, work_per_second=10**7
    )
    pings = frame(PING, b"x" * 125) * 200
    async with (
        server_here(tmp_path, patient) as url,
        upgraded(int(url.rpartition(":")[2])) as one,
        asyncio.timeout(PATIENCE_S),
    ):
        one.writer.transport.pause_reading()  # type: ignore[attr-defined]  # it can
        while not begun or begun[0].transport.get_write_buffer_size() < 4_000_000:
            await one.write(pings)
        one.writer.write_eof()
        while begun[0].protocol.state is State.OPEN:  # noqa: ASYNC110  # websockets tells nobody
            await asyncio.sleep(0.1)
        begun[0].keep_alive()
        await begun[0].wait_closed()
