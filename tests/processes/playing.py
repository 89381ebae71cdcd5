"""Clients that race on servers in other processes, and helpers that wait."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from benchmarks.servers import RACE_SERVER, reserved_port
from tests.support.patience import PATIENCE_S
from tests.support.server_process import UNHURRIED, ServerProcess

from bigben_client import Backoff, Client
from bigben_protocol import ServerMessage, Standing

_Message = TypeVar("_Message", bound=ServerMessage)


@asynccontextmanager
async def serving(
    data: Path,
    *options: str,
    env: dict[str, str] | None = None,
    command: Sequence[str] = RACE_SERVER,
) -> AsyncIterator[ServerProcess]:
    """A server process; it must end cleanly and without a complaint in its log."""
    with reserved_port() as port:
        settings = {**UNHURRIED, **(env or {})}
        server = ServerProcess(data, *options, port=port, env=settings, command=command)
        try:
            await server.start()
            yield server
        finally:
            said = await server.stop()
            print(said)  # shown when the test fails
    assert "Traceback" not in said, said
    assert server.exit_code == 0, said


def client(server: ServerProcess, name: str = "", token: str = "", race: str = "") -> Client:
    """A client that reconnects quickly when its connection breaks."""
    backoff = Backoff(first=0.05, longest=0.5)
    return Client(server.url, name=name, token=token, race=race, backoff=backoff)


async def until(one: Client, holds: Callable[[], bool]) -> None:
    """Wait until the condition holds for this client."""
    news = one.events()
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await anext(news)


async def heard(one: Client, kind: type[_Message]) -> _Message:
    """The next message of this kind."""
    async with asyncio.timeout(PATIENCE_S):
        async for event in one.events():
            if isinstance(event, kind):
                return event
    raise AssertionError("the client was left")


def seat(one: Client, race: str, whose: Client) -> Standing:
    """A player's progress, as this client knows it."""
    return next(seat for seat in one.rooms[race].seats if seat.player == whose.player)
