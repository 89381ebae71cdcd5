"""How players have done lately, and how many results bring how many cards home."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from bigben_protocol import PERIODS, Tally, WeekRating
from bigben_rules import GAMES
from bigben_server.race.ranking import Key, pack
from bigben_server.scoring.profiles import HistoryEntry, Pool
from bigben_server.scoring.ratings import Rating

DAYS: Final = 14
COLUMNS: Final = 13
"""As many as a suit has ranks, so that the cards of every game fall into equal parts."""
WEEKS: Final = 53
NONE: Final = -1
"""A day without a result."""


def days_to(last: date) -> list[date]:
    """The days that ``lately`` is about, the last one last."""
    return [last - timedelta(days=DAYS - 1 - n) for n in range(DAYS)]


def weeks_to(last: date) -> list[str]:
    """The weeks of which a profile can have ratings, the last one last."""
    return [PERIODS["weekly"].of(last - timedelta(weeks=WEEKS - 1 - n)) for n in range(WEEKS)]


def column(home: int, total: int) -> int:
    """The column for a result with so many of all cards home.

    >>> [column(home, 104) for home in (0, 7, 8, 95, 96, 103, 104)]
    [0, 0, 1, 11, 12, 12, 12]
    """
    return min(COLUMNS - 1, home * COLUMNS // total)


def columns(homes: Iterable[int], total: int) -> tuple[int, ...]:
    """How many of these results each column has."""
    counts = [0] * COLUMNS
    for home in homes:
        counts[column(home, total)] += 1
    return tuple(counts)


def scores_of_columns(total: int) -> list[tuple[int, int]]:
    """The least and the highest score that a daily board has for each column."""
    width = total // COLUMNS
    edges = [pack(Key(total + 1 - width * n, 0)) for n in range(COLUMNS)] + [0]
    return [(low, above - 1) for above, low in pairwise(edges)]


def homes_of(keys: Sequence[Key | None], total: int) -> tuple[int, ...]:
    """Cards home of each of these results."""
    return tuple(NONE if key is None else total - key.missing for key in keys)


def added(
    tallies: Iterable[Tally],
    history: Sequence[HistoryEntry],
    ratings: Mapping[Pool, Rating],
    by_week: Mapping[Pool, tuple[WeekRating, ...]],
    today: date,
) -> tuple[Tally, ...]:
    """The tallies of a history, with what they are made of; those of unknown games as they are."""
    return tuple(
        _added(one, history, ratings, by_week, today) if one.game in GAMES else one
        for one in tallies
    )


def _added(
    tally: Tally,
    history: Sequence[HistoryEntry],
    ratings: Mapping[Pool, Rating],
    by_week: Mapping[Pool, tuple[WeekRating, ...]],
    today: date,
) -> Tally:
    pool, total = (tally.game, tally.rules), GAMES[tally.game].total
    results = [entry for entry in history if (entry.game, entry.rules) == pool]
    dailies = {entry.day: entry.key for entry in results if entry.day}
    return replace(
        tally,
        uncertainty=ratings[pool].uncertainty if pool in ratings else 0,
        ratings=by_week.get(pool, ()),
        homes=columns((total - entry.key.missing for entry in results), total),
        lately=homes_of([dailies.get(day) for day in days_to(today)], total),
    )
