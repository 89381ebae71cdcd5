"""The benchmark runs, and notices a lost move."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.driver.loads import Meter, saturated
from benchmarks.driver.log_check import Lost, check_logs
from benchmarks.driver.players import RacePlayer
from benchmarks.driver.seating import dealt, guests, in_live_rooms
from benchmarks.servers import UNLIMITED
from redis import Redis
from tests.support.paths import ROOT
from tests.support.server_process import ServerProcess, serving

from bigben_protocol import JSON
from bigben_server.storage.keys import Keys


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with serving(tmp_path, UNLIMITED) as running:
        yield running


@pytest.fixture
def played(server: ServerProcess) -> list[RacePlayer]:
    """Four players who have played a live race for a moment, which is too short for its end."""
    everyone = guests(server.url, 4, subprotocol=JSON)
    players = dealt(everyone, in_live_rooms(everyone, undo=True), undo=True)
    meter = Meter([server.pid], redis=None, driver=os.getpid())
    figures = saturated(players, meter, seconds=0.3)
    assert figures.moves > 0
    assert figures.server_us > 0
    assert figures.p50_ms <= figures.p99_ms
    for player in players:
        player.connection.close()
    return players


def test_every_acknowledged_move_is_compared_with_the_log(
    server: ServerProcess, played: list[RacePlayer]
) -> None:
    seats = [seat for player in played for seat in player.seats]
    assert check_logs(server.redis_url, seats) == sum(seat.n for seat in seats) > 0


def test_a_move_that_is_not_in_the_log_is_noticed(
    server: ServerProcess, played: list[RacePlayer]
) -> None:
    seat = played[0].seats[0]
    with Redis.from_url(server.redis_url) as redis:
        assert redis.xdel(Keys().seat_log(seat.race, seat.player), f"{seat.n}-0") == 1
    with pytest.raises(Lost, match=f"move {seat.n} "):
        check_logs(server.redis_url, [seat])


def test_another_move_in_the_log_is_noticed(
    server: ServerProcess, played: list[RacePlayer]
) -> None:
    seat = played[0].seats[0]
    seat.acknowledged[0] = "resign"
    with pytest.raises(Lost, match="move 1 'resign'"):
        check_logs(server.redis_url, [seat])


def test_the_benchmark_compares_servers(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = [
        *(sys.executable, "-m", "benchmarks", "saturated", "--json", str(file)),
        *("--peers", "echo,fan-out,naive,json,msgpack"),
        *("--rounds", "1", "--seconds", "0.2", "--connections", "8", "--games", "8"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(file.read_text())["saturated"]
    assert rows.keys() == {"echo", "fan-out", "naive", "json", "msgpack"}
    assert rows["fan-out"]["to_fan_out"] == 1
    for name, row in rows.items():
        assert row["server_us"] > 0, name
        assert (row["redis_us"] > 0) is (name not in ("echo", "fan-out")), name
        assert name in done.stdout
