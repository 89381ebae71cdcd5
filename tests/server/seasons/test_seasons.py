"""The weeks of a season, what organisers may change, and its points."""

from datetime import UTC, datetime

import pytest

from bigben_protocol import PlayerId
from bigben_protocol.seasons import ChangeWeek, EndSeason, Plan, Replan, VoidWeek
from bigben_server.race.events import Refusal
from bigben_server.seasons.plan import checked, windows
from bigben_server.seasons.season import ENDED, OPENING_MS, Logged, Made, Season
from bigben_server.seasons.table import worth

ANN, BOB = PlayerId("guest:ann"), PlayerId("guest:bob")


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOW = at("2026-10-01")
PLAN = checked(Plan("Sunday Club", "2026-10-14", weeks=3, zone="Europe/Berlin"), NOW)


def made() -> Season:
    return Season("K7QPXM2A", [Made("aces", PLAN, ANN, "Ann", NOW, "ab" * 32, (*windows(PLAN),))])


def test_weeks_open_at_the_same_local_time_when_the_clocks_change() -> None:
    opening = [datetime.fromtimestamp(one.opens_at / 1000, UTC) for one in windows(PLAN)]
    assert [f"{one:%d %H:%M}" for one in opening] == ["16 16:00", "23 16:00", "30 17:00"]
    second = windows(PLAN)[1]
    assert second.closes_at == at("2026-10-26T17:00")


def test_a_week_moves_between_its_neighbours_before_it_opens() -> None:
    season, (_, week, _) = made(), made().weeks
    later = ChangeWeek(2, closes_at=week.closes_at + 3_600_000)
    changed = season.decide(later, ANN, NOW)
    season.fold(Logged(changed, ANN, "Ann", NOW))
    assert season.weeks[1].closes_at == later.closes_at
    for by, when in ((BOB, NOW), (ANN, week.opens_at)):
        with pytest.raises(Refusal):
            season.decide(later, by, when)
    with pytest.raises(Refusal, match="before the one before"):
        season.decide(ChangeWeek(3, opens_at=week.closes_at - 1), ANN, NOW)


def test_another_deal_of_a_void_week_has_another_race_and_seed() -> None:
    season, opens = made(), at("2026-10-20")
    (week, *_) = season.weeks
    race, bound = season.race_id(week), season.commitment(week)
    void = VoidWeek(1, "The server was away.", opens, opens + 86_400_000)
    season.fold(Logged(season.decide(void, ANN, week.closes_at), ANN, "Ann", week.closes_at))
    assert (race, season.race_id(week)) == ("week.K7QPXM2A.1", "week.K7QPXM2A.1.2")
    assert season.commitment(week) != bound
    assert season.opened(week).closes_at == void.closes_at


def test_a_season_that_is_ended_opens_no_more_weeks() -> None:
    season = made()
    now = season.weeks[0].opens_at + 1
    season.fold(Logged(season.decide(EndSeason(), ANN, now), ANN, "Ann", now))
    assert [week.number for week in season.weeks] == [1]
    assert season.phase(now) == "running"
    assert season.phase(season.weeks[0].closes_at) == "over"


def test_a_season_has_begun_though_its_first_week_is_played_again_at_the_end() -> None:
    season = made()
    first, second, last = season.weeks
    again = VoidWeek(1, "The server was away.", last.closes_at, last.closes_at + 86_400_000)
    now = first.closes_at
    season.fold(Logged(season.decide(again, ANN, now), ANN, "Ann", now))
    assert season.phase(now) == "running"
    with pytest.raises(Refusal, match="first week has opened"):
        season.decide(Replan(PLAN), ANN, now)
    later = ChangeWeek(2, opens_at=second.opens_at + 1)
    assert season.decide(later, ANN, now) == ChangeWeek(
        2, second.opens_at + 1, second.closes_at, "bigben", "standard", None, PLAN.limit_ms
    )
    season.fold(Logged(EndSeason(), ANN, "Ann", last.closes_at - 1))
    assert [(week.number, week.void) for week in season.weeks] == [(1, ENDED), (2, ""), (3, "")]


def test_a_deal_that_another_server_may_have_opened_is_planned_no_more() -> None:
    season = made()
    first = season.weeks[0]
    now = first.opens_at - OPENING_MS
    again = VoidWeek(1, "Snow.", first.opens_at + 86_400_000, first.closes_at + 86_400_000)
    season.fold(Logged(season.decide(again, ANN, now), ANN, "Ann", now))
    with pytest.raises(Refusal, match="first week has opened"):
        season.decide(Replan(PLAN), ANN, now)


def test_level_players_share_the_mean_of_their_places() -> None:
    assert [worth(0, 1, 1, "place"), worth(2, 0, 0, "place")] == [1_100, 800]
    assert [worth(1, 2, 6, "place"), worth(9, 0, 0, "place")] == [800, 0]
    assert [worth(0, 0, 0, "share"), worth(0, 1, 2, "share"), worth(3, 0, 0, "share")] == [
        10_000,
        8_333,
        0,
    ]
