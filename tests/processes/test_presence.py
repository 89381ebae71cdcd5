"""Who is away, seen over real connections to two processes of one server."""

import time
from pathlib import Path

from tests.processes.playing import client, heard, serving, until

from bigben_client import Client
from bigben_protocol import Progress


async def until_away(one: Client, player: str, *, away: bool) -> None:
    while True:
        for seat in (await heard(one, Progress)).seats:
            if seat.player == player and seat.away == away:
                return


async def test_a_closed_connection_is_told_and_a_return_to_another_process_too(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    async with serving(data) as here, serving(data) as there, client(here, "Ada") as ada:
        async with client(there, "Bob") as bob:
            race = (await ada.create()).race
            await bob.join(race)
            await ada.ready(race)
            await bob.ready(race)
            await until(ada, lambda: race in ada.views)
            token, player = bob.token, bob.player
            closed = time.monotonic()
        await until_away(ada, player, away=True)
        assert time.monotonic() - closed > 3, "a reload shows nothing"
        async with client(here, token=token) as again:
            await again.join(race)
            await until_away(ada, player, away=False)
