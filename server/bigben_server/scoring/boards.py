"""Which boards there are, what each is called, and which ones a result counts for. No Redis.

A board has a period, a game and its rules, an order, and a scope: a division (people, guests where
they are ranked apart, bots) or one group.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final, Literal, NamedTuple, get_args

from bigben_protocol import GetLeaderboard, Period, PlayerId, RaceId
from bigben_server.race.daily import daily_on, today
from bigben_server.race.transitions import Refusal
from bigben_server.scoring.divisions import PEOPLE, Ranked, division_of, is_division
from bigben_server.scoring.results import RaceSummary, Result

Order = Literal["key", "points", "rating"]
"""A daily board goes by the ranking key; the longer ones by points or by rating."""

LONG_PERIODS: Final[tuple[Period, ...]] = ("weekly", "monthly", "all-time")
SETTLED_MS: Final = 600_000
"""How long after its last moment a board may still change: a day is closed, then settled."""


class Board(NamedTuple):
    """Which board; its name is the same in Redis, on the wire and in links."""

    period: Period
    span: str
    """``2026-11-21``, ``2026-W47``, ``2026-11``; empty for all time."""
    game: str
    rules: str
    order: Order
    scope: str = PEOPLE

    @property
    def name(self) -> str:
        """``daily.2026-11-21.bigben.standard``, ``weekly.2026-W47.bigben.book.points@friends``."""
        order = "" if self.order == "key" else self.order
        parts = (self.period, self.span, self.game, self.rules, order)
        scope = f"@{self.scope}" if self.scope else ""
        return ".".join(part for part in parts if part) + scope

    @property
    def race(self) -> RaceId:
        """Of a daily board: the race whose results it shows."""
        return RaceId(f"daily.{self.span}.{self.game}.{self.rules}")


def daily_boards(
    summary: RaceSummary, player: PlayerId, result: Result, ranked: Ranked
) -> Iterator[Board]:
    """The boards that a daily's result is on as soon as it is there; none for a live race."""
    if summary.kind == "daily":
        for scope in scopes(player, result, ranked):
            yield Board("daily", summary.day, summary.game, summary.rules, "key", scope)


def long_boards(
    summary: RaceSummary, player: PlayerId, result: Result, ranked: Ranked, order: Order
) -> Iterator[Board]:
    """The longer boards that a result changes when its race is closed."""
    for scope in scopes(player, result, ranked):
        for period in LONG_PERIODS:
            span = span_of(period, date.fromisoformat(summary.day))
            yield Board(period, span, summary.game, summary.rules, order, scope)


def scopes(player: PlayerId, result: Result, ranked: Ranked) -> tuple[str, ...]:
    """Whose boards a result is on: those of groups are for people, as that of everybody is."""
    division = division_of(player, ranked, bot=result.bot)
    if division != PEOPLE:
        return (division,)
    return (PEOPLE, *(group for group in result.groups if not is_division(group, ranked)))


def span_of(period: Period, day: date) -> str:
    """The span of a period that ``day`` is in. Weeks are ISO weeks: Monday to Sunday, in UTC."""
    match period:
        case "daily":
            return day.isoformat()
        case "weekly":
            year, week, _ = day.isocalendar()
            return f"{year:04}-W{week:02}"
        case "monthly":
            return f"{day.year:04}-{day.month:02}"
        case "all-time":
            return ""


def is_over(board: Board, now: int) -> bool:
    """Whether nothing more comes onto the board: its time is over, and all of it is settled."""
    return all(board.span != span_of(board.period, today(at)) for at in (now, now - SETTLED_MS))


def asked_for(wanted: GetLeaderboard, now: int) -> Board:
    """The board meant. Raises Refusal for days, rules and games that do not exist."""
    period, rules = wanted.period, daily_on("", wanted.game, wanted.rules, now)
    if period == "daily":
        day = daily_on(wanted.date, wanted.game, wanted.rules, now).day
        return Board(period, day.isoformat(), rules.game, rules.rules, "key", wanted.group)
    span = _span(period, wanted.date, today(now))
    return Board(period, span, rules.game, rules.rules, wanted.by, wanted.group)


_EXAMPLES: Final = {"weekly": "2026-W47", "monthly": "2026-11"}


def _span(period: Period, text: str, this_day: date) -> str:
    """The span meant by ``text``: its own form, or any day in it; empty for the present one."""
    if not text:
        return span_of(period, this_day)
    if period == "all-time":
        raise Refusal("board", "The board of all time has no date; leave it away.")
    try:
        day = _first_day(period, text)
    except ValueError:
        example = _EXAMPLES[period]
        sentence = f"There is no such date: {text[:20]!r}. Write a day like 2026-11-21, or"
        raise Refusal("unknown", f"{sentence} {example}.") from None
    span = span_of(period, day)
    if day > this_day and span != span_of(period, this_day):
        raise Refusal("phase", f"{span} has not begun; its board is empty.")
    return span


def _first_day(period: Period, text: str) -> date:
    """Raises ValueError for what is no date."""
    if len(text) == len("2026-11-21"):
        return date.fromisoformat(text)
    if period == "weekly" and len(text) == len("2026-W47"):
        return date.fromisoformat(f"{text}-1")
    if period == "monthly" and len(text) == len("2026-11"):
        return date.fromisoformat(f"{text}-01")
    raise ValueError(text)


assert set(get_args(Period)) == {"daily", *LONG_PERIODS}
