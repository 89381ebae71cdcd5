"""The house players as a real process: they play where they were invited, whatever is killed."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.processes.playing import client, heard, serving, until
from tests.support.patience import PATIENCE_S

from bigben_client import Client, RefusedError
from bigben_house import cli, identity
from bigben_protocol import (
    HOUSE_PLAYERS,
    STRENGTHS,
    Standing,
    Standings,
    house_player,
)

KEY = "a key of the house, of more than thirty-two bytes"
AT_ONCE = {"BIGBEN_HOUSE_PACE": "0"}
KEYS = {"BIGBEN_ISSUER_BOT_KEY": KEY}
AGAIN_S = 0.1
"""How long to wait until a house player that comes is asked for again."""


@asynccontextmanager
async def house_at(url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A house of its own, as operators run it elsewhere. It is ended on leaving."""
    house = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_house", "--server", url),
        env={**os.environ, **KEYS, **AT_ONCE},
    )
    try:
        yield house
    finally:
        if house.returncode is None:
            house.terminate()
        await house.wait()


async def invite(host: Client, race: str, *strengths: str) -> None:
    """Add house players, once the server knows that they are there."""
    async with asyncio.timeout(PATIENCE_S):
        for strength in strengths:
            while True:
                with suppress(RefusedError):
                    await host.add_house(race, strength)
                    break
                await asyncio.sleep(AGAIN_S)


async def rated(one: Client, player: str) -> None:
    """Wait until this player is rated, as all are at once when a race is settled."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if (await one.profile(player)).tallies[0].rated:
                return
            await asyncio.sleep(AGAIN_S)


def house_of(host: Client, race: str) -> list[Standing]:
    return [seat for seat in host.rooms[race].seats if seat.player in HOUSE_PLAYERS]


async def resign(host: Client, race: str) -> None:
    """Give up once the race runs: the host has nothing to say in these tests."""
    await until(host, lambda: race in host.views)
    await host.move(race, "resign")


async def test_all_five_beside_a_server_race_to_their_results_and_again(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", "--house", env=AT_ONCE) as server,
        client(server, "Ada") as ada,
    ):
        assert ada.house
        race = (await ada.create(game="clock", rules="standard")).race
        await invite(ada, race, *STRENGTHS)
        for _ in range(2):
            await ada.ready(race)
            await resign(ada, race)
            rows = (await heard(ada, Standings)).rows
            assert {row.player for row in rows if row.bot} == HOUSE_PLAYERS
            assert {row.state for row in rows if row.bot} <= {"won", "blocked"}
            await until(ada, lambda race=race: ada.rooms[race].phase == "closed")  # type: ignore[misc] # bound now
            race = (await ada.rematch(race)).race
            assert {seat.player for seat in house_of(ada, race)} == HOUSE_PLAYERS


async def test_a_house_that_is_killed_in_a_race_plays_on_when_it_is_back(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", env=KEYS) as server,
        serving(tmp_path / "data", env=KEYS) as other,
        client(server, "Ada") as ada,
    ):
        race = (await ada.create()).race
        async with house_at(other.url) as house:  # at another process than the host
            await invite(ada, race, "beginner", "casual")
            await ada.ready(race)
            await until(ada, lambda: any(seat.moves for seat in house_of(ada, race)))
            house.send_signal(signal.SIGKILL)
            await house.wait()
        async with house_at(server.url):
            await resign(ada, race)
            rows = (await heard(ada, Standings)).rows
        results = {row.player: row for row in rows}
        for strength in ("beginner", "casual"):
            assert results[house_player(strength)].moves > 0
            assert results[house_player(strength)].state != "timed out"
        await rated(ada, house_player("casual"))
        assert (await ada.profile()).tallies[0].rated == 0, "she has beaten no human"


async def test_where_no_house_runs_a_host_learns_what_to_do(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server, client(server, "Ada") as ada:
        assert not ada.house
        race = (await ada.create()).race
        with pytest.raises(RefusedError, match="start the server with --house"):
            await ada.add_house(race, "steady")
        assert not house_of(ada, race)


async def test_a_house_player_that_comes_late_finds_the_seat_that_waits_for_it(
    tmp_path: Path,
) -> None:
    """The house beside the server can't start; to the host it is only slow."""
    env = {**KEYS, "BIGBEN_HOUSE_PACE": "no number"}
    async with (
        serving(tmp_path / "data", "--house", env=env) as server,
        client(server, "Ada") as ada,
    ):
        race = (await ada.create()).race
        await ada.add_house(race, "beginner")
        assert [(seat.name, seat.state) for seat in house_of(ada, race)] == [
            ("Pip (house)", "joined")
        ]
        async with house_at(server.url):
            await until(ada, lambda: house_of(ada, race)[0].state == "ready")


class GivesUp:
    """Thinks of nothing to play."""

    async def plan(self, *_: object) -> tuple[str, ...]:
        return ()


async def test_rooms_that_nobody_starts_or_ends_keep_no_house_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may open rooms for a day, and a house player has room for few."""
    monkeypatch.setattr(identity, "RACES", 1)
    monkeypatch.setattr(identity, "CONNECTIONS", 1)
    thinkers: Any = GivesUp()
    async with (
        serving(tmp_path / "data", env=KEYS) as server,
        client(server, "Ada") as ada,
        asyncio.TaskGroup() as tasks,
    ):
        token = partial(cli.token_of, KEY, "beginner")
        pip = identity.Identity(server.url, "beginner", token, thinkers, 0.0, ask_s=AGAIN_S)
        playing = tasks.create_task(pip.run())

        def is_ready(race: str) -> bool:
            return [seat.state for seat in house_of(ada, race)] == ["ready"]

        idle = (await ada.create()).race
        await invite(ada, idle, "beginner")
        await until(ada, lambda: is_ready(idle))
        race = (await ada.create(game="clock", rules="standard")).race
        await invite(ada, race, "beginner")
        await until(ada, lambda: is_ready(race) and not house_of(ada, idle))
        await ada.ready(race)
        await until(ada, lambda: house_of(ada, race)[0].state == "resigned")
        assert ada.rooms[race].phase == "running"
        await invite(ada, idle, "beginner")
        await until(ada, lambda: is_ready(idle))
        playing.cancel()
