"""A season's weeks as a calendar that other programs read."""

from datetime import UTC, datetime

from icalendar import Calendar, Event
from msgspec.structs import replace

from bigben_protocol import Changed, Plan, Season, SeasonWeek
from bigben_protocol.seasons import AddMember, Change, ChangeWeek, EndSeason, VoidWeek
from bigben_server.seasons.plan import windows
from bigben_server.transport.calendar import season_calendar

MADE = 1_790_000_000_000
PLAN = Plan("Sunday, Club; ünï", "2026-10-16", weeks=3, zone="Europe/Berlin")
WEEKS = tuple(SeasonWeek(n, *at, "to come") for n, at in enumerate(windows(PLAN), start=1))
SEASON = Season("K7QPXM2A", "aces", "The Aces", PLAN, "to come", WEEKS, made_at=MADE)


def changed(season: Season, *changes: Change) -> Season:
    made = tuple(Changed(MADE + n, "Ann", one) for n, one in enumerate(changes, start=1))
    return replace(season, changes=made)


def events(season: Season, page: str = "", language: str = "en") -> dict[str, Event]:
    calendar = Calendar.from_ical(season_calendar(season, page, language))
    assert not calendar.errors
    return {event.uid: event for event in calendar.events}


def test_each_week_is_an_event_at_its_time_also_where_the_clocks_change() -> None:
    found = events(SEASON, "https://play.example")
    assert [*found] == [f"K7QPXM2A.{n}@bigben" for n in (1, 2, 3)]
    second = found["K7QPXM2A.2@bigben"]
    assert second.start == datetime(2026, 10, 23, 16, tzinfo=UTC)
    assert second.end == datetime(2026, 10, 26, 17, tzinfo=UTC)
    assert second["summary"] == "Sunday, Club; ünï: week 2 of 3"
    assert second["url"] == "https://play.example/#season=K7QPXM2A"
    assert {str(event["status"]) for event in found.values()} == {"CONFIRMED"}


def test_an_alarm_comes_three_hours_before_the_close_and_halfway_through_a_short_week() -> None:
    short = replace(WEEKS[0], closes_at=WEEKS[0].opens_at + 3_600_000)
    found = events(replace(SEASON, weeks=(short, *WEEKS[1:])))
    first, second, _ = (event.walk("VALARM")[0].to_ical().decode() for event in found.values())
    assert "TRIGGER;RELATED=END:-PT30M" in first
    assert "TRIGGER;RELATED=END:-PT3H" in second


def test_a_week_that_moves_keeps_its_id_and_its_sequence_grows() -> None:
    later = replace(WEEKS[1], opens_at=WEEKS[1].opens_at + 3_600_000)
    moved = replace(SEASON, weeks=(WEEKS[0], later, WEEKS[2]))
    moved = changed(moved, AddMember("guest:ann"), ChangeWeek(2, opens_at=later.opens_at))
    before, after = events(SEASON), events(moved)
    assert before.keys() == after.keys()
    assert [event["sequence"] for event in after.values()] == [0, 1, 0]
    assert after["K7QPXM2A.2@bigben"].start == datetime(2026, 10, 23, 17, tzinfo=UTC)
    assert {event.DTSTAMP for event in after.values()} == {datetime.fromtimestamp(MADE / 1000, UTC)}


def test_void_weeks_and_those_after_an_early_end_are_cancelled_without_an_alarm() -> None:
    void = replace(WEEKS[0], phase="void", void="Too easy.")
    ended = replace(SEASON, weeks=(void, WEEKS[1]), ended_at=MADE + 2)
    found = events(changed(ended, VoidWeek(1, "Too easy."), EndSeason()), language="de")
    first, second, third = found.values()
    assert [str(event["status"]) for event in found.values()] == [
        "CANCELLED",
        "CONFIRMED",
        "CANCELLED",
    ]
    assert first["summary"] == "Sunday, Club; ünï: Woche 1 ist ungültig. Too easy."
    assert not [*first.walk("VALARM"), *third.walk("VALARM")]
    assert [event["sequence"] for event in (first, second, third)] == [2, 1, 1]


def test_the_same_season_is_the_same_file() -> None:
    assert season_calendar(SEASON) == season_calendar(SEASON)
