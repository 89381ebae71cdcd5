"""A server that is stopped finishes its work, closes all connections and accepts none."""

import asyncio
import os
import random
import re
import signal
from pathlib import Path

import pytest
from benchmarks.chaos import redis_pid
from benchmarks.chaos_players import Tally, all_move, playing
from benchmarks.servers import RACE_SERVER
from tests.processes.playing import serving
from tests.support.patience import PATIENCE_S
from tests.wire.peer import peer, race_to_the_end
from tests.wire.raw import CLOSE, line, upgraded
from websockets.exceptions import InvalidHandshake

from bigben_protocol import Create, Diff, Move, Ping, Pong, Ready, Room, Snapshot, retry_in

RESTART = 1012


async def test_a_restart_costs_players_a_reconnect_and_no_move(tmp_path: Path) -> None:
    tally = Tally()
    async with (
        serving(tmp_path / "data") as server,
        playing([server.url], 8, random.Random(1), tally) as players,
    ):
        for _ in range(3):
            async with peer(server.url, name="Eve") as eve:
                stopped, (code, reason) = await asyncio.gather(server.stop(), eve.closed())
            text, _ = retry_in(reason)
            assert (code, text) == (RESTART, "The server restarts; come back in a moment")
            assert text != reason, "it says when to come back"
            logged, said = stopped.splitlines()
            assert re.fullmatch(r"\d{4}-\d\d-\d\d [\d:,]+ INFO stopped after \d+ .*", logged)
            assert said == "Stopped; every race stays where it is."
            assert server.exit_code == 0
            await server.start()
            await all_move(players)
    assert tally.faults == []
    assert tally.acknowledged > 3 * 8


async def test_a_restart_does_not_wait_for_silent_connections(tmp_path: Path) -> None:
    """A connection has ten seconds for its request, but Docker would kill the server by then."""
    async with serving(tmp_path / "data") as server, serving(tmp_path / "other") as other:
        port, other_port = (int(one.url.rpartition(":")[2]) for one in (server, other))
        async with line(port) as silent, line(port) as slow, line(other_port) as later:
            await slow.write(b"GET / HT")
            await race_to_the_end(server.url)  # by then it knows of both
            dropped = asyncio.create_task(later.rest())
            await server.stop()
            assert not dropped.done(), "a server that stays drops such connections no later"
            assert (await silent.rest(), await slow.rest()) == (b"", b"")
            dropped.cancel()


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_server_whose_terminal_is_closed_stops_its_redis_too(
    tmp_path: Path, workers: str
) -> None:
    usual = ("env", "--default-signal=HUP", *RACE_SERVER)  # even if nohup runs the tests
    async with serving(tmp_path / "data", "--workers", workers, command=usual) as server:
        assert redis_pid(server.data) is not None
        stopped = await server.stop(signal.SIGHUP)
        assert stopped.splitlines()[-1] == "Stopped; every race stays where it is."
        assert server.exit_code == 0
        assert redis_pid(server.data) is None


async def test_nohup_lets_a_server_go_on_without_its_terminal(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", command=("nohup", *RACE_SERVER)) as server:
        os.kill(server.pid, signal.SIGHUP)
        async with peer(server.url, name="Eve") as eve:
            await eve.ask(Ping(1), Pong)


async def test_a_server_that_stops_accepts_no_connections(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as server,
        upgraded(int(server.url.rpartition(":")[2])) as who_does_not_answer,
    ):
        stopping = asyncio.create_task(server.stop())
        async with asyncio.timeout(PATIENCE_S):
            head = await who_does_not_answer.reader.readexactly(4)
        assert head[0] == 0x80 | CLOSE
        assert int.from_bytes(head[2:], "big") == RESTART
        with pytest.raises(ConnectionRefusedError):
            async with peer(server.url, name=""):
                pass
        assert not stopping.done()
        await stopping
        assert server.exit_code == 0


async def test_requests_under_way_are_answered_before_the_close(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server, peer(server.url) as ada:
        race = (await ada.ask(Create(practice=True), Room)).race
        await ada.ask(Ready(race), Snapshot)
        redis = redis_pid(server.data)
        assert redis is not None
        os.kill(redis, signal.SIGSTOP)
        try:
            await ada.say(Move(race, 1, "turn"))
            await ada.ask(Ping(1), Pong)
            stopping = asyncio.create_task(server.stop())
            await until_refused(server.url)
        finally:
            os.kill(redis, signal.SIGCONT)
        assert (await ada.until(Diff)).n == 1
        assert (await ada.closed())[0] == RESTART
        await stopping


async def until_refused(url: str) -> None:
    """Wait until the server has handled its signal."""
    while True:
        try:
            async with peer(url, name=""):
                pass
        except (OSError, InvalidHandshake):  # even one that was cut off in the middle
            return
