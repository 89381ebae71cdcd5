"""kill -9 between a finish and its board, at every step: after a restart it is there, once."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.server.boards.contents import made
from tests.server.boards.test_rebuilding import play_a_season
from tests.server.redis_processes import connected, no_redis_left_in
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S
from tests.support.server_process import UNHURRIED, serving
from tests.support.torture import long
from tests.wire.peer import Peer, peer

from bigben_protocol import (
    Create,
    Diff,
    GetLeaderboard,
    GetProfile,
    GetRecord,
    Join,
    Leaderboard,
    Move,
    Profile,
    RaceId,
    Ready,
    Record,
    Reveal,
    Room,
    Snapshot,
    Standings,
    Tally,
    Watch,
)
from bigben_server.ops.admin import admin
from bigben_server.ops.rebuild import rebuild
from bigben_server.storage.admin.checkpoint import Checkpoint
from bigben_server.storage.client import script
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.keys import NEW, Keys
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

NONCE = "5e" * 32
BROKEN = 1006
"""How a connection ends without a close."""


class Server(NamedTuple):
    url: str
    process: subprocess.Popen[str]


@contextmanager
def dying(folder: Path, words: str, when: str) -> Iterator[Server]:
    """A server that kills itself at that command or is killed there, as it must in the block."""
    command = [sys.executable, "-m", "tests.server.boards.dying", str(folder), words, when]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    ) as process:
        assert process.stdout
        try:
            said = process.stdout.readline()
            assert said.startswith("listening on ")
            yield Server(f"ws://127.0.0.1:{said.split()[-1]}", process)
            assert process.wait(PATIENCE_S) == -signal.SIGKILL
        finally:
            process.kill()


def forget_the_lease(folder: Path) -> None:
    """It would expire by itself, some seconds later."""
    with connected(f"unix://{folder}/redis.sock?db=0") as redis:
        redis.delete(Keys().lease)


async def tally_of(one: Peer, who: str) -> Tally:
    (tally,) = (await one.ask(GetProfile(player=who), Profile)).tallies
    return tally


def dies(folder: Path, words: str, when: str, *command: str | Path) -> None:
    """`bigben admin` is killed or interrupted at that command to Redis, as it must be."""
    typed = [sys.executable, "-m", "tests.server.boards.dying", folder, words, when, *command]
    path = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    ended = subprocess.run(typed, cwd=ROOT, env=path, capture_output=True, timeout=PATIENCE_S)
    signaled = signal.SIGINT if when == "interrupted" else signal.SIGKILL
    assert ended.returncode in (-signaled, 128 + signaled), ended.stderr


@pytest.mark.parametrize("when", ["halfway", long("interrupted")])
async def test_long_commands_that_end_in_the_middle_are_begun_again(
    folder: Path, tmp_path: Path, when: str
) -> None:
    file = tmp_path / "export.jsonl"
    async with EmbeddedRedis(folder) as url, client_of(url) as client:
        store = Store(client)
        await play_a_season(store)
        before = await made(store)

        dies(folder, f"EVAL {script('apply')}", when, "rebuild-boards")
        seen = {key: value for key, value in (await made(store)).items() if NEW not in key}
        assert seen == before, "players see no half-made board"
        await store.ask(("DEL", Keys().lease))  # which would expire
        assert await asyncio.to_thread(admin, ["--data", str(folder), "rebuild-boards"]) == 0
        assert await made(store) == before

        dies(folder, "PTTL", when, "export", file)
        assert not file.exists()
        assert await asyncio.to_thread(admin, ["--data", str(folder), "export", str(file)]) == 0
        assert "sha256" in file.read_text().splitlines()[-1]

        dies(folder, "HSET bb:checked", when, "check")
        checkpoint = Checkpoint(store)
        await checkpoint.resume()
        assert checkpoint.upto, "the next check goes on"
        assert await asyncio.to_thread(admin, ["--data", str(folder), "check"]) == 0


async def rebuilds_to_the_same(folder: Path) -> bool:
    async with client_of(f"unix://{folder}/redis.sock?db=0") as client:
        store = Store(client)
        before = await made(store)
        await rebuild(store)
        return before == await made(store) != {}


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Path]:
    with no_redis_left_in(tmp_path / "data") as folder:
        yield folder


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("HGETALL bb:player:", "before"),  # the finish is durable, and no result is
        long("HSETNX bb:{daily", "halfway"),
        ("HSETNX bb:{daily", "after"),  # there is a result, and it is on no board
        long("HSET bb:history:", "halfway"),
    ],
)
async def test_a_daily_result_outlives_its_process(folder: Path, words: str, when: str) -> None:
    with dying(folder, words, when) as server:
        async with peer(server.url) as ada:
            room = await ada.ask(Join("daily"), Room)
            await ada.ask(Ready(room.race), Snapshot)
            await ada.say(Move(room.race, 1, "resign"))
            assert (await ada.closed())[0] == BROKEN
    await check_on_the_board_once(folder, room.race)


@pytest.mark.parametrize(
    ("words", "when"),
    [
        (f"EVAL {script('close')}", "before"),  # all is recorded, and it is not closed
        long("ZREM bb:agenda", "before"),  # it is closed, and still on the agenda
        long(f"EVAL {script('apply')}", "before"),  # no rating has changed
        (f"EVAL {script('apply')}", "after"),  # no board shows them
        long(f"EVAL {script('advance')}", "before"),  # all but the status
    ],
)
async def test_a_closed_race_is_rated_once_even_if_a_process_dies(
    folder: Path, words: str, when: str
) -> None:
    with dying(folder, words, when) as server:
        async with peer(server.url) as ada, peer(server.url, name="Bob") as bob:
            race = await begin_live(ada, bob)
            for one in (ada, bob):
                await one.say(Move(race, 1, "resign"))
            assert (await ada.closed())[0] == BROKEN
    forget_the_lease(folder)
    await check_rated_once(folder)


HELD = ("HGETALL bb:player:", "held")
"""The first that the boards ask when a seat is over: whose groups the result counts for."""


async def test_an_acknowledged_result_outlives_a_server_killed_before_its_board(
    folder: Path,
) -> None:
    with dying(folder, *HELD) as server:
        async with peer(server.url) as ada:
            room = await ada.ask(Join("daily"), Room)
            await ada.ask(Ready(room.race), Snapshot)
            await ada.ask(Move(room.race, 1, "resign"), Diff)
        server.process.kill()
    await check_on_the_board_once(folder, room.race)


async def test_an_acknowledged_race_is_rated_after_a_server_killed_before_its_board(
    folder: Path,
) -> None:
    with dying(folder, *HELD) as server:
        async with peer(server.url) as ada, peer(server.url, name="Bob") as bob:
            race = await begin_live(ada, bob)
            for one in (ada, bob):
                await one.ask(Move(race, 1, "resign"), Diff)
            await ada.until(Reveal)
        server.process.kill()
    await check_rated_once(folder)


async def test_boards_that_hang_delay_no_finish_and_no_player(folder: Path) -> None:
    with dying(folder, *HELD) as server:
        async with peer(server.url) as ada, peer(server.url, name="Bob") as bob:
            race = (await ada.ask(Join("daily"), Room)).race
            await bob.ask(Join(race), Room)
            for one in (ada, bob):
                await one.ask(Ready(race), Snapshot)
            await ada.ask(Move(race, 1, "resign"), Diff)
            await bob.ask(Move(race, 1, "deal"), Diff)
            await bob.ask(Move(race, 2, "resign"), Diff)
            # A board waits for the results that were acknowledged before it was asked for.
            await ada.say(GetLeaderboard(date=race.split(".")[1]))
            server.process.send_signal(signal.SIGUSR1)
            board = await ada.until(Leaderboard)
            assert {row.name for row in board.rows} == {"Ada", "Bob"}
        server.process.kill()
    with serving(folder.parent, UNHURRIED):
        assert await rebuilds_to_the_same(folder)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_race_outlives_the_server_that_packs_it(folder: Path, when: str) -> None:
    with dying(folder, f"EVAL {script('pack')}", when) as server:
        async with peer(server.url) as ada, peer(server.url, name="Bob") as bob:
            race = await begin_live(ada, bob)
            for one in (ada, bob):
                await one.say(Move(race, 1, "resign"))
            told = await ada.until(Standings, lambda standings: standings.final)
            assert (await ada.closed())[0] == BROKEN
    with (
        serving(folder.parent, UNHURRIED) as server,
        connected(f"unix://{folder}/redis.sock?db=0") as redis,
    ):
        there = [redis.exists(key) for key in (Keys().room_log(race), Keys().packed(race))]
        assert there == [when == "before", when == "after"]
        async with peer(server.url, name="Carl") as carl:
            await carl.say(Watch(race))
            assert await carl.until(Standings) == told
            for row in told.rows:
                record = await carl.ask(GetRecord(race, row.player), Record)
                assert [move for _, move in record.moves] == ["resign"]


async def begin_live(*players: Peer) -> RaceId:
    """A live race in which all of these have seen the cards."""
    first, *others = players
    room = await first.ask(Create(), Room)
    for one in others:
        await one.ask(Join(room.race), Room)
    for one in players:
        await one.say(Ready(room.race, NONCE))
    for one in players:
        await one.until(Snapshot)
    return room.race


async def check_on_the_board_once(folder: Path, race: RaceId) -> None:
    """After a restart Ada, who resigned, is on the board of the day, and has played once."""
    with serving(folder.parent, UNHURRIED) as server:
        async with peer(server.url, name="Bob") as bob:
            # Midnight may have come.
            day = GetLeaderboard(date=race.split(".")[1])
            board = await bob.ask(day, Leaderboard)
            async with asyncio.timeout(PATIENCE_S):
                while not board.total:
                    board = await bob.ask(day, Leaderboard)
            (row,) = board.rows
            assert (row.name, row.state, row.place) == ("Ada", "resigned", 1)
            assert (await tally_of(bob, row.player)).played == 1
        assert await rebuilds_to_the_same(folder)


async def check_rated_once(folder: Path) -> None:
    """After a restart both players of a race are on the board by rating, and have played once."""
    with serving(folder.parent, UNHURRIED) as server:
        async with peer(server.url, name="Carl") as carl:
            ratings = GetLeaderboard(period="all-time", by="rating")
            board = await carl.ask(ratings, Leaderboard)
            async with asyncio.timeout(PATIENCE_S):
                while board.total < 2:
                    board = await carl.ask(ratings, Leaderboard)
            assert [row.place for row in board.ranked] == [1, 1]
            for row in board.ranked:
                tally = await tally_of(carl, row.player)
                assert (tally.played, tally.rated, tally.rating) == (1, 1, row.rating)
        assert await rebuilds_to_the_same(folder)
