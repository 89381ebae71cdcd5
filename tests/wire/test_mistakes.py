"""A race that the server can't read, after a bug or because of an entry of a newer version."""

from pathlib import Path

from redis.asyncio import Redis
from tests.wire.in_process import server_here
from tests.wire.peer import peer, race_to_the_end

from bigben_protocol import Join, Ping, Pong, RaceId, Refused
from bigben_server.storage.keys import Keys

RACE = RaceId("ZZZZZZ")


async def spoil(folder: Path) -> None:
    """Put an unreadable race into Redis and on the agenda."""
    async with Redis(unix_socket_path=str(folder / "redis.sock")) as redis:
        await redis.xadd(Keys().room_log(RACE), {"1": '{"type":"from-the-future"}'}, id="1-0")
        await redis.zadd(Keys().agenda, {RACE: 1})


async def test_players_who_request_it_are_told_and_nobody_else_notices(tmp_path: Path) -> None:
    async with server_here(tmp_path) as url, peer(url, name="Bob") as bob:
        await spoil(tmp_path)
        async with peer(url) as ada:
            refused = await ada.ask(Join(RACE, ref=1), Refused)
            assert (refused.code, refused.ref) == ("unknown", 1)
            assert refused.text.startswith("Race ZZZZZZ can’t be read by this server")
            assert (await ada.ask(Ping(1), Pong)).sent == 1
        assert (await bob.ask(Ping(1), Pong)).sent == 1
        await race_to_the_end(url)


async def test_a_server_that_finds_it_at_the_start_serves_all_others(tmp_path: Path) -> None:
    async with server_here(tmp_path) as url:
        await race_to_the_end(url)
        await spoil(tmp_path)
    async with server_here(tmp_path) as url:
        await race_to_the_end(url)
