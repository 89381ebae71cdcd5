"""kill -9 between a finish and its board, at every step: after a restart it is there, once."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.server.boards.contents import made
from tests.server.redis_processes import connected, no_redis_left_in
from tests.support.patience import PATIENCE_S
from tests.wire.peer import Peer, peer
from tests.wire.server_process import UNHURRIED, serving

from bigben_protocol import (
    Create,
    GetLeaderboard,
    GetProfile,
    Join,
    Leaderboard,
    Move,
    Profile,
    Ready,
    Room,
    Snapshot,
    Tally,
)
from bigben_server.ops.rebuild import rebuild
from bigben_server.storage.keys import LEASE
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

ROOT = Path(__file__).parents[3]
NONCE = "5e" * 32
BROKEN = 1006
"""How a connection ends without a close."""


@contextmanager
def dying(folder: Path, words: str, when: str) -> Iterator[str]:
    """The address of a server that kills itself at that command, as it must in the block."""
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
            yield f"ws://127.0.0.1:{said.split()[-1]}"
            assert process.wait(PATIENCE_S) == -signal.SIGKILL
        finally:
            process.kill()


def forget_the_lease(folder: Path) -> None:
    """It would expire by itself, some seconds later."""
    with connected(f"unix://{folder}/redis.sock?db=0") as redis:
        redis.delete(LEASE)


async def tally_of(one: Peer, who: str) -> Tally:
    (tally,) = (await one.ask(GetProfile(player=who), Profile)).tallies
    return tally


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
        ("HSETNX bb:{daily", "halfway"),
        ("HSETNX bb:{daily", "after"),  # there is a result, and it is on no board
        ("HSET bb:history:", "halfway"),
    ],
)
async def test_a_daily_result_outlives_its_process(folder: Path, words: str, when: str) -> None:
    with dying(folder, words, when) as url:
        async with peer(url) as ada:
            room = await ada.ask(Join("daily"), Room)
            await ada.ask(Ready(room.race), Snapshot)
            await ada.say(Move(room.race, 1, "resign"))
            assert (await ada.closed())[0] == BROKEN
    with serving(folder.parent, UNHURRIED) as server:
        async with peer(server.url, name="Bob") as bob:
            # Midnight may have come.
            day = GetLeaderboard(date=room.race.split(".")[1])
            board = await bob.ask(day, Leaderboard)
            async with asyncio.timeout(PATIENCE_S):
                while not board.total:
                    board = await bob.ask(day, Leaderboard)
            (row,) = board.rows
            assert (row.name, row.state, row.place) == ("Ada", "resigned", 1)
            assert (await tally_of(bob, row.player)).played == 1
        assert await rebuilds_to_the_same(folder)


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("EVAL \nif not redis.call('ZSCORE'", "before"),  # all is recorded, and it is not closed
        ("ZREM bb:agenda", "before"),  # it is closed, and still on the agenda
        ("EVAL \nif tonumber(redis.call('GET', KEYS[2])", "before"),  # no rating has changed
        ("EVAL \nif tonumber(redis.call('GET', KEYS[2])", "after"),  # no board shows them
        ("EVAL \nif tonumber(redis.call('GET', KEYS[1])", "before"),  # all but the status
    ],
)
async def test_a_closed_race_is_rated_once_whoever_dies(
    folder: Path, words: str, when: str
) -> None:
    with dying(folder, words, when) as url:
        async with peer(url) as ada, peer(url, name="Bob") as bob:
            room = await ada.ask(Create(), Room)
            await bob.ask(Join(room.race), Room)
            for one in (ada, bob):
                await one.say(Ready(room.race, NONCE))
            for one in (ada, bob):
                await one.until(Snapshot)
                await one.say(Move(room.race, 1, "resign"))
            assert (await ada.closed())[0] == BROKEN
    forget_the_lease(folder)
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
