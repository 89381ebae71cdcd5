"""The benchmark of the rules measures every game."""

import subprocess
import sys

from tests.support.paths import ROOT

from bigben_rules import GAMES


def test_there_are_positions_a_second_for_each_game() -> None:
    command = [sys.executable, "-m", "benchmarks.rules", "--deals", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    _, _, header, *rows = done.stdout.splitlines()
    assert header.split()[:4] == ["positions", "a", "second", "steps"]
    assert [row.split()[0] for row in rows] == list(GAMES)
    for row in rows:
        positions, a_second = (int(figure.replace(",", "")) for figure in row.split()[1:3])
        assert 0 < positions < a_second
