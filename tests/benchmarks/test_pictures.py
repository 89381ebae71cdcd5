"""The benchmark of the bots' pictures measures every game, and finds small files."""

import subprocess
import sys

from tests.support.paths import ROOT

from bigben_rules import GAMES


def test_there_is_a_size_and_a_time_for_each_game() -> None:
    command = [sys.executable, "-m", "benchmarks.pictures", "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    header, *rows = done.stdout.splitlines()
    assert header.split() == ["kB", "first", "ms", "ms", "of", "the", "file"]
    drawn = {row.split(",")[0].split()[0] for row in rows}
    assert drawn == {*GAMES, "race", "card"}
    for row in rows:
        size, *times = (float(figure) for figure in row.split()[-4:])
        assert size <= 160
        assert all(time > 0 for time in times)
