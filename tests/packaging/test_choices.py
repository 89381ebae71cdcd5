"""Periods and variants are in one table each; every front end has a name for each of them."""

import re
from typing import get_args

import pytest
from tests.support.paths import ROOT

from bigben_chat.texts import languages
from bigben_protocol import PERIODS, Period
from bigben_protocol.texts import catalogues
from bigben_rules import GAMES
from bigben_rules.bigben import PRESETS, rules_name
from bigben_terminal.display.headings import of_board

PAGE = ROOT / "web/bigben_web/files"
VARIANTS = [preset for preset in PRESETS if rules_name(preset) == preset]
"""Without those that are another name for one of these."""


def test_every_period_has_its_spans() -> None:
    assert tuple(PERIODS) == get_args(Period)


@pytest.mark.parametrize("language", languages())
def test_the_bot_names_every_period_and_variant(language: str) -> None:
    assert sorted(languages()[language].table("scope")) == sorted(PERIODS)
    for game in GAMES.values():
        for preset in game.description.presets:
            assert f"rules.{game.name}.{preset}" in catalogues()[language]["games"]


def test_the_page_offers_every_period() -> None:
    found = re.search(
        r"const PERIODS = \[(.*)\];", (PAGE / "leaderboards/board_table.js").read_text()
    )
    assert found
    assert re.findall(r'"(.+?)"', found[1]) == [*PERIODS]


@pytest.mark.parametrize("language", languages())
def test_the_page_names_every_period(language: str) -> None:
    """It takes the variants and their names from what the server says of a game."""
    assert {f"boards.{period}" for period in PERIODS} <= {*catalogues()[language]["page"]}


def test_what_front_ends_offer_of_big_ben_is_every_variant_with_a_name() -> None:
    assert list(GAMES["bigben"].description.presets) == VARIANTS


@pytest.mark.parametrize("period", PERIODS)
def test_the_terminal_has_a_heading_for_every_period(period: Period) -> None:
    order = () if period == "daily" else ("points",)
    name = ".".join(filter(None, (period, PERIODS[period].example, "bigben", "open", *order)))
    assert of_board(name) != name
    assert "Big Ben, open rules" in of_board(name)
