"""A server is restored from a copy of its data: its players come back with what they know."""

import asyncio
import json
import shutil
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from benchmarks.servers import reserved_port
from tests.processes.playing import client, until
from tests.support.server_process import UNHURRIED, ServerProcess

from bigben_client import Client, RefusedError
from bigben_server.ops.admin import admin


async def run(server: ServerProcess, *words: str) -> int:
    return await asyncio.to_thread(admin, ["--json", "--data", str(server.data), *words])


async def playing(one: Client, race: str, moves: int) -> None:
    """Play so many moves more."""
    await until(one, lambda: race in one.views)
    for _ in range(moves):
        await one.move(race, one.views[race].legal[0])


def _dealt_again(one: Client, race: str) -> bool:
    return one.rooms[race].counter > 0


def _is_void(one: Client, race: str) -> bool:
    return bool(one.rooms[race].void)


async def test_players_who_know_more_than_a_restored_server_are_told_and_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "backup"
    async with AsyncExitStack() as stack:
        port = stack.enter_context(reserved_port())
        server = ServerProcess(tmp_path / "data", port=port, env=UNHURRIED)
        await server.start()
        stack.push_async_callback(server.stop)
        ada, bob, carl = [
            await stack.enter_async_context(client(server, name)) for name in ("Ada", "Bob", "Carl")
        ]

        before = (await ada.create()).race  # a whole race, which must stay as it is
        await bob.join(before)
        await asyncio.gather(ada.ready(before), bob.ready(before))
        await asyncio.gather(playing(ada, before, 2), playing(bob, before, 1))
        await asyncio.gather(ada.move(before, "resign"), bob.move(before, "resign"))
        day = (await ada.join("daily")).race
        await ada.ready(day)
        await playing(ada, day, 3)
        await bob.join(day)
        await bob.ready(day)
        await bob.move(day, "resign")
        room = (await ada.create()).race
        await carl.join(room)
        await asyncio.gather(ada.ready(room), carl.ready(room))
        await asyncio.gather(playing(ada, room, 3), playing(carl, room, 1))
        waiting = (await bob.create()).race
        await bob.profile()  # the boards are up to date
        await server.stop()
        shutil.copytree(server.data, backup)

        await server.start()
        await playing(ada, day, 10)
        await playing(ada, room, 10)
        cards, commitment = ada.views[day].piles, ada.rooms[day].commitment
        await server.kill()
        await run(server, "audit")  # the last user of the embedded Redis ends it
        shutil.rmtree(server.data)
        shutil.copytree(backup, server.data)

        capsys.readouterr()
        assert await run(server, "restored") == 0
        done = json.loads(capsys.readouterr().out)
        assert done["counter"] > 0
        assert len(done["void"]) == 3
        assert {room, waiting} < set(done["void"])
        assert await run(server, "check") == 0

        await server.start()
        assert await run(server, "restored") == 1  # a server is running
        for one in (ada, carl):
            await until(one, partial(_is_void, one, room))
        assert "restored from a backup" in ada.rooms[room].void
        assert ada.views[room].n == 4  # what the backup had, and the end
        assert ada.views[room].state == "timed out"
        await until(bob, partial(_is_void, bob, waiting))
        assert bob.rooms[waiting].phase == "cancelled"

        await until(ada, partial(_dealt_again, ada, day))
        assert day not in ada.views
        assert ada.rooms[day].commitment != commitment
        with pytest.raises(RefusedError):
            await ada.move(day, "deal")
        for one in (ada, bob):
            await one.join(day)
            await one.ready(day)
            await playing(one, day, 2)
        assert ada.views[day].piles != cards
        assert ada.views[day].piles == bob.views[day].piles
        await ada.move(day, "resign")
        await bob.move(day, "resign")

        board = await ada.leaderboard()
        assert [row.moves for row in board.rows] == [3, 3]
        tally = (await ada.profile()).tallies[0]
        assert (tally.played, tally.rated) == (2, 1)
        aside = next(race for race in done["void"] if race not in (room, waiting))
        assert {row.name for row in (await carl.watch(aside)).seats} == {"Ada", "Bob"}
        assert await run(server, "check") == 0
        await run(server, "rebuild-boards")
        assert (await ada.leaderboard()).rows == board.rows
        assert (await ada.profile()).tallies[0] == tally
