"""The points of weeks and the table of a season, over any results."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.server.seasons.played import (
    Played,
    Season,
    few,
    finishes,
    key,
    points,
    rows,
    scale,
    seasons,
    taken_out,
    weeks,
)

from bigben_protocol.seasons import PLACES, Scale
from bigben_server.seasons.table import NOTHING, results, scale_of

scales = st.sampled_from(("place", "share"))
Week = tuple[Played, ...]


@given(weeks, scales)
def test_the_points_of_a_week_are_handed_out_and_no_others(week: Week, by: Scale) -> None:
    found = results(finishes(week), {}, by)
    whole = 100 * sum(PLACES[: len(week)]) if by == "place" else 5_000 * len(week)
    if by == "share" and len(week) == 1:
        whole = 10_000
    # Each of the level ones is rounded by half a hundredth at most.
    assert abs(2 * sum(one.points for one in found) - 2 * whole) <= len(week)
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)


@given(weeks, scales)
def test_level_players_have_one_place_and_the_same_points(week: Week, by: Scale) -> None:
    keys = {one.id: key(one) for one in week}
    found = {one.player: one for one in results(finishes(week), {}, by)}
    assert {one: found[one].place for one in keys} == {
        one: 1 + sum(other < mine for other in keys.values()) for one, mine in keys.items()
    }
    for one, other in combinations(found.values(), 2):
        assert one.place != other.place or one.points == other.points


@given(weeks, few, scales)
def test_places_close_up_when_a_result_is_taken_out(
    week: Week, out: frozenset[int], by: Scale
) -> None:
    found = results(finishes(week), taken_out(out), by)
    assert {one.player for one in found} == {one.id for one in week}
    counting = [one for one in found if not one.out]
    never_played = [one for one in week if one.player not in out]
    assert counting == [*results(finishes(never_played), {}, by)]
    assert {(one.place, one.points) for one in found if one.out} <= {(0, 0)}


@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_of_results_and_members_changes_nothing(season: Season, random: Random) -> None:
    mixed = [[*week] for week in season.weeks]
    for week in mixed:
        random.shuffle(week)
    random.shuffle(mixed[0])
    assert rows(season._replace(weeks=tuple(tuple(week) for week in mixed))) == rows(season)


@given(seasons())
def test_no_other_choice_of_results_gives_a_higher_total(season: Season) -> None:
    for row in rows(season):
        played = [one for one in row.points if one != NOTHING]
        few = min(season.counted, len(played))
        assert row.total == max(map(sum, combinations(played, few)))
        kept = [n for n, one in enumerate(row.points, 1) if one != NOTHING and n not in row.struck]
        assert sum(row.points[n - 1] for n in kept) == row.total
        assert len(kept) == few
        # Of equal results the earlier ones count.
        for struck in row.struck:
            worth = row.points[struck - 1]
            assert all((row.points[n - 1], -n) > (worth, -struck) for n in kept)


@given(seasons())
def test_equal_totals_share_a_place_and_nothing_else_decides(season: Season) -> None:
    found = rows(season)
    placed = [row for row in found if row.place]
    for row in placed:
        assert row.place == 1 + sum(other.total > row.total for other in placed)
    assert [row.place for row in placed] == sorted(row.place for row in placed)
    assert all(set(row.points) == {NOTHING} for row in found[len(placed) :])


@given(seasons())
def test_a_row_moves_by_what_the_latest_week_has_changed(season: Season) -> None:
    counting = [any(one.place for one in week) for week in points(season)]
    latest = max((n for n, counts in enumerate(counting, start=1) if counts), default=0)
    without = season._replace(void=season.void | {latest}, scale=scale(season))
    places = {row.player: row.place for row in rows(without)}
    for row in rows(season):
        before = places[row.player]
        assert row.new == bool(row.place and not before)
        assert row.moved == (before - row.place if row.place and before else 0)


@given(st.integers(0, 30))
def test_a_plan_that_says_no_scale_has_the_one_of_its_first_week(players: int) -> None:
    assert scale_of("", players) == ("share" if players > 12 else "place")
    assert [scale_of(one, players) for one in ("place", "share")] == ["place", "share"]
