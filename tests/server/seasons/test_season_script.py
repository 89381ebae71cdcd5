"""The script in docs, which recomputes a table from receipts alone, says what the server says."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.seasons.played import DAY, Season, player, receipt, rows, seasons
from tests.support.paths import ROOT
from tests.support.torture import examples

from bigben_protocol.seasons import SeasonRow
from bigben_server.seasons.table import NOTHING

SCRIPT = ROOT / "docs" / "season_table.py"


def test_the_script_has_fifty_lines_at_most_and_knows_nothing_of_ours() -> None:
    text = SCRIPT.read_text("utf-8")
    assert len(text.splitlines()) <= 50
    assert "bigben" not in text


@examples(12)
@given(seasons(), st.randoms(use_true_random=False))
def test_the_script_finds_the_table_in_the_receipts(
    tmp_path_factory: pytest.TempPathFactory, season: Season, random: Random
) -> None:
    folder = tmp_path_factory.mktemp("receipts")
    files = [*write_receipts(season, folder)]
    random.shuffle(files)
    options = [f"--weeks={len(season.weeks)}", f"--counted={season.counted}"]
    options += [f"--scale={season.scale}"] if season.scale else []
    options += [f"--void={n}" for n in season.void]
    taken = [(n, one) for n, out in enumerate(season.out, start=1) for one in out]
    options += [f"--out={n}={player(one)}" for n, one in taken]
    command = [sys.executable, str(SCRIPT), *options, *map(str, files)]
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    expected = {row.player: in_words(row) for row in rows(season) if row.place}
    found = {line.split("\t")[-2]: line.split("\t") for line in said.splitlines()}
    assert found == expected


def write_receipts(season: Season, folder: Path) -> Iterator[Path]:
    """Each week's, and for every other one that of a deal that another has replaced."""
    for n, week in enumerate(season.weeks, start=1):
        deals = [week] if n % 2 else [week[::2], week]
        for deal, results in enumerate(deals, start=1):
            race = f"week.K7QPXM2A.{n}" + (f".{deal}" if deal > 1 else "")
            if week and (text := receipt(results, race, (10 * n + deal) * DAY)):
                (folder / f"{race}.json").write_text(text, "utf-8")
                yield folder / f"{race}.json"


def in_words(row: SeasonRow) -> list[str]:
    points = [
        "-" if one == NOTHING else f"{one / 100:.2f}" + "*" * (n in row.struck)
        for n, one in enumerate(row.points, start=1)
    ]
    moved = "new" if row.new else f"{row.moved:+}"
    return [str(row.place), moved, f"{row.total / 100:.2f}", *points, row.player, row.name]
