"""What must hold of a season, whatever its organisers and members change, and when."""

from contextlib import suppress
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.server.seasons.test_seasons import ANN, BOB, NOW, made
from tests.support.torture import examples

from bigben_protocol import PlayerId
from bigben_protocol.seasons import (
    AddMember,
    Change,
    ChangeWeek,
    EndSeason,
    LeaveSeason,
    NameOrganiser,
    Plan,
    PutBack,
    Replan,
    TakeOut,
    VoidWeek,
)
from bigben_server.race.events import Refusal
from bigben_server.seasons.plan import LONGEST_MS, SHORTEST_MS, windows
from bigben_server.seasons.season import Logged, Season

HOUR = 3_600_000
PHASES = ("to come", "running", "over")
numbers, players = st.integers(1, 4), st.sampled_from((ANN, BOB))
times = st.integers(0, 24 * 40).map(lambda hours: NOW + hours * HOUR)
reasons = st.just("Too easy.")
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(ChangeWeek, numbers, times, times),
    st.builds(VoidWeek, numbers, reasons, times, times),
    st.builds(VoidWeek, numbers, reasons),
    st.builds(TakeOut, numbers, players, reasons),
    st.builds(PutBack, numbers, players),
    st.builds(AddMember, players),
    st.builds(NameOrganiser, players, st.booleans()),
    st.builds(LeaveSeason),
    st.builds(EndSeason),
    st.builds(Replan, st.builds(Plan, st.just("Club"), st.just("2026-10-16"), numbers)),
)


@examples(60)
@given(st.lists(st.tuples(changes, players, st.integers(0, 72)), max_size=12))
def test_no_change_that_is_taken_breaks_a_season(
    tried: list[tuple[Change, PlayerId, int]],
) -> None:
    season, now, phase = made(), NOW, "to come"
    for change, by, hours in tried:
        now += hours * HOUR
        before = opened(season, now)
        make(season, change, by, now)
        check(season)
        # What was open stays as it was, unless another deal is played.
        after = opened(season, now)
        assert all(after.get(deal, was) == was for deal, was in before.items())
        # Another deal can bring back a season that was over.
        is_again = isinstance(change, VoidWeek) and change.opens_at
        assert is_again or PHASES.index(season.phase(now)) >= PHASES.index(phase)
        phase = season.phase(now)


def opened(season: Season, now: int) -> dict[tuple[int, int], tuple[object, ...]]:
    """What the deals were that have been open."""
    return {
        (week.number, week.deal): (week.opens_at, week.closes_at, week.game, week.limit_ms)
        for week in season.weeks
        if week.opens_at <= now
    }


def make(season: Season, change: Change, by: PlayerId, now: int) -> None:
    """Make the change if it is allowed."""
    with suppress(Refusal):
        decided = season.decide(change, by, now)
        of_plan = (*windows(decided.plan),) if isinstance(decided, Replan) else ()
        season.fold(Logged(decided, by, "Ann", now, "", of_plan))


def check(season: Season) -> None:
    assert season.organisers
    assert [week.number for week in season.weeks] == [*range(1, len(season.weeks) + 1)]
    for week in season.weeks:
        assert SHORTEST_MS <= week.closes_at - week.opens_at <= LONGEST_MS
    first_deals = [week for week in season.weeks if week.deal == 1]
    assert all(one.closes_at <= other.opens_at for one, other in pairwise(first_deals))
    races = [season.race_id(week) for week in season.weeks]
    assert len({*races}) == len(races)
    assert len({*map(season.commitment, season.weeks)}) == len(races)
    assert Season(season.id, [season.made, *season.changes]).weeks == season.weeks
