"""The model of larger setups computes what docs/scaling.md says, from what the bench measures."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import scaling
from benchmarks.scaling import FOLLOWERS, FULL, SECONDS_A_MOVE, Inputs, Setup, others
from tests.support.paths import ROOT

INPUTS = Inputs(
    move_us=50,
    redis_us=10,
    wire_bytes=800,
    home_us=10,
    home_redis_us=15,
    relay_us=20,
    row_us=5,
    update_us=2,
    connect_us=500,
    join_us=100,
    join_bytes=10_000,
    told_us=10,
    idle_us=5,
    idle_bytes=20_000,
    hello_bytes=15_000,
    kept_move_bytes=500,
    seat_stored=1_000,
    move_stored=100,
    result_stored=1_000,
    move_file=150,
)


def test_the_players_of_a_room_are_on_other_workers_more_often_with_more_workers() -> None:
    assert others(1) == 0
    assert others(2) == pytest.approx(1 - 1 / 8)  # unless all three rivals are here
    assert others(1_000) == pytest.approx(3, rel=0.01)


def test_one_process_carries_what_its_core_can_without_the_reserve() -> None:
    one = Setup("one process", 1)
    each = 50 / SECONDS_A_MOVE + 5
    assert one.players(INPUTS) == pytest.approx(FULL * 1e6 / each)
    assert one.full_first(INPUTS) == "workers"


def test_more_workers_carry_more_until_redis_is_full() -> None:
    enough = scaling.enough_workers(INPUTS, "one Redis")
    fewer, more = Setup("", enough.workers - 1), Setup("", enough.workers + 1)
    assert fewer.full_first(INPUTS) == "workers"
    assert fewer.players(INPUTS) < enough.players(INPUTS)
    assert more.players(INPUTS) <= enough.players(INPUTS)


def test_more_workers_carry_nearly_in_step_with_their_number() -> None:
    two, eight = (Setup("", workers, masters=3).players(INPUTS) for workers in (2, 8))
    assert two < eight < 4 * two
    assert eight == pytest.approx(4 * two, rel=0.05)  # a tenth of the races is on several


def test_masters_of_a_cluster_share_moves_and_updates() -> None:
    one, three = (Setup("", 900, masters) for masters in (1, 3))
    assert three.redis_us(INPUTS) == pytest.approx(one.redis_us(INPUTS) / 3)


def test_every_worker_takes_the_rows_of_all_others_in_one_daily() -> None:
    moves = FOLLOWERS / SECONDS_A_MOVE
    alone = (moves * 50 + FOLLOWERS * 5) / 1e6
    assert scaling.in_one_daily(INPUTS, 1) == pytest.approx(alone)
    assert scaling.in_one_daily(INPUTS, 1_000) == pytest.approx(moves * 5 / 1e6, rel=0.02)


def test_the_tables_name_what_is_not_bounded() -> None:
    assert any("no bound was measured" in line for line in scaling.walls(replace(INPUTS, row_us=0)))


@pytest.mark.timeout(300)
@pytest.mark.torture
def test_the_model_reads_what_the_benchmark_writes(tmp_path: Path) -> None:
    file, rest = tmp_path / "figures.json", tmp_path / "others.json"
    command = [
        *(sys.executable, "-m", "benchmarks", "workers", "growth", "--json", str(file)),
        *("--rounds", "1", "--seconds", "0.2", "--connections", "8", "--loads", "saturated,daily"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    idle = {"memory_KiB": 20.0, "us_per_second": 5.0}
    rows = {"json, in a race": idle, "json, after Hello": idle}
    rest.write_text(json.dumps({"idle": rows}))

    command = [sys.executable, "-m", "benchmarks.scaling", str(file), str(rest)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| memory of it, and of one after Hello | 20 KiB, 20 KiB |" in done.stdout
    assert "| one process, Redis on another core | 1 |" in done.stdout


def test_a_missing_scenario_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    file.write_text("{}")
    assert scaling.main([str(file)]) == 1
    assert "run python -m benchmarks growth" in capsys.readouterr().err
