"""Which boards there are, what each is called, and which ones a result counts for. No Redis.

A board has a period, a game and its rules, an order, and a scope: a division (people, guests where
they are ranked apart, bots) or one group.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final, Literal, NamedTuple

from bigben_protocol import PERIODS, GetLeaderboard, Period, PlayerId, RaceId
from bigben_server.race.daily import daily_on, today
from bigben_server.race.transitions import Refusal
from bigben_server.scoring.divisions import PEOPLE, Ranked, division_of, is_division
from bigben_server.scoring.results import RaceSummary, Result

Order = Literal["key", "points", "rating"]
"""A daily board goes by the ranking key; the longer ones by points or by rating."""

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
    day = date.fromisoformat(summary.day)
    for scope in scopes(player, result, ranked):
        for period, spans in PERIODS.items():
            if period != "daily":
                yield Board(period, spans.of(day), summary.game, summary.rules, order, scope)


def scopes(player: PlayerId, result: Result, ranked: Ranked) -> tuple[str, ...]:
    """Whose boards a result is on: those of groups are for people, as that of everybody is."""
    division = division_of(player, ranked, bot=result.bot)
    if division != PEOPLE:
        return (division,)
    return (PEOPLE, *(group for group in result.groups if not is_division(group, ranked)))


def is_over(board: Board, now: int) -> bool:
    """Whether nothing more comes onto the board: its time is over, and all of it is settled."""
    spans = PERIODS[board.period]
    return all(board.span != spans.of(today(at)) for at in (now, now - SETTLED_MS))


def asked_for(wanted: GetLeaderboard, now: int) -> Board:
    """The board meant. Raises Refusal for days, rules and games that do not exist."""
    period, rules = wanted.period, daily_on("", wanted.game, wanted.rules, now)
    if period == "daily":
        day = daily_on(wanted.date, wanted.game, wanted.rules, now).day
        return Board(period, day.isoformat(), rules.game, rules.rules, "key", wanted.group)
    span = _span(period, wanted.date, today(now))
    return Board(period, span, rules.game, rules.rules, wanted.by, wanted.group)


def _span(period: Period, text: str, this_day: date) -> str:
    """The span meant by ``text``: its own form, or any day in it; empty for the present one."""
    spans = PERIODS[period]
    if not text:
        return spans.of(this_day)
    if not spans.example:
        raise Refusal("board", f"The {period} board has no date; leave it out.")
    try:
        day = spans.day_in(text)
    except ValueError:
        sentence = f"There is no such date: {text[:20]!r}. Write a day like 2026-11-21, or"
        raise Refusal("unknown", f"{sentence} {spans.example}.") from None
    span = spans.of(day)
    if day > this_day and span != spans.of(this_day):
        raise Refusal("phase", f"{span} has not begun; its board is empty.")
    return span
