"""When the weeks of a plan are, by clocks that are put forward and back."""

from datetime import UTC, date, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigben_protocol.seasons import Plan
from bigben_server.race.events import Refusal
from bigben_server.seasons.plan import DAYS, LONGEST_MS, Window, checked, windows

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",  # by half an hour
    "Africa/Casablanca",  # back for Ramadan
    "Asia/Kathmandu",
    "Antarctica/Troll",  # by two hours
    "America/Scoresbysund",
)
HOUR = 3_600_000


def moment(day: str, minutes: int) -> str:
    return f"{day} {minutes // 60:02}:{minutes % 60:02}"


moments = st.builds(moment, st.sampled_from(DAYS), st.integers(0, 24 * 60 - 1))
nights = st.builds(moment, st.just("sun"), st.integers(0, 4 * 60))
plans = st.builds(
    Plan,
    name=st.just("Sunday Club"),
    first_day=st.dates(date(2026, 1, 1), date(2040, 1, 1)).map(date.isoformat),
    weeks=st.integers(1, 26),
    zone=st.sampled_from(ZONES),
    opens=moments | nights,
    closes=moments | nights,
)


def local(at: int, zone: str) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))


def is_left_out(at: datetime) -> bool:
    """Whether the clock on the wall never shows this time."""
    return at.astimezone(UTC).astimezone(at.tzinfo).replace(tzinfo=None) != at.replace(tzinfo=None)


@given(plans)
def test_weeks_come_one_after_the_other(plan: Plan) -> None:
    found = windows(plan)
    assert len(found) == plan.weeks
    for week, following in pairwise(found):
        assert week.opens_at <= week.closes_at <= following.opens_at
    assert all(week.closes_at - week.opens_at <= LONGEST_MS for week in found)


@given(plans)
def test_each_week_opens_and_closes_when_the_clock_of_the_season_shows_it(plan: Plan) -> None:
    zone = ZoneInfo(plan.zone)
    for week in windows(plan):
        for at, planned in zip(week, (plan.opens, plan.closes), strict=True):
            day, _, clock = planned.partition(" ")
            shown = local(at, plan.zone)
            meant = datetime.fromisoformat(f"{shown:%Y-%m-%d}T{clock}").replace(tzinfo=zone)
            if not is_left_out(meant) and f"{shown:%H:%M}" != clock:
                # It closes with the next one's opening, where a time that is left out comes later.
                assert at == week.closes_at
                continue
            assert DAYS[shown.weekday()] == day or is_left_out(meant)


@given(plans)
def test_the_first_week_opens_within_seven_days_of_the_first_day(plan: Plan) -> None:
    first = local(windows(plan)[0].opens_at, plan.zone).date()
    assert 0 <= (first - date.fromisoformat(plan.first_day)).days < 7


@given(plans)
def test_a_plan_that_is_taken_has_weeks_of_an_hour_at_least(plan: Plan) -> None:
    first = windows(plan)[0].opens_at
    try:
        taken = checked(plan, first - 1)
    except Refusal:
        assert min(week.closes_at - week.opens_at for week in windows(plan)) < HOUR
    else:
        assert min(week.closes_at - week.opens_at for week in windows(taken)) >= HOUR


@pytest.mark.parametrize(
    ("zone", "day", "opens", "expected"),
    [
        ("Europe/Berlin", "2027-03-28", "sun 02:30", "2027-03-28T01:30"),  # left out: 03:30
        ("Europe/Berlin", "2026-10-25", "sun 02:30", "2026-10-25T00:30"),  # twice: the first
        ("America/New_York", "2027-03-14", "sun 02:15", "2027-03-14T07:15"),
        ("America/New_York", "2026-11-01", "sun 01:30", "2026-11-01T05:30"),
        ("Australia/Lord_Howe", "2026-10-04", "sun 02:15", "2026-10-03T15:45"),
        ("Australia/Lord_Howe", "2027-04-04", "sun 01:45", "2027-04-03T14:45"),
        ("Africa/Casablanca", "2027-02-07", "sun 02:30", "2027-02-07T01:30"),
        ("Africa/Casablanca", "2027-03-14", "sun 02:30", "2027-03-14T02:30"),
    ],
)
def test_a_time_that_is_left_out_comes_later_and_one_that_comes_twice_is_the_first(
    zone: str, day: str, opens: str, expected: str
) -> None:
    [week] = windows(Plan("Club", day, weeks=1, zone=zone, opens=opens, closes="mon 12:00"))
    assert f"{datetime.fromtimestamp(week.opens_at / 1000, UTC):%Y-%m-%dT%H:%M}" == expected


def test_a_week_closes_when_the_next_one_opens_though_its_time_is_left_out() -> None:
    plan = Plan("Club", "2027-03-21", 2, "Europe/Berlin", opens="sun 03:00", closes="sun 02:30")
    first, second = windows(plan)
    assert first == Window(first.opens_at, second.opens_at)


@pytest.mark.parametrize("day", ["", "2026-02-30", "soon", "9999-12-31", "2026-10-02T18:00"])
def test_a_day_that_there_is_not_is_refused(day: str) -> None:
    with pytest.raises(Refusal, match="is no day"):
        windows(Plan("Club", day))


@pytest.mark.parametrize("zone", ["", "Europe", "../etc/passwd", "Mars/Olympus", "a\0b"])
def test_a_zone_that_there_is_not_is_refused(zone: str) -> None:
    with pytest.raises(Refusal, match="no time zone"):
        windows(Plan("Club", "2026-10-02", zone=zone))
