"""Computes profiles from results: records, streaks, weeks, and head to head."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple, cast

from bigben_protocol import PERIODS, HeadToHead, PlayerId, RaceId, State, Streak, Tally, Week
from bigben_rules import GAMES
from bigben_server.race.daily import is_daily, today
from bigben_server.race.ranking import Key
from bigben_server.scoring.ratings import Rating
from bigben_server.scoring.results import Finish

MOST_WEEKS: Final = 53
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
    played_on: date | None = None
    """The day of a daily, or on which the player's game in a room ended; None for a room's result
    that a server of version 0.1.0 has recorded."""


def write_entry(one: Finish) -> str:
    """A result in few bytes, without what a daily's id already says."""
    summary, result, (missing, home_ms) = one.summary, one.result, one.key
    room = ""
    if summary.kind != "daily":
        room = f"{summary.game} {summary.rules} {summary.undo:d} {today(result.at)} "
    return f"{result.moves} {result.ms} {missing} {home_ms} {room}{result.state}"


def read_entry(race: RaceId, text: str) -> HistoryEntry:
    moves, ms, missing, home_ms, rest = text.split(" ", 4)
    day, played_on, undo, ended = None, None, "0", rest
    if is_daily(race):
        _, that_day, game, rules = race.split(".")
        day = played_on = date.fromisoformat(that_day)
    else:
        game, rules, undo, ended = rest.split(" ", 3)
        if ended[0].isdigit():  # version 0.1.0 recorded no day
            that_day, ended = ended.split(" ", 1)
            played_on = date.fromisoformat(that_day)
    key, state = Key(int(missing), int(home_ms)), cast(State, ended)
    numbers = (int(moves), int(ms), key, played_on)
    return HistoryEntry(race, game, rules, undo == "1", day, state, *numbers)


def tallies(
    history: Iterable[HistoryEntry],
    ratings: Mapping[Pool, Rating],
    today: date,
    void: Collection[RaceId] = (),
) -> tuple[Tally, ...]:
    """``void``: races that count for nobody; they neither lengthen a streak nor break it."""
    pools: dict[Pool, list[HistoryEntry]] = {}
    for entry in history:
        pools.setdefault((entry.game, entry.rules), []).append(entry)
    skipped: dict[Pool, set[date]] = {}
    for race in filter(is_daily, void):
        _, day, game, rules = race.split(".")
        skipped.setdefault((game, rules), set()).add(date.fromisoformat(day))
    return tuple(
        _tally(pool, pools[pool], ratings.get(pool), today, skipped.get(pool, set()))
        for pool in sorted(pools)
    )


def weeks(history: Iterable[HistoryEntry]) -> tuple[Week, ...]:
    """The weeks with a result, the latest last, over all games and rules that this server has."""
    found: dict[str, list[HistoryEntry]] = {}
    for entry in history:
        if entry.played_on and entry.game in GAMES:
            found.setdefault(PERIODS["weekly"].of(entry.played_on), []).append(entry)
    latest = sorted(found)[-MOST_WEEKS:]
    return tuple(
        Week(
            week,
            played=len(found[week]),
            won=sum(entry.state == "won" for entry in found[week]),
            home=sum(GAMES[one.game].total - one.key.missing for one in found[week]),
        )
        for week in latest
    )


def head_to_head(
    mine: Iterable[HistoryEntry], theirs: Iterable[HistoryEntry], other: PlayerId, name: str
) -> HeadToHead:
    """Two players compared, over the races in which both have a result."""
    keys = {entry.race: entry.key for entry in theirs}
    pairs = [(entry.key, keys[entry.race]) for entry in mine if entry.race in keys]
    ahead = sum(my < their for my, their in pairs)
    behind = sum(my > their for my, their in pairs)
    return HeadToHead(other, name, ahead, behind, level=len(pairs) - ahead - behind)


def streak(days: Iterable[date], today: date, skipped: Collection[date] = ()) -> Streak:
    """The longest streak and the current one, up to yesterday if today is still to be played.

    A day that is ``skipped`` was not missed.

    >>> streak([date(2026, 11, 18), date(2026, 11, 19), date(2026, 11, 20)], date(2026, 11, 21))
    Streak(now=3, longest=3)
    >>> streak([date(2026, 11, 18), date(2026, 11, 20)], date(2026, 11, 22))
    Streak(now=0, longest=1)
    >>> streak([date(2026, 11, 18), date(2026, 11, 20)], date(2026, 11, 21), [date(2026, 11, 19)])
    Streak(now=2, longest=2)
    """
    longest = run = 0
    last = date.min
    for day in sorted(set(days)):
        run = run + 1 if _follows(day, last, skipped) else 1
        longest = max(longest, run)
        last = day
    return Streak(run if last == today or _follows(today, last, skipped) else 0, longest)


def _follows(day: date, last: date, skipped: Collection[date]) -> bool:
    """Whether no day was missed between these two."""
    between = (day - last).days - 1
    return between <= sum(last < each < day for each in skipped)


def _tally(
    pool: Pool,
    results: list[HistoryEntry],
    rating: Rating | None,
    today: date,
    skipped: Collection[date],
) -> Tally:
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
        days_played=streak((entry.day for entry in results if entry.day), today, skipped),
        days_won=streak((entry.day for entry in won if entry.day), today, skipped),
        rating=rating.shown if rating else 0,
        rated=rating.races if rating else 0,
        provisional=rating is not None and rating.provisional,
    )
