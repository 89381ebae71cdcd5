"""The work that an address may ask for: beyond it the server reads later, and loses nothing."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.wire.in_process import server_here
from tests.wire.peer import Peer, peer
from tests.wire.raw import CONTINUATION, TEXT, frame, upgraded

from bigben_protocol import CODECS, JSON, Games, GetGames, GetGroups, Groups, Hello, Ping, Pong
from bigben_server.config import Limits
from bigben_server.sharing.costs import COSTS

FEW = 40
"""What an address may ask for in a second; twice as much may come at once."""
LIMITS = Limits(work_per_second=FEW, messages_per_second=10_000, burst=10_000)
MANY = 2 * FEW + FEW // 2


def least_s(pings: int) -> float:
    """How long a server at least takes to answer so many, after Hello."""
    return (COSTS[Hello] + pings - 1 - 2 * FEW) / FEW


async def pongs(one: Peer, many: int) -> list[int]:
    return [(await one.until(Pong)).sent for _ in range(many)]


async def test_what_is_more_than_an_address_may_ask_for_is_answered_later_and_in_order(
    tmp_path: Path,
) -> None:
    async with (
        server_here(tmp_path / "data", LIMITS) as url,
        peer(url, address="127.5.0.1") as crowd,
        peer(url, address="127.5.0.2") as other,
    ):
        began = asyncio.get_running_loop().time()
        await crowd.say(*map(Ping, range(MANY)))
        await other.ask(Ping(1), Pong)
        assert await pongs(crowd, MANY) == [*range(MANY)]
        assert asyncio.get_running_loop().time() - began > least_s(MANY) * 0.9


async def test_it_may_come_in_one_piece_or_in_many_in_large_frames_or_in_fragments(
    tmp_path: Path,
) -> None:
    async with server_here(tmp_path / "data", LIMITS) as url:
        async with upgraded(int(url.rpartition(":")[2])) as one:
            data = frame(TEXT, CODECS[JSON].encode(Hello("Ada")))
            for n in range(MANY):
                ping = CODECS[JSON].encode(Ping(n))
                if n % 7 == 1:
                    ping += b" " * 300
                if n % 5 == 2:
                    data += frame(TEXT, ping[:9], fin=False) + frame(CONTINUATION, ping[9:])
                else:
                    data += frame(TEXT, ping)
            for at in range(0, len(data), 1_009):
                await one.write(data[at : at + 1_009])
            heard = b""
            while b'"sent":%d,' % (MANY - 1) not in heard:
                heard += await one.reader.read(65_536)
        assert [heard.count(b'"sent":%d,' % n) for n in range(MANY)] == [1] * MANY


async def test_who_is_not_read_hears_that_the_server_ends(tmp_path: Path) -> None:
    async with AsyncExitStack() as peers:
        async with server_here(tmp_path / "data", LIMITS) as url:
            one = await peers.enter_async_context(peer(url))
            await one.say(*map(Ping, range(4 * FEW)))
            await pongs(one, 2 * FEW)
        assert (await one.closed())[0] == 1012


async def test_who_is_not_read_is_not_closed_for_want_of_a_pong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_server.transport.websocket.PING_S", 0.1)
    slow = Limits(work_per_second=COSTS[GetGames])  # twice as much at once, and Hello was first
    async with server_here(tmp_path / "data", slow) as url, peer(url) as one:
        for _ in range(2):
            await one.ask(GetGames(), Games)
        began = asyncio.get_running_loop().time()
        await one.ask(GetGames(), Games)
        assert asyncio.get_running_loop().time() - began > 0.5, "several pings"
        assert (await one.ask(Ping(7), Pong)).sent == 7


async def test_what_a_connection_asks_the_store_is_answered_however_much_comes_at_once(
    tmp_path: Path,
) -> None:
    limits = Limits(messages_per_second=10_000, burst=10_000)
    async with server_here(tmp_path / "data", limits) as url, peer(url) as one:
        await one.say(*(GetGroups(ref=n) for n in range(1, 200)), Ping(5))
        refs = [(await one.until(Groups)).ref for _ in range(199)]
        assert sorted(refs) == [*range(1, 200)]
        sent = [message for message in one.heard if isinstance(message, Pong)]
        assert sent or (await one.until(Pong)).sent == 5
