"""The limits of one peer, and which web pages may connect."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess, serving
from tests.wire.peer import Peer, peer, race_to_the_end
from tests.wire.raw import line
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from bigben_chat.connections.identity import Issuer
from bigben_client import Client
from bigben_protocol import (
    CODECS,
    JSON,
    Create,
    CreateGroup,
    Hello,
    Leave,
    Left,
    Ping,
    Pong,
    Refused,
    Resume,
    Room,
    Watch,
    Welcome,
)

PAGE = "https://play.example"
KEY = "the key that the server and a chat bot of the tests share"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with small limits; at the end it must still work."""
    settings = {
        "BIGBEN_CONNECTIONS_PER_ADDRESS": "6",
        "BIGBEN_CONNECTIONS_PER_PLAYER": "3",
        "BIGBEN_ISSUER_CHAT_KEY": KEY,
        "BIGBEN_RACES_PER_CONNECTION": "2",
        "BIGBEN_ROOMS_PER_MINUTE": "5",
        "BIGBEN_API_PER_SECOND": "1",
        "BIGBEN_ORIGINS": PAGE,
        "BIGBEN_QUEUE_BYTES": "65536",
        "BIGBEN_MESSAGES_PER_SECOND": "1000000",
        "BIGBEN_BURST": "1000000",
        "BIGBEN_WORK_PER_SECOND": "1000000",
    }
    with serving(tmp_path_factory.mktemp("server"), settings) as one:
        yield one
        asyncio.run(race_to_the_end(one.url))
        assert one.complaints() == []


async def handshake(url: str, origin: str | None = None) -> int:
    """The HTTP status of a handshake; 101 accepts it."""
    try:
        async with connect(
            url,
            subprotocols=[Subprotocol(JSON)],
            origin=Origin(origin) if origin else None,
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 101),
        (PAGE, 101),
        ("https://evil.example", 403),
        ("https://play.example.evil.example", 403),
        ("http://play.example", 403),
        ("null", 403),
    ],
)
async def test_only_pages_of_listed_origins_may_connect_and_programs_always_may(
    server: ServerProcess, origin: str | None, status: int
) -> None:
    assert await handshake(server.url, origin) == status


async def test_a_page_from_the_servers_own_address_may_connect(server: ServerProcess) -> None:
    assert await handshake(server.url, f"http://127.0.0.1:{server.port}") == 101


