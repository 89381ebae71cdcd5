"""Periods and variants are in one table each; every front end has a name for each of them."""

from typing import get_args

import pytest

from bigben_chat.messages.leaderboards import BoardPage, leaderboard
from bigben_chat.texts import languages
from bigben_protocol import PERIODS, Leaderboard, Period, period_name, span_name
from bigben_protocol.texts import catalogues
from bigben_rules import GAMES
from bigben_rules.bigben import PRESETS, rules_name
from bigben_terminal.display.headings import of_board

VARIANTS = [preset for preset in PRESETS if rules_name(preset) == preset]
"""Without those that are another name for one of these."""


def test_every_period_has_its_spans() -> None:
    assert tuple(PERIODS) == get_args(Period)


@pytest.mark.parametrize("language", languages())
def test_the_bot_names_every_variant(language: str) -> None:
    for game in GAMES.values():
        for preset in game.description.presets:
            assert f"rules.{game.name}.{preset}" in catalogues()[language]["games"]


@pytest.mark.parametrize("language", languages())
def test_every_language_names_every_period_and_its_spans(language: str) -> None:
    """The page offers the periods that are named, in this order."""
    said = catalogues()[language]["periods"]
    named = [key.removeprefix("period.") for key in said if key.startswith("period.")]
    assert named == [*PERIODS]
    for period, spans in PERIODS.items():
        assert (f"span.{period}" in said) == bool(spans.example)


def test_a_span_of_a_newer_servers_period_is_said_in_any_language() -> None:
    assert span_name("century", "20", "de") == "20"


@pytest.mark.parametrize("language", languages())
def test_a_past_span_is_called_by_its_own_name_in_the_chat(language: str) -> None:
    for period, spans in PERIODS.items():
        if period != "daily" and spans.example:
            say = languages()[language]
            past = Leaderboard(f"{period}.{spans.example}.bigben.standard.points", 0)
            content = leaderboard(past, BoardPage(period, date=spans.example), say)
            assert period_name(period, language) not in f"{content}"
            assert span_name(period, spans.example, language) in f"{content}"


def test_what_front_ends_offer_of_big_ben_is_every_variant_with_a_name() -> None:
    assert list(GAMES["bigben"].description.presets) == VARIANTS


@pytest.mark.parametrize("period", PERIODS)
def test_the_terminal_has_a_heading_for_every_period(period: Period) -> None:
    order = () if period == "daily" else ("points",)
    name = ".".join(filter(None, (period, PERIODS[period].example, "bigben", "open", *order)))
    assert of_board(name) != name
    assert "Big Ben, open rules" in of_board(name)
