"""Until when a race on everybody's own clock can be raced, by a choice such as ``tonight``."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

from bigben_chat.records import zone_named

DEADLINES: Final = ("3h", "tonight", "tomorrow", "3d", "7d")
_SPANS: Final = {"3h": timedelta(hours=3), "3d": timedelta(days=3), "7d": timedelta(days=7)}
_SOONEST: Final = timedelta(hours=1)
_MARGIN: Final = timedelta(minutes=1)
"""The server allows seven days from when it reads the request, and its clock may differ."""


def deadline_at(choice: str, now: datetime, zone: str) -> int:
    """The deadline, in ms since 1970. Days end at midnight in the time zone ``zone``.

    >>> at = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    >>> str(datetime.fromtimestamp(deadline_at("tomorrow", at, "Europe/Berlin") / 1000, UTC))
    '2026-11-22 23:00:00+00:00'
    """
    if span := _SPANS.get(choice):
        until = now + span - (_MARGIN if choice == "7d" else timedelta())
    else:
        until = max(_midnight(now, zone, days=1 if choice == "tonight" else 2), now + _SOONEST)
    return int(until.timestamp() * 1000)


def _midnight(now: datetime, zone: str, *, days: int) -> datetime:
    """The beginning of the day, ``days`` days from now, in that zone."""
    place = zone_named(zone)
    day = now.astimezone(place).date() + timedelta(days=days)
    return datetime.combine(day, time(), tzinfo=place).astimezone(UTC)
