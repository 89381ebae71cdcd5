"""A process may die after it wrote a move and before it published it; the others find out."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.processes.playing import client, heard, serving, until
from tests.server.guests import peer_of
from tests.support.server_process import ServerProcess
from tests.wire.peer import peer

from bigben_protocol import (
    Create,
    Diff,
    Hello,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Resume,
    Room,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_server.config import Settings
from bigben_server.race.state import Race
from bigben_server.storage.opening import opened
from bigben_server.storage.race_log import Store


@asynccontextmanager
async def store_of(server: ServerProcess) -> AsyncIterator[Store]:
    async with opened(Settings(redis_url=server.redis_url)) as store:
        yield store


async def play_silently(store: Store, race: RaceId, player: PlayerId, move: str) -> None:
    """Write a move to the log that is never published, like a process that died."""
    read = Race(race, await store.events(race))
    for whose, mark in (await store.statuses(race, list(read.seats))).items():
        read.take_status(whose, mark)
    read.remember(player, await store.entries(race, player))
    append = read.play(read.seats[player], move, time.time_ns() // 1_000_000)
    async with peer_of(store, race):
        assert not await store.append([append], {})


async def test_a_player_of_a_process_that_died_loses_no_moves(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as server,
        store_of(server) as store,
        peer(server.url) as ada,
        peer(server.url, name="") as moved,
    ):
        welcome = ada.heard[-1]
        assert isinstance(welcome, Welcome)
        race = (await ada.ask(Create(practice=True), Room)).race
        await ada.ask(Ready(race), Snapshot)
        await ada.ask(Move(race, 1, "turn"), Diff)

        await play_silently(store, race, welcome.player, "turn")
        await moved.ask(Hello(token=welcome.token), Welcome)
        await moved.ask(Resume(race, since=2, ref=5), Room)
        assert await moved.ask(Move(race, 3, "turn"), Diff) == await ada.until(Diff, _is_third)
        assert not any(isinstance(message, Snapshot) for message in moved.heard)

        await play_silently(store, race, welcome.player, "turn")
        assert (await moved.ask(Move(race, 5, "turn"), Diff)).n == 4
        assert (await moved.until(Diff)).n == 5


def _is_third(diff: Diff) -> bool:
    return diff.n == 3


async def test_subscribers_learn_of_moves_that_were_never_broadcast(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as server,
        store_of(server) as store,
        client(server, "Ada") as ada,
        client(server, "Eve") as eve,
    ):
        race = (await ada.create()).race
        await eve.watch(race)
        await ada.ready(race)
        await ada.start(race)
        await until(ada, lambda: race in ada.views)

        await play_silently(store, RaceId(race), ada.player, "resign")
        for one in (eve, ada):
            final = await heard(one, Standings)
            assert [(row.player, row.state) for row in final.rows] == [(ada.player, "resigned")]
        assert ada.views[race].state == "resigned"