async def test_connections_of_one_address_are_limited(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        for i in range(6):
            await stack.enter_async_context(peer(server.url, name=f"Player {i}"))
        assert await handshake(server.url) == 429
    assert await eventually(server.url) == 101, "when they have gone there is room again"


async def eventually(url: str) -> int:
    """The status once the server has noticed closed connections, which takes a moment."""
    async with asyncio.timeout(PATIENCE_S):
        while (status := await handshake(url)) == 429:
            pass
    return status


@asynccontextmanager
async def same_player(url: str, token: str) -> AsyncIterator[Peer]:
    async with peer(url, name="") as one:
        await one.say(Hello(token=token))
        yield one


async def test_connections_of_one_player_are_limited(server: ServerProcess) -> None:
    async with peer(server.url, name="") as first:
        token = (await first.ask(Hello("Ada"), Welcome)).token
        async with (
            same_player(server.url, token) as second,
            same_player(server.url, token) as third,
        ):
            await second.until(Welcome)
            await third.until(Welcome)
            async with same_player(server.url, token) as fourth:
                assert (await fourth.until(Refused)).code == "limit"
                assert (await fourth.closed())[0] == 1008
            assert (await first.ask(Ping(7), Pong)).sent == 7


async def test_races_followed_on_one_connection_are_limited_until_it_leaves_one(
    server: ServerProcess,
) -> None:
    async with peer(server.url) as one:
        room = await one.ask(Create(ref=1), Room)
        await one.ask(Create(ref=2), Room)
        refused = await one.ask(Create(ref=3), Refused)
        assert (refused.code, refused.ref) == ("limit", 3)
        assert (await one.ask(Watch("daily", ref=4), Refused)).code == "limit"
        assert (await one.ask(Resume("daily", ref=4), Refused)).code == "limit"
        await one.ask(Resume(room.race, ref=4), Room)
        await one.ask(Leave(room.race, ref=5), Left)
        await one.ask(Watch("daily", ref=6), Room)


async def test_a_peer_that_requests_many_races_at_once_cannot_exceed_the_limit(
    server: ServerProcess,
) -> None:
    async with peer(server.url) as one:
        await one.say(*(Create(ref=n) for n in range(1, 6)))
        rooms: list[Room] = []
        refused: list[Refused] = []
        while len(rooms) + len(refused) < 5:
            match await one.hear():
                case Room() as room if room.ref:
                    rooms.append(room)
                case Refused() as no:
                    refused.append(no)
                case _:
                    pass
        assert (len(rooms), [no.code for no in refused]) == (2, ["limit"] * 3)
        await one.ask(Leave(rooms[0].race, ref=6), Left)
        for n in range(7, 12):  # what is refused takes no place
            assert (await one.ask(Watch("ZZZZZZ", ref=n), Refused)).code == "unknown"
        await one.ask(Watch("daily", ref=12), Room)


async def test_rooms_of_one_player_are_limited_over_all_connections(
    server: ServerProcess,
) -> None:
    async with peer(server.url, name="") as one:
        token = (await one.ask(Hello("Ada"), Welcome)).token
        for n in range(1, 6):
            room = await one.ask(Create(practice=n % 2 == 0, ref=n), Room)
            await one.ask(Leave(room.race, ref=n), Left)
        assert (await one.ask(Create(ref=6), Refused)).code == "limit"
        assert (await one.ask(CreateGroup("The Aces", ref=6), Refused)).code == "limit"
    async with same_player(server.url, token) as again:
        await again.until(Welcome)
        assert (await again.ask(Create(ref=7), Refused)).ref == 7
        await again.ask(Watch("daily", ref=8), Room)


async def test_api_requests_of_one_address_are_limited_and_others_do_not_notice(
    server: ServerProcess,
) -> None:
    async with peer(server.url) as player:
        granted, answer = 0, await get(server.port, "/api/openapi.json")
        while answer.startswith(b"HTTP/1.1 200 "):
            granted += 1
            answer = await get(server.port, "/api/openapi.json")
        assert granted >= 10, "on a slow machine there are some more"
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b"Access-Control-Allow-Origin: *" in answer
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "rate"
        assert (await get(server.port, "/health")).startswith(b"HTTP/1.1 200 ")
        assert (await player.ask(Ping(3), Pong)).sent == 3


async def get(port: int, path: str) -> bytes:
    asked = (f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "", "")
    async with line(port) as one:
        await one.write("\r\n".join(asked).encode())
        return await one.rest()


async def test_a_peer_that_never_reads_is_dropped_and_delays_nobody(server: ServerProcess) -> None:
    async with peer(server.url, name="Bob") as bob, peer(server.url, name="Deaf") as deaf:
        room = await deaf.ask(Create(ref=1), Room)
        deaf.socket.transport.pause_reading()
        question = CODECS[JSON].encode(Watch(room.race, ref=2))

        async def ask_for_ever() -> None:
            while True:
                for _ in range(500):
                    await deaf.socket.send(question, text=True)
                await bob.ask(Ping(1), Pong)

        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(ask_for_ever(), 30)
        assert (await bob.ask(Ping(2), Pong)).sent == 2


async def test_players_of_another_issuer_count_by_player_and_not_by_their_bots_address(
    server: ServerProcess,
) -> None:
    """A chat bot brings them all from one address; guests beside it have their own places."""
    bot = Issuer("chat", KEY)
    async with AsyncExitStack() as stack:
        for number in range(10):
            player = bot.player(number)
            token = bot.token(player, f"Player {number}", (), time.time())
            client = await stack.enter_async_context(Client(server.url, token=token))
            assert client.player == player
        for _ in range(6):
            await stack.enter_async_context(peer(server.url))
        assert await handshake(server.url) == HTTPStatus.TOO_MANY_REQUESTS
