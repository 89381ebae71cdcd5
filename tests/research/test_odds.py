"""How often the games are won, and that docs/rules.md says so."""

import re
import subprocess
import sys

import pytest
from research.odds import WAYS, Share, Way, measured
from tests.support.paths import ROOT

from bigben_protocol.texts import text

RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
IDS = [f"{way.game} {way.rules} {way.wins.__name__}" for way in WAYS]


def test_one_deal_in_thirteen_is_won_and_more_in_watch() -> None:
    exact = {(way.game, way.wins.__name__): way.exact for way in WAYS}
    for game in ("clock", "travellers", "hideandseek"):
        assert exact[game, "at_random"] == 1 / 13
    assert exact["watch", "at_random"] == pytest.approx(0.28350, abs=1e-5)
    assert exact["watch", "deepest"] == pytest.approx(0.37382, abs=1e-5)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_the_share_that_is_told_lies_in_the_interval_of_some_hundred_deals(way: Way) -> None:
    won, deals = told(way)
    low, high = measured(way, 100 if way.exact is None else 500).interval
    assert low < (way.exact or won / deals) <= high


def test_the_interval_is_that_of_wilson() -> None:
    assert Share(10, 100).interval == pytest.approx((0.0552, 0.1744), abs=1e-4)
    assert Share(0, 10).interval == pytest.approx((0, 0.2775), abs=1e-4)


def test_the_command_prints_a_row_for_each_game() -> None:
    command = [sys.executable, "-m", "research.odds", "--deals", "20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    rows = done.stdout.splitlines()[1:]
    assert [row.split()[:4] for row in rows] == [
        [way.game, way.rules, way.wins.__name__, "20"] for way in WAYS
    ]
    assert done.stderr == "", "the bar is for terminals"


ROW = re.compile(
    r"^\| ([^|,]+)[^|]* \| [^|]*\| ([\d,]+) of ([\d,]+) \| ([\d.]+) … ([\d.]+) % \| (.*?) ?\|$",
    re.MULTILINE,
)
SECTION = RULES[RULES.index("## How often is it won?") :]
ROWS = ROW.findall(SECTION)


def told(way: Way) -> tuple[int, int]:
    """How many of how many deals the page says are won."""
    _, won, deals, *_ = ROWS[WAYS.index(way)]
    return int(won.replace(",", "")), int(deals.replace(",", ""))


def test_the_rules_page_has_the_figures_and_the_command() -> None:
    assert "`python -m research.odds`" in SECTION
    assert [row[0] for row in ROWS] == [text(f"game.{way.game}") for way in WAYS]
    for (_, _, _, *shown, exact), way in zip(ROWS, WAYS, strict=True):
        low, high = Share(*told(way)).interval
        assert shown == [f"{low:.2%}"[:-1], f"{high:.2%}"[:-1]]
        assert told(way)[1] == way.deals
        if way.exact:
            assert exact == (f"{way.exact:.2%}"[:-1] + " %").replace(".00", "")
            assert low < way.exact <= high
        else:
            assert exact == ""
