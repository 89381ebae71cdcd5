"""When a crowd joins at the same moment, all get a seat and cards, and hear of the others."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from tests.processes.playing import client, seat, serving, until

from bigben_client import Client

GUESTS = 60
MANY = {"BIGBEN_CONNECTIONS_PER_ADDRESS": "1000"}


async def sit_down_and_play(guest: Client) -> str:
    """Join the daily and be ready in one packet, then play the first move; the race."""
    room, _ = await asyncio.gather(guest.join("daily"), guest.ready("daily"))
    await until(guest, lambda: room.race in guest.views)
    diff = await guest.move(room.race, guest.views[room.race].legal[0])
    assert diff.n == 1
    return room.race


def knows_that_all_play(guest: Client, race: str) -> bool:
    """Whether this guest knows that every seat has started and has one move."""
    stand = [(seat.state, seat.moves) for seat in guest.rooms[race].seats]
    return stand == [("playing", 1)] * GUESTS


@pytest.mark.parametrize("workers", [1, 3], ids=["many at one process", "few at each of three"])
async def test_all_players_who_join_the_daily_at_the_same_moment_can_play_it(
    tmp_path: Path, workers: int
) -> None:
    async with (
        serving(tmp_path / "data", "--workers", str(workers)) as server,
        AsyncExitStack() as stack,
    ):
        guests = [
            await stack.enter_async_context(client(server, f"Guest {i}")) for i in range(GUESTS)
        ]
        races = await asyncio.gather(*map(sit_down_and_play, guests))
        assert len(set(races)) == 1
        for guest in guests:
            await until(guest, partial(knows_that_all_play, guest, races[0]))


async def test_a_lone_player_does_not_wait_for_a_crowd_which_hears_of_every_end(
    tmp_path: Path,
) -> None:
    async with (
        serving(tmp_path / "data", env=MANY) as server,
        client(server, "Ada") as ada,
        AsyncExitStack() as stack,
    ):
        race = await sit_down_and_play(ada)
        crowd = [
            await stack.enter_async_context(client(server, f"Guest {i}")) for i in range(3 * GUESTS)
        ]
        await asyncio.gather(*(guest.watch(race) for guest in crowd))
        for _ in range(20):
            legal = ada.views[race].legal
            await ada.move(race, legal[-1])
        await ada.move(race, "resign")
        for guest in [ada, *crowd]:
            await until(guest, partial(knows_the_end, guest, race, ada))


def knows_the_end(guest: Client, race: str, player: Client) -> bool:
    """Whether this guest knows that this player has resigned with move 22."""
    stand = seat(guest, race, player)
    return (stand.state, stand.moves) == ("resigned", 22)
