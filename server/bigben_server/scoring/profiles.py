"""Computes profiles from results: records, streaks, and head to head."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple, cast

from bigben_protocol import HeadToHead, PlayerId, RaceId, State, Streak, Tally
from bigben_server.race.daily import is_daily
from bigben_server.race.ranking import Key
from bigben_server.scoring.ratings import Rating
from bigben_server.scoring.results import Finish

Pool = tuple[str, str]
"""A game and a rule set; each pair has its own ratings."""


class HistoryEntry(NamedTuple):
    race: RaceId
    game: str
    rules: str
    undo: bool
    day: date | None
    """The day of a daily; live races do not count for streaks."""
    state: State
    moves: int
    ms: int
    key: Key


def write_entry(one: Finish) -> str:
    """A result in few bytes, without what a daily's id already says."""
    summary, result, (missing, home_ms) = one.summary, one.result, one.key
    live = f"{summary.game} {summary.rules} {summary.undo:d} " if summary.kind != "daily" else ""
    return f"{result.moves} {result.ms} {missing} {home_ms} {live}{result.state}"


def read_entry(race: RaceId, text: str) -> HistoryEntry:
    moves, ms, missing, home_ms, rest = text.split(" ", 4)
    day, undo, ended = None, "0", rest
    if is_daily(race):
        _, that_day, game, rules = race.split(".")
        day = date.fromisoformat(that_day)
    else:
        game, rules, undo, ended = rest.split(" ", 3)
    key, state = Key(int(missing), int(home_ms)), cast(State, ended)
    return HistoryEntry(race, game, rules, undo == "1", day, state, int(moves), int(ms), key)


def tallies(
    history: Iterable[HistoryEntry], ratings: Mapping[Pool, Rating], today: date
) -> tuple[Tally, ...]:
    pools: dict[Pool, list[HistoryEntry]] = {}
    for entry in history:
        pools.setdefault((entry.game, entry.rules), []).append(entry)
    return tuple(_tally(pool, pools[pool], ratings.get(pool), today) for pool in sorted(pools))


def head_to_head(
    mine: Iterable[HistoryEntry], theirs: Iterable[HistoryEntry], other: PlayerId, name: str
) -> HeadToHead:
    """Two players compared, over the races in which both have a result."""
    keys = {entry.race: entry.key for entry in theirs}
    pairs = [(entry.key, keys[entry.race]) for entry in mine if entry.race in keys]
    ahead = sum(my < their for my, their in pairs)
    behind = sum(my > their for my, their in pairs)
    return HeadToHead(other, name, ahead, behind, level=len(pairs) - ahead - behind)


def streak(days: Iterable[date], today: date) -> Streak:
    """The longest streak and the current one, up to yesterday if today is still to be played.

    >>> streak([date(2026, 11, 18), date(2026, 11, 19), date(2026, 11, 20)], date(2026, 11, 21))
    Streak(now=3, longest=3)
    >>> streak([date(2026, 11, 18), date(2026, 11, 20)], date(2026, 11, 22))
    Streak(now=0, longest=1)
    """
    longest = run = 0
    last = date.min
    for day in sorted(set(days)):
        run = run + 1 if day - last == timedelta(days=1) else 1
        longest = max(longest, run)
        last = day
    return Streak(run if today - last <= timedelta(days=1) else 0, longest)


def _tally(pool: Pool, results: list[HistoryEntry], rating: Rating | None, today: date) -> Tally:
    won = [entry for entry in results if entry.state == "won"]
    # A win with undo counts, but sets no record.
    proper = sorted((entry for entry in won if not entry.undo), key=lambda entry: entry.race)
    fastest = min(proper, key=lambda entry: entry.ms, default=None)
    shortest = min(proper, key=lambda entry: entry.moves, default=None)
    return Tally(
        *pool,
        played=len(results),
        won=len(won),
        best_ms=fastest.ms if fastest else 0,
        best_race=fastest.race if fastest else "",
        fewest_moves=shortest.moves if shortest else 0,
        fewest_race=shortest.race if shortest else "",
        days_played=streak((entry.day for entry in results if entry.day), today),
        days_won=streak((entry.day for entry in won if entry.day), today),
        rating=rating.shown if rating else 0,
        rated=rating.races if rating else 0,
        provisional=rating is not None and rating.provisional,
    )
