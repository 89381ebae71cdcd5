"""Clocks that are set: back, forward, or differently on the next process."""

from collections.abc import Callable

import pytest
from tests.server.stage import (
    ADA,
    BOB,
    SECOND,
    Stage,
    any_move,
    daily,
    live,
    only,
    only_refusal,
    practice,
    racing,
)
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import Diff, Room, Snapshot
from bigben_server.race.choosing import COUNTDOWN_MS


def begun(stage: Stage) -> Stage:
    stage.ready(ADA)
    return stage


@pytest.mark.parametrize(
    "begin",
    [lambda: begun(daily(ADA)), lambda: begun(practice()), lambda: racing(ADA)],
    ids=["daily", "practice", "live"],
)
def test_a_seats_clock_stands_still_while_the_servers_is_behind(
    begin: Callable[[], Stage],
) -> None:
    stage = begin()
    begun_at = stage.race.seats[ADA.id].status.begun_at
    times = [5 * SECOND, -HOUR, 4 * SECOND, 5 * SECOND, 6 * SECOND]
    clock = []
    for time in times:
        stage.now = begun_at + time
        clock.append(only(stage.move(ADA, any_move(stage.told[ADA.id])), Diff).ms)
    assert clock == [5 * SECOND, 5 * SECOND, 5 * SECOND, 5 * SECOND, 6 * SECOND]


def test_a_clock_that_went_back_before_the_first_move_shows_no_time_at_all() -> None:
    stage = daily(ADA)
    first = only(stage.ready(ADA), Snapshot)
    stage.wait(-5 * SECOND)
    assert only(stage.move(ADA, any_move([first])), Diff).ms == 0


def test_a_race_that_was_moved_in_has_started_whatever_the_clock_says() -> None:
    stage = racing(ADA, BOB)
    stage.wait(SECOND).move(ADA, any_move(stage.heard(ADA, Snapshot)))
    stage.wait(-2 * SECOND)
    assert stage.race.phase(stage.now) == "running"
    assert only(stage.move(BOB, any_move(stage.heard(BOB, Snapshot))), Diff).ms == 0


def test_a_race_without_moves_counts_down_again() -> None:
    stage = racing(ADA)
    stage.wait(-SECOND)
    assert stage.heard(ADA, Room)[-1].phase == "countdown"
    move = any_move(stage.heard(ADA, Snapshot))
    assert only_refusal(stage.move(ADA, move)) == (
        "phase",
        "The countdown is running; the cards come in a moment.",
    )
    stage.wait(SECOND)
    only(stage.move(ADA, move), Diff)


def test_a_seat_is_timed_out_at_the_limit_however_late_the_server_wakes() -> None:
    stage = racing(ADA, limit_ms=HOUR)
    stage.at(NOON + 10 * DAY)
    assert stage.standing(ADA).ms == HOUR
    assert stage.race.phase(stage.now) == "closed"


def test_a_closed_race_stays_closed_when_the_clock_goes_back() -> None:
    stage = racing(ADA, limit_ms=HOUR)
    stage.wait(HOUR).at(NOON)
    assert stage.race.phase(stage.now) == "closed"


def test_a_room_opened_in_the_future_of_this_clock_is_open() -> None:
    stage = live(ADA, BOB)
    stage.wait(-DAY)
    stage.ready(ADA, BOB)
    assert stage.race.starts_at == NOON - DAY + COUNTDOWN_MS
    assert stage.wait(COUNTDOWN_MS).race.phase(stage.now) == "running"
