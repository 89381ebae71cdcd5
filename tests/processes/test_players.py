"""``bigben admin`` finds, renames and deletes players of two running servers, and may be killed."""

import asyncio
import os
import sys

import pytest
from tests.processes.playing import client, seat, until
from tests.processes.test_operators import Run, Servers, run, servers
from tests.terminal.command import bigben

from bigben_client import Client, ClientClosed, RefusedError, ask_receipt
from bigben_protocol import Reveal

__all__ = ["run", "servers"]


async def race_of(*racers: Client) -> str:
    """A live race that runs."""
    host, *others = racers
    race = (await host.create()).race
    for other in others:
        await other.join(race)
    await asyncio.gather(*(racer.ready(race) for racer in racers))
    for racer in racers:
        await until(racer, lambda racer=racer: race in racer.views)  # type: ignore[misc]
    return race


async def test_a_player_is_found_renamed_and_deleted_while_they_play(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, "Bob") as bob:
        race = await race_of(ada, bob)
        await ada.join("daily")
        await ada.move(race, ada.views[race].legal[0])
        ((found),) = (await run("find", "aDA"))["players"]
        assert (found["player"], found["name"], found["results"]) == (ada.player, "Ada", 0)
        assert race in found["open_races"]

        told = await run("rename", ada.player, "Zoë")
        assert race in told["races"]
        for one in (ada, bob):
            await until(one, lambda one=one: seat(one, race, ada).name == "Zoë")  # type: ignore[misc]

        await bob.move(race, bob.views[race].legal[0])
        gone = (await run("delete-player", ada.player))["deleted_as"]
        with pytest.raises(ClientClosed, match="This player was deleted"):
            await until(ada, lambda: False)
        await until(bob, lambda: bob.rooms[race].seats[0].player == gone)
        with pytest.raises(RefusedError, match="This player was deleted"):
            async with client(there, token=ada.token):
                pass
        await bob.move(race, "resign")
        await until(bob, lambda: bob.rooms[race].phase == "closed")
        assert [finding for finding in await bob.check(race) if finding.holds is False] == []
        receipt = await _receipt(here.url, race)
        assert ada.player not in receipt
        assert await asyncio.to_thread(_verified, receipt)
        assert not (await run("check"))["damaged"]
        await run("delete-player", ada.player, done=False)
        assert ada.player not in str(await run("audit"))


async def test_a_deletion_that_is_killed_is_completed_by_the_next(
    servers: Servers, run: Run
) -> None:
    here, there = servers
    async with client(here, "Ada") as ada, client(there, "Bob") as bob:
        race = await race_of(ada, bob)
        await ada.ready((await ada.join("daily")).race)
        argv = ["-m", "bigben_terminal", "admin", "--data", str(here.data), "delete-player"]
        for seconds in (0.5, 0.8, 1.1):
            killed = await asyncio.create_subprocess_exec(
                sys.executable,
                *argv,
                ada.player,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stderr=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
            )
            await asyncio.sleep(seconds)
            if killed.returncode is None:
                killed.kill()
            await killed.wait()
        # One of them may have done all of it before it was killed; then the player is not there.
        if (await run("find", ada.player, done=None))["done"]:
            gone = (await run("delete-player", ada.player))["deleted_as"]
            await until(bob, lambda: bob.rooms[race].seats[0].player == gone)
        await until(bob, lambda: bob.rooms[race].seats[0].player != ada.player)
        await bob.move(race, "resign")
        await until(bob, lambda: bob.rooms[race].phase == "closed")
        assert [finding for finding in await bob.check(race) if finding.holds is False] == []
        assert not (await run("check"))["damaged"]


async def _receipt(url: str, race: str) -> str:
    async with Client(url, name="Stranger") as stranger:
        room = await stranger.watch(race)
        async for event in stranger.events():
            if isinstance(event, Reveal):
                return await ask_receipt(stranger, room, event)
    raise AssertionError("events() ends by an exception")


def _verified(receipt: str) -> bool:
    return bigben("verify", "-", stdin=receipt.encode()).returncode == 0
