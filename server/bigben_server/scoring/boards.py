"""Which boards exist, their names, and which of them a result counts for.

A board has a period, a game and its rules, an order, and a scope: a division (people, guests where
they are ranked apart, bots) or one group.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final, Literal, NamedTuple

from bigben_protocol import PERIODS, GetLeaderboard, Period, PlayerId, RaceId
from bigben_server.race.daily import daily_on, today
from bigben_server.race.events import Refusal
from bigben_server.scoring.results import (
    PEOPLE,
    RaceSummary,
    Ranked,
    Result,
    division_of,
    is_division,
)

Order = Literal["key", "points", "rating"]
"""A daily board is ordered by the ranking key; longer ones by points or by rating."""

SETTLED_MS: Final = 600_000
"""How long a board may still change after its period: the day must close and be settled."""


class Board(NamedTuple):
    """One board; its name is the same in Redis, on the wire and in links."""

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
        parts = filter(None, (self.period, self.span, self.game, self.rules, order))
        return ".".join(parts) + (f"@{self.scope}" if self.scope else "")

    @property
    def race(self) -> RaceId:
        """The race whose results a daily board shows."""
        return RaceId(f"daily.{self.span}.{self.game}.{self.rules}")


def daily_boards(
    summary: RaceSummary, player: PlayerId, result: Result, ranked: Ranked
) -> Iterator[Board]:
    """The boards that show a daily's result at once; none for a live race."""
    if summary.kind == "daily":
        for scope in scopes(player, result, ranked):
            yield Board("daily", summary.day, summary.game, summary.rules, "key", scope)


def long_boards(
    summary: RaceSummary, player: PlayerId, result: Result, ranked: Ranked, order: Order
) -> Iterator[Board]:
    """The longer boards that change when the race of a result is settled."""
    day = date.fromisoformat(summary.day)
    for scope in scopes(player, result, ranked):
        for period, spans in PERIODS.items():
            if period != "daily":
                yield Board(period, spans.of(day), summary.game, summary.rules, order, scope)


def scopes(player: PlayerId, result: Result, ranked: Ranked) -> tuple[str, ...]:
    """The scopes of the boards that a result is on; boards of groups are only for people."""
    division = division_of(player, ranked, bot=result.bot)
    if division != PEOPLE:
        return (division,)
    return (PEOPLE, *(group for group in result.groups if not is_division(group, ranked)))


def is_over(board: Board, now: int) -> bool:
    """Whether the board is final: its period is over, and all its races are settled."""
    spans = PERIODS[board.period]
    return all(board.span != spans.of(today(at)) for at in (now, now - SETTLED_MS))


def asked_for(wanted: GetLeaderboard, now: int) -> Board:
    """The requested board. Raises Refusal for a day, rules or a game that does not exist."""
    period, rules = wanted.period, daily_on("", wanted.game, wanted.rules, now)
    if period == "daily":
        day = daily_on(wanted.date, wanted.game, wanted.rules, now).day
        return Board(period, day.isoformat(), rules.game, rules.rules, "key", wanted.group)
    span = _span(period, wanted.date, today(now))
    return Board(period, span, rules.game, rules.rules, wanted.by, wanted.group)


def _span(period: Period, text: str, this_day: date) -> str:
    """The span that ``text`` names in its form or by any of its days; empty for the current one."""
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
