"""A peer that reads nothing more keeps neither its connection nor the server."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.wire.in_process import server_here
from tests.wire.raw import TEXT, frame, upgraded

from bigben_server.transport.connection import MeteredConnection, Receiver
from bigben_server.transport.websocket import GOODBYE_S


@pytest.fixture(autouse=True)
def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to a peer stays in the buffer of its transport."""
    begin: Callable[[MeteredConnection, Receiver], None] = MeteredConnection.begin

    def begin_full(self: MeteredConnection, session: Receiver) -> None:
        begin(self, session)
        self.pause_writing()

    monkeypatch.setattr(MeteredConnection, "begin", begin_full)


async def test_it_is_closed_although_it_does_not_read_the_close(tmp_path: Path) -> None:
    async with server_here(tmp_path) as url, upgraded(int(url.rpartition(":")[2])) as one:
        await one.write(frame(TEXT, b"not a message"))
        assert await one.closed() == 1007


async def test_a_server_stops_without_waiting_for_it(tmp_path: Path) -> None:
    now = asyncio.get_running_loop().time
    async with AsyncExitStack() as peers:
        async with server_here(tmp_path) as url:
            await peers.enter_async_context(upgraded(int(url.rpartition(":")[2])))
            await asyncio.sleep(0.1)  # its session begins after the answer to the handshake
            began = now()
        assert now() - began < GOODBYE_S + PATIENCE_S / 2
