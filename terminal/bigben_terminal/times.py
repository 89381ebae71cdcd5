"""Durations and deadlines as players type them."""

import re
from argparse import ArgumentTypeError
from datetime import datetime, timedelta
from typing import Final

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_DURATION: Final = re.compile(r"(\d{1,6})([smhd])")


def duration(text: str) -> int:
    """A duration in ms: ``90s``, ``2m``, ``3h``, ``3d``. Raises ArgumentTypeError.

    >>> duration("2m"), duration("3d")
    (120000, 259200000)
    """
    found = _DURATION.fullmatch(text.lower())
    if not found:
        raise ArgumentTypeError("a time is written like 90s, 2m, 3h or 3d")
    return int(found[1]) * _UNITS[found[2]] * 1000


def deadline(text: str, now: datetime | None = None) -> int:
    """A time in ms since 1970: ``tonight``, ``tomorrow``, ``3d``, ``2026-11-25T20:00``.

    Tonight and tomorrow end with their day. Times and days are those of this machine, or of
    ``now``. Raises ArgumentTypeError.

    >>> evening = datetime.fromisoformat("2026-11-22T18:30:00+01:00")
    >>> at = [deadline(text, evening) for text in ("tonight", "tomorrow", "3h")]
    >>> [datetime.fromtimestamp(ms / 1000, evening.tzinfo).isoformat()[:16] for ms in at]
    ['2026-11-22T23:59', '2026-11-23T23:59', '2026-11-22T21:30']
    """
    now = now or datetime.now().astimezone()
    days = {"tonight": 0, "tomorrow": 1}
    if text.lower() in days:
        day = now + timedelta(days=days[text.lower()])
        when = day.replace(hour=23, minute=59, second=0, microsecond=0)
    elif _DURATION.fullmatch(text.lower()):
        when = now + timedelta(milliseconds=duration(text))
    else:
        try:
            when = datetime.fromisoformat(text)
        except ValueError:
            shown = "tonight, tomorrow, 3h, 3d or 2026-11-25T20:00"
            raise ArgumentTypeError(f"a deadline is written like {shown}") from None
        when = when if when.tzinfo else when.replace(tzinfo=now.tzinfo)
    return round(when.timestamp() * 1000)
