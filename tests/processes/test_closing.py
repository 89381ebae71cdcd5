"""The operator ends races while two servers run: players and spectators on both hear of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from tests.processes.playing import client, heard, seat, serving, until
from tests.support.server_process import ServerProcess

from bigben_client import Client
from bigben_protocol import Reveal, Standings
from bigben_server.ops.admin import admin

Servers = tuple[ServerProcess, ServerProcess]


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[Servers]:
    async with serving(tmp_path / "data") as one, serving(tmp_path / "data") as other:
        yield one, other


async def run(servers: Servers, *words: str) -> int:
    return await asyncio.to_thread(admin, ["--data", str(servers[0].data), *words])


def _is(one: Client, race: str, phase: str) -> bool:
    return race in one.rooms and one.rooms[race].phase == phase


def _has_cards(one: Client, race: str) -> bool:
    return race in one.views


def _is_void(one: Client, race: str) -> bool:
    return bool(one.rooms[race].void)


async def test_a_live_race_that_is_closed_ends_for_all_and_counts(servers: Servers) -> None:
    async with AsyncExitStack() as stack:
        ada = await stack.enter_async_context(client(servers[0], "Ada"))
        bob = await stack.enter_async_context(client(servers[1], "Bob"))
        race = (await ada.create(limit_ms=600_000)).race
        await bob.join(race)
        await asyncio.gather(ada.ready(race), bob.ready(race))
        for one in (ada, bob):
            await until(one, partial(_has_cards, one, race))
        await ada.move(race, ada.views[race].legal[0])
        await bob.move(race, "resign")

        assert await run(servers, "close", race.lower()) == 0
        for one in (ada, bob):
            assert (await heard(one, Standings)).final
            assert (await heard(one, Reveal)).race == race
        assert (seat(bob, race, ada).state, seat(ada, race, bob).state) == ("timed out", "resigned")
        assert ada.views[race].state == "timed out"
        assert await run(servers, "close", race) == 1
        assert (await ada.profile()).tallies[0].rated == 1


async def test_a_room_that_has_not_started_is_cancelled(servers: Servers) -> None:
    async with client(servers[0], "Ada") as ada:
        race = (await ada.create()).race
        assert await run(servers, "void", race, "why not") == 1
        assert await run(servers, "close", race) == 0
        await until(ada, partial(_is, ada, race, "cancelled"))


async def test_a_void_daily_is_closed_and_says_why(servers: Servers) -> None:
    async with AsyncExitStack() as stack:
        ada = await stack.enter_async_context(client(servers[0], "Ada"))
        eve = await stack.enter_async_context(client(servers[1], "Eve"))
        race = (await ada.join("daily")).race
        await ada.ready(race)
        await ada.move(race, ada.views[race].legal[0])
        await eve.watch(race)
        assert await run(servers, "close", "daily") == 1  # others may still want to play it

        assert await run(servers, "void", "daily", "a card was there twice") == 0
        for one in (ada, eve):
            await until(one, partial(_is_void, one, race))
            assert one.rooms[race].void == "a card was there twice"
            assert one.rooms[race].phase == "closed"
        assert (await ada.leaderboard()).total == 0
        assert (await ada.profile()).tallies == ()
        assert (await ada.record(race)).order
        assert await run(servers, "check") == 0
