"""What a player has done: streaks, records, ratings, and how two stand against each other."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.boards.made import (
    Season,
    at,
    daily,
    daily_id,
    finish,
    live,
    player,
    result,
    stuck,
    won,
)
from tests.support.times import DAY, NOON

from bigben_protocol import (
    GetProfile,
    HeadToHead,
    PlayerId,
    Profile,
    RaceId,
    State,
    Streak,
    Tally,
    Week,
)
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import Refusal
from bigben_server.race.ranking import Key
from bigben_server.scoring.profiles import read_entry, write_entry
from bigben_server.scoring.results import RaceSummary, Result
from bigben_server.storage.keys import Keys
from bigben_server.storage.race_log import Store

ADA, BOB = player("ada"), player("bob")


def desk_of(store: Store, now: int = NOON) -> Queries:
    return Queries(store, clock=lambda: now)


async def tallies(store: Store, who: PlayerId = ADA, now: int = NOON) -> dict[str, Tally]:
    profile = await desk_of(store, now).profile(who, GetProfile())
    return {tally.rules: tally for tally in profile.tallies}


async def test_a_streak_is_of_daily_races_and_a_missed_day_breaks_it(store: Store) -> None:
    season = Season(store)
    for day in ("2026-11-14", "2026-11-15", "2026-11-16", "2026-11-18", "2026-11-19"):
        await season.day(day, {"ada": won(61_000) if day != "2026-11-18" else stuck(60, 5)})
    await season.day("2026-11-20", {"ada": won(61_000)})
    # A live race on the day that was missed mends nothing.
    await season.room("K7QPXM", {"ada": won(1)}, day="2026-11-17")
    tally = (await tallies(store))["standard"]
    assert tally.days_played == Streak(3, 3)
    assert tally.days_won == Streak(2, 3)
    tally = (await tallies(store, now=NOON + DAY))["standard"]
    assert tally.days_played == Streak(0, 3)


async def test_a_race_played_across_midnight_counts_for_its_own_day(store: Store) -> None:
    late = won(3_600_000)
    assert late.at != 0
    after_midnight = Result(
        *(late.state, late.moves, late.home, late.ms, late.home_ms, NOON + DAY // 2 + 60_000)
    )
    season = Season(store)
    await season.boards.record([finish("ada", after_midnight, daily_id(), daily())])
    streaks = [(await tallies(store, now=NOON + days * DAY))["standard"] for days in (0, 1, 2)]
    assert [tally.days_played.now for tally in streaks] == [1, 1, 0]


async def test_records_are_of_wins_without_undo(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-18", {"ada": won(61_000, moves=150)})
    await season.day("2026-11-19", {"ada": won(70_000, moves=140)})
    await season.day("2026-11-20", {"ada": stuck(60, 5)})
    with_undo = finish("ada", won(1, moves=1), RaceId("K7QPXM"), live(undo=True))
    await season.boards.record([with_undo])
    tally = (await tallies(store))["standard"]
    assert (tally.played, tally.won) == (4, 3)
    assert (tally.best_ms, tally.best_race) == (61_000, daily_id("2026-11-18"))
    assert (tally.fewest_moves, tally.fewest_race) == (140, daily_id("2026-11-19"))


async def test_each_rules_have_a_tally_of_their_own(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-20", {"ada": won(61_000), "bob": won(62_000)})
    await season.day("2026-11-20", {"ada": stuck(60, 5)}, rules="book")
    found = await tallies(store)
    assert sorted(found) == ["book", "standard"]
    assert (found["book"].played, found["book"].won, found["book"].rated) == (1, 0, 0)
    assert (found["standard"].won, found["standard"].rated) == (1, 1)
    assert found["standard"].provisional


async def test_two_stand_against_each_other_in_all_races_that_both_played(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-17", {"ada": won(1), "bob": won(2)})
    await season.day("2026-11-18", {"ada": won(1), "carl": won(2)})
    await season.day("2026-11-19", {"ada": stuck(60, 5), "bob": stuck(61, 6)})
    await season.day("2026-11-20", {"ada": stuck(60, 5), "bob": stuck(60, 5)}, rules="book")
    await season.room("K7QPXM", {"bob": stuck(60, 5), "ada": won(9)})
    mine = await desk_of(store).profile(ADA, GetProfile(against=BOB))
    theirs = await desk_of(store).profile(BOB, GetProfile(against=ADA))
    assert mine.against == HeadToHead(BOB, "Bob", ahead=2, behind=1, level=1)
    assert theirs.against == HeadToHead(ADA, "Ada", ahead=1, behind=2, level=1)


async def test_a_new_player_has_an_empty_profile_and_a_stranger_has_none(store: Store) -> None:
    mine = await desk_of(store).profile(ADA, GetProfile(), own_name="Ada")
    assert mine == Profile(ADA, "Ada")
    nobody, unprintable = "guest:nobody", "guest:\x06nobody"
    for wanted in (
        GetProfile(player=nobody),
        GetProfile(against=nobody),
        GetProfile(player=unprintable),
    ):
        with pytest.raises(Refusal, match="No player guest:nobody has a result"):
            await desk_of(store).profile(ADA, wanted)


states: Any = st.sampled_from(["won", "blocked", "resigned", "timed out"])
summary = st.builds(
    lambda kind, rules, undo: RaceSummary(kind, "bigben", rules, "2026-11-21", undo),
    st.sampled_from(["daily", "live"]),
    st.sampled_from(["standard", "fans-no_gaps-foundations"]),
    st.booleans(),
)


@given(summary, states, st.integers(0, 10_000), st.integers(0, 104), st.integers(0, 2**39))
def test_a_history_has_what_a_profile_needs(
    summary: RaceSummary, state: State, moves: int, missing: int, home_ms: int
) -> None:
    how = result(Key(missing, home_ms), moves=moves)
    how = Result(state, how.moves, how.home, how.ms + 7, how.home_ms, 0)
    race = daily_id(rules=summary.rules) if summary.kind == "daily" else RaceId("K7QPXM")
    past = read_entry(race, write_entry(finish("ada", how, race, summary)))
    assert (past.race, past.game, past.rules) == (race, summary.game, summary.rules)
    assert (past.state, past.moves, past.ms) == (state, moves, home_ms + 7)
    assert past.key == Key(missing, home_ms)
    assert past.undo == (summary.undo and summary.kind == "live")
    assert past.played_on == (date(2026, 11, 21) if summary.kind == "daily" else date(1970, 1, 1))
    assert past.day == (date(2026, 11, 21) if summary.kind == "daily" else None)


async def weeks(store: Store, who: PlayerId = ADA) -> tuple[Week, ...]:
    return (await desk_of(store).profile(who, GetProfile())).weeks


async def test_weeks_have_all_results_whatever_the_race(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-15", {"ada": won(61_000)})  # the Sunday of week 46
    await season.day("2026-11-16", {"ada": stuck(60, 5)}, rules="book")
    await season.room("K7QPXM", {"ada": at("2026-11-22", stuck(41, 5))}, day="2026-11-09")
    await season.room("K7QPXN", {"ada": at("2027-01-03", won(7))}, day="2027-01-03")
    assert await weeks(store) == (
        Week("2026-W46", 1, 1, 104),
        Week("2026-W47", 2, 0, 101),
        Week("2026-W53", 1, 1, 104),
    )
    assert await weeks(store, BOB) == ()


async def test_a_result_that_is_recorded_again_counts_once_for_its_week(store: Store) -> None:
    season = Season(store)
    for _ in range(2):
        await season.day("2026-11-16", {"ada": stuck(60, 5)})
        await season.room("K7QPXM", {"ada": at("2026-11-22", won(5))})
    once = (Week("2026-W47", 2, 1, 164),)
    assert await weeks(store) == once
    await rebuild(store)
    assert await weeks(store) == once


async def test_a_profile_has_the_latest_53_weeks(store: Store) -> None:
    season, first = Season(store), date(2025, 6, 2)
    for week in range(60):
        await season.day((first + timedelta(weeks=week)).isoformat(), {"ada": stuck(20 + week, 5)})
    found = await weeks(store)
    assert [week.home for week in found] == [*range(27, 80)]
    assert found == tuple(sorted(found, key=lambda week: week.week))


async def test_a_game_of_a_newer_version_counts_in_no_week(store: Store) -> None:
    await Season(store).day("2026-11-16", {"ada": stuck(60, 5)})
    newer = "100 61000 0 61000 sundial standard 0 2026-11-16 won"
    await store.ask(("HSET", Keys().history(ADA), "K7QPXM", newer))
    profile = await desk_of(store).profile(ADA, GetProfile())
    assert [tally.game for tally in profile.tallies] == ["bigben", "sundial"]
    assert profile.weeks == (Week("2026-W47", 1, 0, 60),)


async def test_a_result_that_version_0_1_0_recorded_has_no_week_but_all_else(store: Store) -> None:
    old = "100 61000 0 61000 bigben book 1 timed out"
    past = read_entry(RaceId("K7QPXM"), old)
    assert (past.rules, past.undo, past.state) == ("book", True, "timed out")
    assert past.played_on is None
    await store.ask(("HSET", Keys().history(ADA), "K7QPXM", old))
    profile = await desk_of(store).profile(ADA, GetProfile())
    assert (profile.tallies[0].played, profile.weeks) == (1, ())
    await Season(store).room("K7QPXM", {"ada": at("2026-11-16", stuck(60, 5))})
    assert (await weeks(store))[0].played == 1, "a rebuild finds the day in the result"
