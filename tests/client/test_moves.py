"""Moves are numbered by the client, one at a time, and acknowledged by their diffs."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.client.said import RACE, diff, end, refused, room, snapshot
from tests.client.scripted import Peer, ScriptedServer

from bigben_client import Client, RefusedError
from bigben_protocol import Diff, Move, RaceId, Resume


def move(client: Client, text: str = "turn") -> asyncio.Task[Diff]:
    """Begin a call of ``move``."""
    return asyncio.create_task(client.move(RACE, text))


async def test_a_move_follows_what_the_player_sees(playing: tuple[Client, Peer]) -> None:
    client, peer = playing
    moving = move(client)
    assert await peer.hears(Move) == Move(RACE, 2, "turn")
    await peer.says(diff(2))
    assert await moving == diff(2)
    assert client.views[RACE].n == 2
    assert await anext(client.events()) == diff(2)


async def test_a_move_waits_for_the_answer_to_the_one_before(
    playing: tuple[Client, Peer],
) -> None:
    client, peer = playing
    first, second, third = (move(client, text) for text in ("turn", "w 5", "deal"))
    assert await peer.hears(Move) == Move(RACE, 2, "turn")
    await peer.says(diff(2))
    assert await peer.hears(Move) == Move(RACE, 3, "w 5")
    await peer.says(refused(3, text="Fan 5 wants another card."))
    assert await peer.hears(Move) == Move(RACE, 3, "deal")
    await peer.says(diff(3))
    assert (await first, await third) == (diff(2), diff(3))
    with pytest.raises(RefusedError, match=r"^Fan 5 wants another card\.$"):
        await second


async def test_a_move_that_waits_can_still_be_cancelled(playing: tuple[Client, Peer]) -> None:
    client, peer = playing
    first, second, third = (move(client, text) for text in ("turn", "w 5", "deal"))
    await peer.hears(Move)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    await peer.says(diff(2))
    assert await peer.hears(Move) == Move(RACE, 3, "deal")
    await peer.says(diff(3))
    await asyncio.gather(first, third)


async def test_a_sent_move_keeps_its_number_even_if_nobody_waits(
    playing: tuple[Client, Peer],
) -> None:
    client, peer = playing
    first = move(client)
    await peer.hears(Move)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    second = move(client)
    await peer.says(diff(2))
    assert await peer.hears(Move) == Move(RACE, 3, "turn")
    await peer.says(diff(3))
    assert await second == diff(3)


async def test_without_cards_there_is_no_move(server: ScriptedServer) -> None:
    async with server.connected() as (client, peer):
        with pytest.raises(RefusedError, match="no cards in this race") as caught:
            await client.move(RACE, "turn")
        assert caught.value.code == "seat"
        await peer.says(room(phase="countdown"))
        await anext(client.events())
        with pytest.raises(RefusedError, match="no cards in this race"):
            await client.move(RACE, "turn")


async def test_a_move_before_the_cards_are_seen_asks_for_them_first(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        await peer.says(room())
        await anext(client.events())
        first, second = move(client), move(client)
        resume = await peer.hears(Resume)
        assert (resume.race, resume.since) == (RACE, 0)
        await peer.says(room(ref=resume.ref), snapshot(2))
        assert await peer.hears(Move) == Move(RACE, 3, "turn")
        await peer.says(diff(3))
        assert await peer.hears(Move) == Move(RACE, 4, "turn")
        await peer.says(diff(4))
        assert [await first, await second] == [diff(3), diff(4)]


async def test_a_timeout_is_not_the_answer_to_a_move(playing: tuple[Client, Peer]) -> None:
    client, peer = playing
    moving = move(client)
    await peer.hears(Move)
    await peer.says(end(2), refused(2, code="conflict", text="The time is over."))
    with pytest.raises(RefusedError, match="The time is over"):
        await moving
    assert client.views[RACE].state == "timed out"


async def test_moves_of_two_races_do_not_wait_for_each_other(
    playing: tuple[Client, Peer],
) -> None:
    client, peer = playing
    other = RaceId("OTHERS")
    await peer.says(replace(room(), race=other), replace(snapshot(), race=other))
    news = client.events()
    await anext(news)
    assert await anext(news) == replace(snapshot(), race=other)
    here, there = move(client), asyncio.create_task(client.move(other, "turn"))
    assert {(await peer.hears(Move)).race for _ in range(2)} == {RACE, other}
    await peer.says(replace(diff(1), race=other), diff(2))
    assert ((await here).n, (await there).n) == (2, 1)


async def test_a_move_is_played_in_the_position_that_it_is_for_alone(
    playing: tuple[Client, Peer],
) -> None:
    """A player whose call failed asks again, while the first move is still under way."""
    client, peer = playing
    first, again = (asyncio.create_task(client.move(RACE, "turn", after=1)) for _ in range(2))
    assert await peer.hears(Move) == Move(RACE, 2, "turn")
    await peer.says(diff(2))
    assert await first == diff(2)
    with pytest.raises(RefusedError, match="Your game has gone on since") as caught:
        await again
    assert caught.value.code == "conflict"
    following = asyncio.create_task(client.move(RACE, "turn", after=2))
    assert await peer.hears(Move) == Move(RACE, 3, "turn")
    await peer.says(diff(3))
    assert await following == diff(3)


async def test_a_move_for_the_next_position_waits_for_the_one_before(
    playing: tuple[Client, Peer],
) -> None:
    client, peer = playing
    first, second = (asyncio.create_task(client.move(RACE, "turn", after=n)) for n in (1, 2))
    await peer.hears(Move)
    await peer.says(diff(2))
    assert await peer.hears(Move) == Move(RACE, 3, "turn")
    await peer.says(diff(3))
    assert [await first, await second] == [diff(2), diff(3)]
