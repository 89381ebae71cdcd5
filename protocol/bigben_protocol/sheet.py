"""A season's results as CSV, a line for each, which spreadsheets open without harm."""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Final

from bigben_protocol.seasons import POINT, SeasonRow, SeasonWeek
from bigben_protocol.server_messages import Season
from bigben_protocol.types import PlayerId

COLUMNS: Final = (
    "week", "race", "place", "points", "counts", "player", "name", "state", "home", "seconds",
    "out",
)  # fmt: skip
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet may compute, also in letters of full width."""


def season_csv(season: Season) -> str:
    """The results of all weeks. ``out`` says why a result counts for nothing, or its week.

    ``counts`` is ``no`` for that, and for results that are struck because others are better. Names
    of players who have left the season are empty.
    """
    written = StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    rows = {row.player: row for row in season.rows}
    for week in season.weeks:
        writer.writerows(_lines(week, rows))
    return written.getvalue()


def _lines(week: SeasonWeek, rows: Mapping[PlayerId, SeasonRow]) -> Iterator[tuple[str | int, ...]]:
    for one in week.results:
        row = rows.get(one.player)
        out = week.void or one.out
        counts = row is not None and not out and week.number not in row.struck
        yield (
            week.number,
            week.race,
            one.place,
            hundredths(one.points),
            "yes" if counts else "no",
            _harmless(one.player),
            _harmless(row.name if row else ""),
            one.state,
            one.home,
            f"{one.home_ms / 1000:.3f}",
            _harmless(out),
        )


def hundredths(points: int) -> str:
    """Points as they are written where a point is a point.

    >>> hundredths(833), hundredths(1200)
    ('8.33', '12.00')
    """
    return f"{points // POINT}.{points % POINT:02}"


def _harmless(text: str) -> str:
    """The text, which no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULAS) else text
