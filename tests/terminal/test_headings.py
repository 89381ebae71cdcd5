"""Boards and races have readable names."""

import doctest

import pytest

from bigben_terminal.display import headings
from bigben_terminal.display.headings import of_board


@pytest.mark.parametrize(
    ("board", "heading"),
    [
        (
            "daily.2026-11-21.bigben.standard@the-aces",
            "Daily race of 21 November 2026 · Big Ben, standard rules · group the-aces",
        ),
        ("daily.2026-01-02.sundial.open", "Daily race of 2 January 2026 · sundial, open rules"),
        (
            "monthly.2026-11.bigben.laps-always-foundations.points",
            "November 2026 · Big Ben, laps-always-foundations rules · by points",
        ),
    ],
)
def test_a_board_has_a_heading_for_people(board: str, heading: str) -> None:
    assert of_board(board) == heading


@pytest.mark.parametrize(
    "board", ["", "daily", "daily.2026-02-30.bigben.standard", "weekly.x.bigben.book.points", "K7"]
)
def test_a_name_in_another_form_stays_unchanged(board: str) -> None:
    assert of_board(board) == board


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(headings).failed == 0
