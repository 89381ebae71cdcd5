"""Frames of Discord: whatever is in them comes from the addresses of Discord's proxy."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.support.server_process import ServerProcess, serving
from tests.wire.in_process import server_here
from tests.wire.peer import Peer, peer
from tests.wire.raw import PING, frame, line, upgraded
from tests.wire.test_floods import flooding
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from bigben_chat.connections.identity import Issuer
from bigben_protocol import (
    CODECS,
    JSON,
    Create,
    Diff,
    Hello,
    Move,
    Ready,
    Refused,
    Resume,
    Room,
    Snapshot,
    Welcome,
)
from bigben_server.config import Limits
from bigben_server.transport import peer as peers
from bigben_server.transport.admission import FLOOD_COST

APP = "123456789012345678"
KEY = "the key that the server and the bot of the tests share"
PROXY = "192.0.2.7"
"""From where all of Discord comes; the operator's own proxy forwards it."""
ELSEWHERE = "198.51.100.9"
PLAYERS = 200
USUAL = Limits()


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    settings = {
        "BIGBEN_DISCORD_APP": APP,
        "BIGBEN_ISSUER_DISCORD_KEY": KEY,
        "BIGBEN_BEHIND_PROXY": "1",
    }
    with serving(tmp_path_factory.mktemp("server"), settings) as one:
        yield one
        assert one.complaints() == []


@asynccontextmanager
async def framed(
    server: ServerProcess, address: str = PROXY, origin: str = "null", path: str = "/"
) -> AsyncIterator[Peer]:
    """A connection of a page in a frame, without a subprotocol."""
    async with connect(
        f"{server.url}{path}?codec={JSON}",
        origin=Origin(origin),
        additional_headers={"X-Forwarded-For": address},
        compression=None,
        ping_interval=None,
        close_timeout=1,
    ) as socket:
        yield Peer(socket, CODECS[JSON])


def hello(number: int) -> Hello:
    bot = Issuer("discord", KEY)
    name = f"Player {number}"
    return Hello(token=bot.token(bot.player(f"{number}"), name, (), time.time()))


async def test_a_frame_connects_from_its_origin_or_from_none_with_and_without_a_prefix(
    server: ServerProcess,
) -> None:
    for origin in (f"https://{APP}.discordsays.com", "null"):
        for path in ("/", "/.proxy/"):
            async with framed(server, origin=origin, path=path) as one:
                assert (await one.ask(hello(1), Welcome)).player == "discord:1"
    with pytest.raises(InvalidStatus, match="403"):
        async with framed(server, origin="https://223456789012345678.discordsays.com"):
            pass
    for path in ("/", "/.proxy/", "/.proxy/bundle.js", "/.proxy/api/games", "/.proxy/health"):
        assert await status(server, path) == 200
    assert await status(server, "/.proxy") == await status(server, "/.proxy/.proxy/") == 404


async def test_a_connection_that_is_kept_for_a_player_waits_for_one_only_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "HELLO_S", 0)
    few, issuers = Limits(connections_per_address=1), {"discord": (KEY,)}
    async with (
        server_here(tmp_path, few, issuers, discord_app=APP) as url,
        peer(url),
        peer(url, name="") as silent,
    ):
        assert (await silent.closed())[0] == 1013


async def status(server: ServerProcess, path: str, address: str = PROXY) -> int:
    async with line(server.port) as one:
        headers = f"Host: x\r\nConnection: close\r\nX-Forwarded-For: {address}"
        await one.write(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())
        return int((await one.rest()).split()[1])


async def test_all_players_get_in_from_one_address_and_back_however_many_guests_flood_it(
    server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack:
        await flood(server)
        assert await status(server, "/api/leaderboard") == 429, "it has used up its connections"
        for path in ("/", "/bundle.js", "/api/games"):
            assert await status(server, path) == 200, "which a player needs"
        await fill(server, stack)
        races = await asyncio.gather(*(play(server, stack, each) for each in range(PLAYERS)))
        async with framed(server, ELSEWHERE) as guest:
            await guest.ask(Hello("Ada"), Welcome)
    await server.kill()
    await server.start()
    async with AsyncExitStack() as stack:
        await fill(server, stack)
        comes = enumerate(races)
        await asyncio.gather(*(resume(server, stack, each, race) for each, race in comes))


async def flood(server: ServerProcess) -> None:
    """Use up all connections of the proxy's address, by sending too fast on some."""

    async def too_fast() -> None:
        async with (
            upgraded(server.port, JSON, f"X-Forwarded-For: {PROXY}") as one,
            flooding(one, frame(PING) * 1_000),
        ):
            assert await one.closed() in (0, 1008)

    many = 100 * USUAL.connects_per_second // FLOOD_COST + 1
    await asyncio.gather(*(too_fast() for _ in range(many)))


async def fill(server: ServerProcess, stack: AsyncExitStack) -> None:
    """Let guests take all places of the address, and more be refused."""
    welcomed = 0
    for number in range(USUAL.connections_per_address + 20):
        one = await stack.enter_async_context(framed(server))
        await one.say(Hello(f"Guest {number}"))
        said = await one.hear()
        if isinstance(said, Refused):
            assert said.code == "limit"
        welcomed += isinstance(said, Welcome)
    assert welcomed <= USUAL.connections_per_address


async def play(server: ServerProcess, stack: AsyncExitStack, number: int) -> str:
    one = await stack.enter_async_context(framed(server))
    await one.ask(hello(number), Welcome)
    race = (await one.ask(Create(practice=True), Room)).race
    await one.say(Ready(race))
    view = await one.until(Snapshot)
    await one.say(Move(race, 1, view.legal[0]))
    assert (await one.until(Diff)).n == 1
    return race


async def resume(server: ServerProcess, stack: AsyncExitStack, number: int, race: str) -> None:
    one = await stack.enter_async_context(framed(server))
    await one.ask(hello(number), Welcome)
    await one.say(Resume(race, 0))
    assert (await one.until(Snapshot)).n == 1
