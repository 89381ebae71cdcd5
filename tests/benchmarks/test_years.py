"""A store is filled with years of games that hold together, and all costs are measured in it."""

import sys

import pytest
from benchmarks.years.__main__ import main


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_some_days_are_filled_in_and_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "20", "--players", "4"])
    rows = dict(
        line.strip("| ").split(" | ", 1) for line in capsys.readouterr().out.splitlines()[2:]
    )
    assert rows["games, moves each, keys"].startswith("36, ")
    assert "bytes a game" in rows["packed races"]
    assert rows.keys() >= {"a server starts", "`backup`", "`check`", "`export`", "`rebuild-boards`"}
