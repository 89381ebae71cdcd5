"""A one-time link continues as the same player on another device."""

import asyncio
import base64
import json
from collections.abc import Iterator

import pytest
from tests.support.server_process import ServerProcess, serving
from tests.wire.peer import peer

from bigben_protocol import Create, GetLink, Hello, Link, Refused, Room, Watch, Welcome


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server")) as one:
        yield one
        assert one.complaints() == []


async def link_of(server: ServerProcess, name: str) -> tuple[str, str]:
    """A player and a one-time link for them."""
    async with peer(server.url, name="") as one:
        welcome = await one.ask(Hello(name), Welcome)
        return welcome.player, (await one.ask(GetLink(ref=1), Link)).token


async def test_the_first_to_use_a_link_is_the_player_and_stays_so(server: ServerProcess) -> None:
    player, link = await link_of(server, "Ada")
    async with peer(server.url, name="") as browser:
        welcome = await browser.ask(Hello(token=link), Welcome)
    assert (welcome.player, welcome.name) == (player, "Ada")
    async with peer(server.url, name="") as later:
        assert (await later.ask(Hello(token=welcome.token), Welcome)).player == player


async def test_a_link_is_used_once_and_then_refused(server: ServerProcess) -> None:
    _, link = await link_of(server, "Bob")
    async with peer(server.url, name="") as first:
        await first.ask(Hello(token=link), Welcome)
    async with peer(server.url, name="") as second:
        refused = await second.ask(Hello(token=link), Refused)
        assert refused.code == "token"
        assert "new one" in refused.text
        assert (await second.closed())[0] == 1008


async def test_only_one_of_two_simultaneous_uses_of_a_link_succeeds(server: ServerProcess) -> None:
    _, link = await link_of(server, "Cy")

    async def outcome() -> str:
        async with peer(server.url, name="") as one:
            await one.say(Hello(token=link))
            return type(await one.hear()).__name__

    assert sorted(await asyncio.gather(*(outcome() for _ in range(4)))) == [
        "Refused",
        "Refused",
        "Refused",
        "Welcome",
    ]


async def test_a_link_keeps_the_seat(server: ServerProcess) -> None:
    async with peer(server.url, name="Dan") as one:
        room = await one.ask(Create(ref=1), Room)
        link = await one.ask(GetLink(ref=2), Link)
        async with peer(server.url, name="") as other:
            welcome = await other.ask(Hello(token=link.token), Welcome)
            watched = await other.ask(Watch(room.race, ref=3), Room)
    assert watched.host == welcome.player


async def test_a_link_is_valid_for_ten_minutes(server: ServerProcess) -> None:
    async with peer(server.url, name="") as one:
        welcome = await one.ask(Hello("Eve"), Welcome)
        link = await one.ask(GetLink(ref=1), Link)
    payload = link.token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    assert claims["exp"] - welcome.now_at // 1000 in range(599, 610)
    assert link.expires_at - welcome.now_at in range(600_000, 610_000)


async def test_no_token_is_ever_logged(server: ServerProcess) -> None:
    _, link = await link_of(server, "Finn")
    async with peer(server.url, name="") as one:
        token = (await one.ask(Hello(token=link), Welcome)).token
    assert link not in server.log()
    assert token not in server.log()
