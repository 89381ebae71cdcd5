"""When a crowd joins at several workers at once, every player gets a seat and cards."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from tests.processes.playing import client, serving, until

from bigben_client import Client

GUESTS = 60


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


async def test_all_players_who_join_the_daily_at_the_same_moment_can_play_it(
    tmp_path: Path,
) -> None:
    async with (
        serving(tmp_path / "data", "--workers", "3") as server,
        AsyncExitStack() as stack,
    ):
        guests = [
            await stack.enter_async_context(client(server, f"Guest {i}")) for i in range(GUESTS)
        ]
        races = await asyncio.gather(*map(sit_down_and_play, guests))
        assert len(set(races)) == 1
        for guest in guests:
            await until(guest, partial(knows_that_all_play, guest, races[0]))
