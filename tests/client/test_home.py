"""For which race a connection is made: its address names it, as a hint for the server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from tests.client.said import RACE, refused, room
from tests.client.scripted import ADA, WELCOME, Peer, ScriptedServer

from bigben_client import Client, RefusedError
from bigben_client.connection.address import address
from bigben_client.session.home import race_of
from bigben_protocol import (
    Create,
    Elsewhere,
    Hello,
    Phase,
    Ping,
    Pong,
    RaceId,
    Ready,
    Resume,
    Room,
    State,
)


async def test_the_address_names_the_race_that_the_player_will_enter_and_later_the_one_they_are_in(
    server: ScriptedServer,
) -> None:
    async with server.connected(race="k7q pxm") as (client, peer):
        assert peer.path == "/?race=K7QPXM"
        await peer.says(replace(room(phase="open", state="joined"), race=RaceId("ABC234")))
        await anext(client.events())
        await peer.breaks()
        assert (await server.welcomes_back()).path == "/?race=ABC234"


async def test_the_players_of_a_daily_are_spread(server: ScriptedServer) -> None:
    async with server.connected(race="daily.bigben.standard") as (client, peer):
        assert peer.path == "/"
        await peer.says(replace(room(), race=RaceId("daily.2026-11-02"), kind="daily"))
        await anext(client.events())
        await peer.breaks()
        assert (await server.welcomes_back()).path == "/"


@pytest.mark.parametrize("url", ["ws://x.example/big?ben=1", "ws://x.example/big/?ben=1"])
def test_an_address_keeps_its_own_path_and_query(url: str) -> None:
    assert address(url).naming(RACE) == f"{url}&race={RACE}"
    assert address(url).naming("") == url


def followed(code: str, phase: Phase, state: State | None = None) -> Room:
    """A room that Ada follows, with or without a seat."""
    one = replace(room(phase=phase, state=state or "joined"), race=RaceId(code))
    return one if state else replace(one, seats=())


@pytest.mark.parametrize(
    ("rooms", "named"),
    [
        (
            [followed("PLAYED", "running", "playing"), followed("OPENED", "open", "joined")],
            "PLAYED",
        ),
        ([followed("COUNTS", "countdown", "ready"), followed("OPENED", "open", "ready")], "COUNTS"),
        ([followed("OPENED", "open", "ready"), followed("SEEN22", "running")], "OPENED"),
        ([followed("SECOND", "running"), followed("ENDED2", "closed", "won")], "SECOND"),
        ([followed("FIRST2", "open", "joined"), followed("SECOND", "open", "joined")], "SECOND"),
        ([followed("ENDED2", "closed", "won"), followed("GONE22", "cancelled", "joined")], ""),
    ],
)
def test_of_several_races_the_one_that_is_played_matters_most_and_the_last_one_of_equals(
    rooms: list[Room], named: str
) -> None:
    assert race_of(ADA, rooms) == named


@asynccontextmanager
async def lobby(server: ScriptedServer) -> AsyncIterator[tuple[Client, Peer]]:
    """Ada waits in a room that is served better on another connection."""
    async with server.connected() as (client, peer):
        await peer.says(room(phase="open", state="joined"))
        await anext(client.events())
        yield client, peer


async def test_a_client_changes_over_where_its_race_is_served_better_and_nobody_sees_it(
    server: ScriptedServer,
) -> None:
    async with lobby(server) as (client, peer):
        await peer.says(Elsewhere(RACE))
        there, hello = await server.greets()
        assert (there.path, hello.token, hello.elsewhere) == (f"/?race={RACE}", WELCOME.token, True)
        resume = await there.hears(Resume)
        assert await peer.is_left() == 1000
        await there.says(back := room(ref=resume.ref, phase="open", state="ready", since=2))
        assert await anext(client.events()) == back, "neither Lost nor Back"


async def test_it_changes_over_once_all_is_answered(server: ScriptedServer) -> None:
    async with lobby(server) as (client, peer):
        creating = asyncio.create_task(client.create())
        create = await peer.hears(Create)
        await peer.says(Elsewhere(RACE))
        there, _ = await server.greets()
        await peer.says(replace(refused(create.ref, code="limit"), race=""))
        with pytest.raises(RefusedError):
            await creating
        await there.hears(Resume)
        assert await peer.is_left() == 1000


async def test_it_stays_once_the_race_begins_and_where_it_plays(server: ScriptedServer) -> None:
    async with lobby(server) as (client, peer):
        readying = asyncio.create_task(client.ready(RACE))
        ready = await peer.hears(Ready)
        await peer.says(Elsewhere(RACE))
        there, _ = await server.greets()
        await peer.says(room(ref=ready.ref, phase="countdown", state="ready"))
        assert await there.is_left() == 1000
        await readying
        await peer.says(Elsewhere(RaceId("ABC234")))
        pinging = asyncio.create_task(client.ping())
        ping = await peer.hears(Ping)
        await peer.says(Pong(ping.sent, 0))
        await pinging


async def test_it_stays_where_the_new_connection_fails(server: ScriptedServer) -> None:
    async with lobby(server) as (client, peer):
        await peer.says(Elsewhere(RACE))
        there = await server.takes()
        await there.hears(Hello)
        await there.says(refused(0, code="limit"))
        assert await there.is_left() == 1000
        pinging = asyncio.create_task(client.ping())
        ping = await peer.hears(Ping)
        await peer.says(Pong(ping.sent, 0))
        await pinging
