"""Streaks: days in a row."""

from collections.abc import Iterable
from datetime import date, timedelta

from bigben_protocol import Streak

_DAY = timedelta(days=1)


def streak(days: Iterable[date], today: date) -> Streak:
    """The current streak up to ``today``, and the longest streak.

    If today is missing, the streak up to yesterday counts, because today can still be played.

    >>> streak([date(2026, 11, 18), date(2026, 11, 19), date(2026, 11, 20)], date(2026, 11, 21))
    Streak(now=3, longest=3)
    >>> streak([date(2026, 11, 18), date(2026, 11, 20)], date(2026, 11, 22))
    Streak(now=0, longest=1)
    """
    longest = run = 0
    last: date | None = None
    for day in sorted(set(days)):
        run = run + 1 if last is not None and day - last == _DAY else 1
        longest = max(longest, run)
        last = day
    alive = last is not None and today - last <= _DAY
    return Streak(run if alive else 0, longest)
