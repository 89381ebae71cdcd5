"""How often a client reconnects to a server that closes its connections, on the test's clock."""

from collections.abc import Awaitable, Callable
from typing import Final

import pytest
from tests.client.pauses import Pauses
from tests.client.said import RACE, diff, refused, room, snapshot
from tests.client.scripted import Peer, ScriptedServer

from bigben_client import Back, Client, Event
from bigben_protocol import Hello, Resume

OUTAGE_S: Final = 10.0


async def until_back(client: Client) -> None:
    """Wait until the client is connected again and has said so."""
    async for event in client.events():
        if event == Back():
            return


async def closes_before_welcome(server: ScriptedServer, peer: Peer) -> None:
    await peer.hears(Hello)
    await peer.closes(1013, "The store is away.")


async def breaks_at_once(server: ScriptedServer, peer: Peer) -> None:
    await peer.breaks()


async def welcomes_and_closes(server: ScriptedServer, peer: Peer) -> None:
    await server.welcomes(peer)
    await peer.closes(1013, "The store is away.")


async def fails_at_resume(server: ScriptedServer, peer: Peer) -> None:
    await server.welcomes(peer)
    await peer.hears(Resume)
    await peer.closes(1011, "The server made a mistake.")


async def welcomes_and_breaks(server: ScriptedServer, peer: Peer) -> None:
    await server.welcomes(peer)
    await peer.breaks()


async def refuses_the_resume(server: ScriptedServer, peer: Peer) -> None:
    await server.welcomes(peer)
    resume = await peer.hears(Resume)
    await peer.says(refused(resume.ref, code="busy", text="Not now."))
    assert await peer.is_left() == 1013


OUTAGES: Final[list[Callable[[ScriptedServer, Peer], Awaitable[None]]]] = [
    closes_before_welcome,
    breaks_at_once,
    welcomes_and_closes,
    fails_at_resume,
    welcomes_and_breaks,
    refuses_the_resume,
]


@pytest.mark.parametrize("fails", OUTAGES)
async def test_a_client_dials_six_times_in_an_outage_of_ten_seconds(
    server: ScriptedServer, fails: Callable[[ScriptedServer, Peer], Awaitable[None]]
) -> None:
    pauses = Pauses()
    async with server.connected(backoff=pauses) as (client, peer):
        await peer.says(room(), snapshot(1))
        await anext(client.events())
        await peer.breaks()
        dials = 0
        while True:
            peer = await server.takes()
            if pauses.now > OUTAGE_S:
                break
            dials += 1
            assert dials <= len(pauses.waited), "every dial comes after a pause"
            await fails(server, peer)
        assert pauses.waited == [0.25, 0.5, 1, 2, 4, 8]
        assert dials == 5, "the sixth comes after its end"
        await server.welcomes(peer)
        await peer.hears(Resume)


async def test_a_connection_that_lasts_makes_the_next_pause_short_again(
    server: ScriptedServer,
) -> None:
    pauses = Pauses()
    async with server.connected(backoff=pauses) as (client, peer):
        for _ in range(3):
            await peer.closes(1012, "The server restarts.")
            peer = await server.welcomes_back()
            await until_back(client)
        pauses.now += 19.9
        await peer.breaks()
        peer = await server.welcomes_back()
        await until_back(client)
        pauses.now += 20
        await peer.breaks()
        await server.welcomes_back()
    assert pauses.waited == [0.25, 0.5, 1, 2, 0.25]


@pytest.mark.parametrize(
    ("reason", "pause"),
    [
        ("The server restarts; retry in 4 s", 4.25),
        ("retry in 0.3 s", 0.55),
        ("The server restarts; retry in 86400 s", 60.25),
        (f"retry in {'9' * 100} s", 0.25),
        ("retry in -5 s", 0.25),
        ("retry in 1e9 s", 0.25),
        ("retry in nan s", 0.25),
        ("retry in ٣ s", 0.25),  # a digit of another script
        ("retry in 4 s, or go home", 0.25),
    ],
)
async def test_a_hint_is_the_minimum_wait_and_never_more_than_a_minute(
    server: ScriptedServer, reason: str, pause: float
) -> None:
    pauses = Pauses()
    async with server.connected(backoff=pauses) as (_, peer):
        await peer.closes(1013, reason)
        await server.welcomes_back()
        assert pauses.waited == [pause]


async def test_a_hint_before_welcome_counts_too(
    server: ScriptedServer,
) -> None:
    pauses = Pauses()
    async with server.connected(backoff=pauses) as (_, peer):
        await peer.breaks()
        await (await server.takes()).closes(1013, "The store is away; retry in 7 s")
        await server.welcomes_back()
        assert pauses.waited == [0.25, 7.5]


async def test_the_hint_is_not_shown_to_players(server: ScriptedServer) -> None:
    heard: list[Event] = []
    async with server.connected() as (client, peer):
        await peer.says(room(), snapshot(1), diff(2))
        await peer.closes(1013, "The store is away; come back in a moment; retry in 0.1 s")
        await server.welcomes_back()
        async for event in client.events():
            heard.append(event)
            if event == Back():
                break
        assert client.views[RACE].n == 2
    assert str(heard[-2].reason).endswith("The store is away; come back in a moment.")  # type: ignore[union-attr] # Lost
