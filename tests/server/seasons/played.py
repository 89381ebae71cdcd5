"""Results of made-up weeks for tests of tables, as recorded and as receipts. No tests."""

from collections.abc import Collection
from typing import NamedTuple

from hypothesis import strategies as st
from tests.server.ranked import ranked

from bigben_client import write_receipt
from bigben_protocol import (
    PlayerId,
    RaceId,
    Record,
    Reveal,
    Room,
    Rules,
    Standings,
    State,
)
from bigben_protocol.seasons import Scale, SeasonRow, WeekResult
from bigben_server.race.ranking import Key
from bigben_server.scoring.results import Finish, RaceSummary, Result
from bigben_server.seasons.table import results, scale_of, table

TOTAL = 104
DAY = 86_400_000


class Played(NamedTuple):
    player: int
    home: int
    home_ms: int

    @property
    def id(self) -> PlayerId:
        return player(self.player)

    def finish(self, race: str) -> Finish:
        state: State = "won" if self.home == TOTAL else "blocked"
        result = Result(state, 60, self.home, 90_000, self.home_ms, 0)
        summary = RaceSummary("deadline", "bigben", "standard", "2026-10-02")
        return Finish(RaceId(race), summary, self.id, name(self.player), result)


class Season(NamedTuple):
    """What a table follows from: the results of each week, and what organisers have taken out."""

    weeks: tuple[tuple[Played, ...], ...]
    out: tuple[frozenset[int], ...]
    void: frozenset[int]
    counted: int
    scale: str


def player(n: int) -> PlayerId:
    return PlayerId(f"guest:{n:02}")


def name(n: int) -> str:
    return f"Player {n}"


played = st.builds(Played, st.integers(0, 15), st.integers(100, TOTAL), st.integers(0, 2))
weeks = st.lists(played, max_size=16, unique_by=lambda one: one.player).map(tuple)
few = st.frozensets(st.integers(0, 15), max_size=3)


@st.composite
def seasons(draw: st.DrawFn) -> Season:
    all_weeks = draw(st.lists(weeks, min_size=1, max_size=6).map(tuple))
    many = len(all_weeks)
    out = draw(st.lists(few, min_size=many, max_size=many).map(tuple))
    void = draw(st.frozensets(st.integers(1, many), max_size=2))
    planned = draw(st.sampled_from(("", "place", "share")))
    return Season(all_weeks, out, void, draw(st.integers(1, many)), planned)


def counting(season: Season) -> list[tuple[Played, ...]]:
    """The results of the weeks, none of one that is void."""
    return [() if n in season.void else week for n, week in enumerate(season.weeks, start=1)]


def scale(season: Season) -> Scale:
    return scale_of(season.scale, next((len(week) for week in counting(season) if week), 0))


def points(season: Season) -> list[tuple[WeekResult, ...]]:
    weeks = zip(counting(season), season.out, strict=True)
    by = scale(season)
    return [
        results(finishes(week, n), taken_out(out), by) for n, (week, out) in enumerate(weeks, 1)
    ]


def rows(season: Season) -> tuple[SeasonRow, ...]:
    names = {one.id: name(one.player) for week in season.weeks for one in week}
    return table(points(season), season.counted, names)


def finishes(week: Collection[Played], number: int = 1) -> list[Finish]:
    return [one.finish(f"week.K7QPXM2A.{number}") for one in week]


def taken_out(players: Collection[int]) -> dict[PlayerId, str]:
    return {player(n): "Played twice." for n in players}


def receipt(week: Collection[Played], race: str, opened_at: int) -> str:
    """The receipt that the server's clients write of such a week; nothing else in it is true."""
    told = [one.finish(race).result.standing(one.id, name(one.player)) for one in week]
    standings = tuple(ranked(TOTAL, told))
    room = Room(
        RaceId(race), "deadline", "closed", Rules(limit_ms=DAY), "c" * 64, opened_at,
        closes_at=opened_at + DAY, seats=standings,
    )  # fmt: skip
    records = [Record(room.race, row, ("AH",), ((1, "deal"),), begun_at=1) for row in standings]
    reveal = Reveal(room.race, room.commitment, "a" * 64, "b" * 64)
    return write_receipt(room, reveal, Standings(room.race, standings, final=True), records)


def key(one: Played) -> Key:
    return one.finish("").key
