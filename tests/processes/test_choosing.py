"""A server that is killed while it chooses a deal, and started again, starts the race with it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
from benchmarks.servers import reserved_port
from tests.processes.playing import client, until
from tests.support.server_process import UNHURRIED, ServerProcess
from tests.support.torture import often

from bigben_client import Client
from bigben_protocol import RaceId
from bigben_server.race.events import Dealt, RoomEvent, Searched
from bigben_server.race.state import Race
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store
from bigben_server.thinking.deals import as_chosen
from bigben_solver.choosing import choose

GRADE: Final = often("hard", "fiendish")
"""Few deals have it, so most searches rule out several first."""


def _is_dealt(events: Sequence[RoomEvent]) -> bool:
    return any(isinstance(event, Dealt) for event in events)


async def _killed_while_choosing(server: ServerProcess, ada: Client) -> RaceId:
    """Kill the server while a race of Ada's waits for its deal; the race."""
    while True:
        race = RaceId((await ada.create(grade=GRADE)).race)
        await ada.ready(race)
        await ada.start(race)
        if not _is_dealt(await _killed(server, ada, race)):
            return race
        await server.start()


async def _killed(server: ServerProcess, ada: Client, race: RaceId) -> Sequence[RoomEvent]:
    """Kill the server when it chooses the deal of this race; what the store has of the race."""
    await until(ada, lambda: ada.rooms[race].choosing or ada.rooms[race].certified)
    await server.kill()
    return await _stored(server, race)


async def _stored(server: ServerProcess, race: RaceId) -> Sequence[RoomEvent]:
    async with client_of(server.redis_url) as redis:
        return await Store(redis).events(race)


@pytest.mark.longer
async def test_a_server_that_is_killed_while_it_chooses_a_deal_starts_certified(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as stack:
        port = stack.enter_context(reserved_port())
        server = ServerProcess(tmp_path / "data", port=port, env=UNHURRIED)
        await server.start()
        stack.push_async_callback(server.stop)
        ada = await stack.enter_async_context(client(server, "Ada"))
        race = await _killed_while_choosing(server, ada)
        for _ in range(often(0, 8)):
            await server.start()
            await ada.join(race)  # she is back
            await _killed(server, ada, race)
        await server.start()

        await until(ada, lambda: race in ada.views)
        assert (ada.rooms[race].certified, ada.rooms[race].grade) == (True, GRADE)
        events = await _stored(server, race)
        read = Race(race, events)
        ruled_out = [event.deals for event in events if isinstance(event, Searched)]
        assert ruled_out == sorted(ruled_out), "no deal is looked at again"
        game, rules = read.game.name, read.opened.rules.rules
        undisturbed = await asyncio.to_thread(choose, read.mixed_seed, game, rules, grade=GRADE)
        assert undisturbed
        assert read.chosen == as_chosen(undisturbed)
