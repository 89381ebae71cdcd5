"""Which boards exist, their names, and which of them a result counts for."""

from collections.abc import Iterator
from datetime import date
from itertools import product
from typing import Final, Literal, NamedTuple

from bigben_protocol import PERIODS, GetLeaderboard, Period, RaceId
from bigben_protocol.sentence import sentence
from bigben_server.race.daily import daily_on, today
from bigben_server.race.events import Refusal
from bigben_server.scoring.ratings import is_rated
from bigben_server.scoring.results import PEOPLE, Finish, Ranked, is_division

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
    """A division or a group."""

    @property
    def name(self) -> str:
        """``daily.2026-11-21.bigben.standard``, ``weekly.2026-W47.bigben.book.points@friends``."""
        order = "" if self.order == "key" else self.order
        parts = filter(None, (self.period, self.span, self.game, self.rules, order))
        return ".".join(parts) + (f"@{self.scope}" if self.scope else "")

    @property
    def day(self) -> date | None:
        """The day of a daily board; None for longer ones."""
        return date.fromisoformat(self.span) if self.period == "daily" else None

    @property
    def race(self) -> RaceId:
        return RaceId(f"daily.{self.span}.{self.game}.{self.rules}")


def boards_of(one: Finish, ranked: Ranked, order: Order) -> Iterator[Board]:
    """The boards in this order that a result counts for; those of groups are only for people.

    By key it is a day's board, at once; longer ones change when the race is settled. A live race
    counts only for ratings.
    """
    summary, division = one.summary, one.division(ranked)
    if summary.kind != "daily" and order != "rating":
        return
    groups = one.result.groups if division == PEOPLE else ()
    scopes = (division, *(group for group in groups if not is_division(group, ranked)))
    day = date.fromisoformat(summary.day)
    for scope, (period, spans) in product(scopes, PERIODS.items()):
        if (period == "daily") == (order == "key"):
            yield Board(period, spans.of(day), summary.game, summary.rules, order, scope)


def is_over(board: Board, now: int) -> bool:
    """Whether the board is final: its period is over, and all its races are settled."""
    spans = PERIODS[board.period]
    return all(board.span != spans.of(today(at)) for at in (now, now - SETTLED_MS))


def asked_for(wanted: GetLeaderboard, now: int) -> Board:
    """The requested board. Raises Refusal for a day, rules or a game that does not exist."""
    period, rules = wanted.period, daily_on("", wanted.game, wanted.rules, now)
    if wanted.by == "rating" and not is_rated(rules.game):
        raise Refusal("board", sentence("board.unrated"))
    if period == "daily":
        day = daily_on(wanted.date, wanted.game, wanted.rules, now).day
        return Board(period, day.isoformat(), rules.game, rules.rules, "key", wanted.group)
    spans, this_day = PERIODS[period], today(now)
    span = spans.of(this_day)
    if wanted.date and not spans.example:
        raise Refusal("board", sentence("board.dateless", period=period))
    if wanted.date:
        try:
            day = spans.day_in(wanted.date)
        except ValueError:
            date = ascii(wanted.date[:20])
            said = sentence("board.no_date", date=date, example=spans.example)
            raise Refusal("unknown", said) from None
        if day > this_day and span != spans.of(day):
            raise Refusal("phase", sentence("board.not_begun", span=spans.of(day)))
        span = spans.of(day)
    return Board(period, span, rules.game, rules.rules, wanted.by, wanted.group)
