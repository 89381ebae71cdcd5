"""Periods and variants are in one table each; every front end has a name for each of them."""

import re
from pathlib import Path
from typing import get_args

import pytest
from tests.support.paths import ROOT

from bigben_chat.texts import languages
from bigben_discord.commands.group import RULES
from bigben_protocol import PERIODS, Period
from bigben_rules.bigben import PRESETS, rules_name
from bigben_terminal.display.headings import of_board

PAGE = ROOT / "web/bigben_web/files"
VARIANTS = [preset for preset in PRESETS if rules_name(preset) == preset]
"""Without those that are another name for one of these."""


def test_every_period_has_its_spans() -> None:
    assert tuple(PERIODS) == get_args(Period)


@pytest.mark.parametrize("language", languages())
def test_the_bot_names_every_period_and_variant(language: str) -> None:
    say = languages()[language]
    assert sorted(say.table("scope")) == sorted(PERIODS)
    assert sorted(say.table("rules")) == sorted(VARIANTS)


def test_the_bot_offers_every_variant() -> None:
    assert [choice.value for choice in RULES] == VARIANTS


@pytest.mark.parametrize(
    ("file", "constant", "choices"),
    [
        ("page/leaderboards.js", "PERIODS", list(PERIODS)),
        ("screens/titles.js", "PRESETS", VARIANTS),
    ],
)
def test_the_page_offers_every_period_and_variant(
    file: str, constant: str, choices: list[str]
) -> None:
    found = re.search(rf"export const {constant} = \[(.*)\];", (PAGE / file).read_text())
    assert found
    assert re.findall(r'"(.+?)"', found[1]) == choices


@pytest.mark.parametrize("texts", sorted((PAGE / "texts").glob("??.js")), ids=str)
def test_the_page_names_every_period_and_variant(texts: Path) -> None:
    keys = re.findall(r'^  "(.+?)":', texts.read_text(), re.MULTILINE)
    assert {f"boards.{period}" for period in PERIODS} <= {*keys}
    assert {f"rules.{variant}" for variant in VARIANTS} <= {*keys}


@pytest.mark.parametrize("period", PERIODS)
def test_the_terminal_has_a_heading_for_every_period(period: Period) -> None:
    order = () if period == "daily" else ("points",)
    name = ".".join(filter(None, (period, PERIODS[period].example, "bigben", "open", *order)))
    assert of_board(name) != name
    assert "Big Ben, open rules" in of_board(name)
