"""Days in a row: a missed day breaks them, and today may still be played."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigben_protocol import Streak
from bigben_server.scoring.profiles import streak

TODAY = date(2026, 11, 21)
days = st.dates(TODAY - timedelta(days=12), TODAY)


def back(*days: int) -> list[date]:
    """The days that were so many days ago."""
    return [TODAY - timedelta(days=day) for day in days]


@pytest.mark.parametrize(
    ("played", "said"),
    [
        ([], Streak(0, 0)),
        (back(0), Streak(1, 1)),
        (back(1), Streak(1, 1)),
        (back(2), Streak(0, 1)),
        (back(0, 1, 2), Streak(3, 3)),
        (back(1, 2, 3), Streak(3, 3)),
        (back(0, 2, 3, 4), Streak(1, 3)),
        (back(3, 2, 0, 0, 2), Streak(1, 2)),
        ([date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)], Streak(0, 3)),
    ],
)
def test_days_in_a_row(played: list[date], said: Streak) -> None:
    assert streak(played, TODAY) == said


@given(st.sets(days))
def test_a_streak_is_what_a_calendar_shows(played: set[date]) -> None:
    def run_up_to(day: date) -> int:
        return 1 + run_up_to(day - timedelta(days=1)) if day in played else 0

    said = streak(played, TODAY)
    assert said.now == (run_up_to(TODAY) or run_up_to(TODAY - timedelta(days=1)))
    assert said.longest == max(map(run_up_to, played), default=0)
