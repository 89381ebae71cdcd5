"""What a season's results are worth, and its table, by the formulas in docs/seasons.md.

Points are in hundredths. Each result is rounded once, and only then summed, so all sums are exact.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from bigben_protocol import PlayerId
from bigben_protocol.seasons import MOST_BY_PLACE, PLACES, POINT, Scale, SeasonRow, WeekResult
from bigben_server.scoring.results import Finish, in_order, one_each

NOTHING = -1
"""In place of the points of a week in which a player has no result that counts."""


def hundredths(dividend: int, divisor: int) -> int:
    """The quotient in hundredths, rounded half up.

    >>> hundredths(19, 3), hundredths(1, 200), hundredths(11, 2)
    (633, 1, 550)
    """
    return (2 * POINT * dividend + divisor) // (2 * divisor)


def worth(before: int, level: int, behind: int, scale: Scale) -> int:
    """The points of a result with so many others before it, level with it and behind it."""
    if scale == "place":
        return hundredths(sum(PLACES[before : before + level + 1]), level + 1)
    others = before + level + behind
    return hundredths(100 * (2 * behind + level), 2 * others) if others else 100 * POINT


def scale_of(planned: Scale | str, first_week: int) -> Scale:
    """The scale that holds if so many have a result in the first week that counts.

    Results that were taken out are among them: taking one out never changes the scale.
    """
    if planned in ("place", "share"):
        return "place" if planned == "place" else "share"
    return "share" if first_week > MOST_BY_PLACE else "place"


def results(
    finishes: Iterable[Finish], out: Mapping[PlayerId, str], scale: Scale
) -> tuple[WeekResult, ...]:
    """The results of a week, the best first; at the end those that were taken ``out``, and why."""
    all_of_them = in_order(one_each(finishes))
    counting = [one for one in all_of_them if one.counts_for not in out]
    placed: list[WeekResult] = []
    for _, group in groupby(counting, key=lambda one: one.key):
        level, before = [*group], len(placed)
        behind = len(counting) - before - len(level)
        points = worth(before, len(level) - 1, behind, scale)
        placed += [_result(one, before + 1, points) for one in level]
    taken = [one for one in all_of_them if one.counts_for in out]
    return (*placed, *(_result(one, 0, 0, out[one.counts_for]) for one in taken))


def _result(one: Finish, place: int, points: int, out: str = "") -> WeekResult:
    result = one.result
    return WeekResult(one.counts_for, place, points, result.state, result.home, result.home_ms, out)


def table(
    weeks: Sequence[Sequence[WeekResult]], counted: int, names: Mapping[PlayerId, str]
) -> tuple[SeasonRow, ...]:
    """The rows of the players with these names, the best first, from the results of all weeks.

    A week that counts for nothing has no results here. Players who have no result come last.
    """
    now = _rows(weeks, counted, names)
    counts = (n for n, week in enumerate(weeks) if any(one.place for one in week))
    latest = max(counts, default=0)
    without = [week if n != latest else () for n, week in enumerate(weeks)]
    before = {row.player: row.place for row in _rows(without, counted, names)}
    return tuple(_moved(row, before[row.player]) for row in now)


def _rows(
    weeks: Sequence[Sequence[WeekResult]], counted: int, names: Mapping[PlayerId, str]
) -> list[SeasonRow]:
    points = {player: [NOTHING] * len(weeks) for player in names}
    for n, week in enumerate(weeks):
        for one in week:
            if one.place and one.player in points:
                points[one.player][n] = one.points
    rows = [_row(player, names[player], points[player], counted) for player in names]
    rows.sort(key=lambda row: (not _has_result(row), -row.total, row.name.casefold(), row.player))
    totals = [row.total for row in rows if _has_result(row)]
    return [_placed(row, totals) for row in rows]


def _row(player: PlayerId, name: str, points: Sequence[int], counted: int) -> SeasonRow:
    best = sorted((n for n, one in enumerate(points) if one != NOTHING), key=lambda n: -points[n])
    total = sum(points[n] for n in best[:counted])
    struck = tuple(sorted(n + 1 for n in best[counted:]))
    return SeasonRow(player, name, 0, total, tuple(points), struck)


def _has_result(row: SeasonRow) -> bool:
    return any(one != NOTHING for one in row.points)


def _placed(row: SeasonRow, totals: Sequence[int]) -> SeasonRow:
    """The row with its place among these totals, the highest first."""
    place = totals.index(row.total) + 1 if _has_result(row) else 0
    return SeasonRow(row.player, row.name, place, row.total, row.points, row.struck)


def _moved(row: SeasonRow, before: int) -> SeasonRow:
    if not row.place:
        return row
    moved = before - row.place if before else 0
    return SeasonRow(
        row.player, row.name, row.place, row.total, row.points, row.struck, moved, not before
    )
