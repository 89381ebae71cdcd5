"""A race has a home: players come to it by themselves, also in the middle of a lobby, unseen."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from tests.processes.playing import client, serving
from tests.support.operator import order
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess
from tests.wire.peer import Peer, peer

from bigben_client import Client, Event
from bigben_protocol import Elsewhere, Join, Ping, Pong, RaceId, Room
from bigben_server.homes import home_of

WORKERS = ("--workers", "2")


async def connections(server: ServerProcess) -> dict[int, int]:
    """How many connections each worker has."""
    told = await asyncio.to_thread(order, server.data, "status")
    return {one["worker"]: one["figures"]["connections"] for one in told["processes"]}


async def all_at(server: ServerProcess, race: str, players: int) -> None:
    """Wait until all players are at the home of this race, and nobody anywhere else."""
    home = home_of(RaceId(race), (1, 2))
    wanted = {home: players, 3 - home: 0}
    async with asyncio.timeout(PATIENCE_S):
        while await connections(server) != wanted:  # noqa: ASYNC110 # an operator can only ask again
            await asyncio.sleep(0.1)


async def test_players_of_a_lobby_and_of_a_rematch_come_to_its_home_and_nobody_sees_it(
    tmp_path: Path,
) -> None:
    seen: list[Event] = []
    async with (
        serving(tmp_path / "data", *WORKERS) as server,
        client(server, "Ada") as ada,
        client(server, "Bob") as bob,
    ):
        assert await connections(server) == {1: 1, 2: 1}
        race: str = (await ada.create(game="clock")).race
        async with asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(noted(ada, seen))
            await bob.join(race)
            await all_at(server, race, 2)
            before = race
            while home_of(RaceId(race), (1, 2)) == home_of(RaceId(before), (1, 2)):
                race = await rematch_after(race, ada, bob)
                await all_at(server, race, 2)
            watching.cancel()
    assert not any(seat.away for one in seen if isinstance(one, Room) for seat in one.seats)
    assert {type(one).__name__ for one in seen}.isdisjoint({"Lost", "Back"})


async def noted(one: Client, seen: list[Event]) -> None:
    async for event in one.events():
        seen.append(event)


async def rematch_after(race: str, *players: Client) -> str:
    """Race to the end, and come together in the room that follows."""
    for one in players:
        await one.ready(race)
    for one in players:
        while race not in one.views:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await one.move(race, "resign")
    rooms = [await one.rematch(race) for one in players]
    assert rooms[0].race == rooms[1].race
    return rooms[0].race


async def test_only_who_takes_it_and_has_not_named_the_race_is_told_that_it_is_elsewhere(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "data", *WORKERS) as server, client(server, "Ada") as ada:
        race = (await ada.create()).race
        async with AsyncExitStack() as stack:
            come = stack.enter_async_context
            older = [await come(peer(server.url)) for _ in range(2)]
            newer = [await come(peer(server.url, elsewhere=True)) for _ in range(2)]
            for_it = f"{server.url}/?race={race}"
            named = [await come(peer(for_it, elsewhere=True)) for _ in range(2)]
            told = [await is_told(one, race) for one in (*older, *newer, *named)]
    assert not any(told[:2] + told[4:])
    assert sorted(told[2:4]) == [False, True], "one of them came to its home by chance"


async def is_told(one: Peer, race: str) -> bool:
    """Whether this player hears that the race is elsewhere, after taking a seat there."""
    await one.ask(Join(race, ref=1), Room)
    await one.ask(Ping(1), Pong)
    return Elsewhere(RaceId(race)) in one.heard
