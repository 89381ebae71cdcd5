"""The periods that leaderboards cover, as one table, and what people call their spans.

A new period is a name and a row here, and its texts in the table ``periods`` of each language.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Final, Literal, NamedTuple, get_args

from bigben_protocol import texts

Period = Literal["daily", "weekly", "monthly", "all-time"]
"""What a board covers; weeks are ISO weeks, and every day is a UTC day."""


class Spans(NamedTuple):
    """How the spans of a period are written, in the names of boards and in requests."""

    of: Callable[[date], str]
    """The span that a day is in."""
    example: str = ""
    """A span; empty for the period that is all time."""
    first_day: str = ""
    """What a span lacks to be the date of its first day."""

    def day_in(self, text: str) -> date:
        """The day, or the first day of the span, that ``text`` says.

        Raises ValueError for anything else.

        >>> PERIODS["weekly"].day_in("2026-W47"), PERIODS["weekly"].day_in("2026-11-21")
        (datetime.date(2026, 11, 16), datetime.date(2026, 11, 21))
        """
        if len(text) == len("2026-11-21"):
            return date.fromisoformat(text)
        if len(text) == len(self.example):
            return date.fromisoformat(text + self.first_day)
        raise ValueError(text)


def _week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


PERIODS: Final[Mapping[Period, Spans]] = {
    "daily": Spans(date.isoformat, "2026-11-21"),
    "weekly": Spans(_week, "2026-W47", "-1"),
    "monthly": Spans(lambda day: day.isoformat()[:7], "2026-11", "-01"),
    "all-time": Spans(lambda _: ""),
}
assert tuple(PERIODS) == get_args(Period)


def period_name(period: Period, language: str = texts.DEFAULT) -> str:
    """What people call the period of today: ``This week``."""
    return str(texts.of("periods", language)[f"period.{period}"])


def span_name(period: str, span: str, language: str = texts.DEFAULT) -> str:
    """What people call a span, past or present; unchanged if a newer server has the period.

    Raises ValueError for a span in another form.

    >>> span_name("daily", "2026-11-05"), span_name("weekly", "2026-W47", "de")
    ('5 November 2026', 'Woche 47 im Jahr 2026')
    """
    spans = next((row for name, row in PERIODS.items() if name == period), None)
    if spans is None:
        return span
    first, said = spans.day_in(span), texts.of("periods", language)
    return texts.fill(
        said[f"span.{period}"],
        year=span[:4],
        month=said[f"month.{first.month}"],
        day=first.day,
        number=first.isocalendar().week,
    )
