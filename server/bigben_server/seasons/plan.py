"""When the weeks of a season are: times on its clock, which its days of summer time move."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec.structs import replace

from bigben_protocol import Create
from bigben_protocol.seasons import Plan
from bigben_protocol.sentence import sentence
from bigben_server.race import choosing
from bigben_server.race.daily import rules_named
from bigben_server.race.events import Refusal

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LATEST_MS: Final = 366 * 86_400_000
"""No week opens later than this from now; a season of 26 weeks may end later."""
WEEK_MS: Final = 7 * 86_400_000
SHORTEST_MS: Final = 3_600_000
LONGEST_MS: Final = WEEK_MS + 2 * 3_600_000
"""A week is open no longer: seven days by the clock have two hours more at most where it changes.
"""


class Window(NamedTuple):
    """When a week is open, ms since 1970."""

    opens_at: int
    closes_at: int


def checked(plan: Plan, now: int) -> Plan:
    """The plan as it is stored, but for its name. Raises Refusal if no season can be like this."""
    rules = rules_named(plan.game, plan.rules, "rules")
    choosing.asked(Create(plan.game, rules, grade=plan.grade))
    counted = plan.counted or max(1, plan.weeks - 2)
    if counted > plan.weeks:
        raise Refusal("rules", sentence("season.counted", weeks=plan.weeks))
    first, *later = windows(plan)
    check_window(first, now)
    for window in later:
        _check_length(window)
    first_day = date.fromisoformat(plan.first_day).isoformat()
    return replace(plan, rules=rules, counted=counted, first_day=first_day)


def check_window(window: Window, now: int) -> None:
    """Raises Refusal for a week that can't be open then."""
    if window.opens_at <= now:
        raise Refusal("rules", sentence("season.past"))
    if window.opens_at > now + LATEST_MS:
        raise Refusal("rules", sentence("season.late"))
    _check_length(window)


def _check_length(window: Window) -> None:
    """Raises Refusal. A short week may become too short where the clock is put forward."""
    if not SHORTEST_MS <= window.closes_at - window.opens_at <= LONGEST_MS:
        raise Refusal("rules", sentence("season.window"))


def windows(plan: Plan) -> list[Window]:
    """The weeks of a plan, in order. Raises Refusal for a zone or a day that there is not."""
    return [*islice(_windows(plan), plan.weeks)]


def _windows(plan: Plan) -> Iterator[Window]:
    try:
        zone = ZoneInfo(plan.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refusal("rules", sentence("season.zone", zone=repr(plan.zone))) from None
    try:
        first = _on_or_after(date.fromisoformat(plan.first_day), plan.opens)
        closes = _after(first, plan.closes)
        opens_at = _ms(first, zone)
        for number in range(plan.weeks):
            by = timedelta(weeks=number)
            next_at = _ms(first + by + timedelta(weeks=1), zone)
            # A time that is left out can come after later ones.
            yield Window(opens_at, min(_ms(closes + by, zone), next_at))
            opens_at = next_at
    except (ValueError, OverflowError):
        raise Refusal("rules", sentence("season.day", day=repr(plan.first_day))) from None


def _on_or_after(day: date, moment: str) -> datetime:
    """The first such time in the week on this day or after it, without a zone."""
    name, _, clock = moment.partition(" ")
    days = (DAYS.index(name) - day.weekday()) % 7
    return datetime.combine(day + timedelta(days=days), time.fromisoformat(clock))


def _after(opens: datetime, moment: str) -> datetime:
    """The first such time after the week has opened."""
    found = _on_or_after(opens.date(), moment)
    return found if found > opens else found + timedelta(weeks=1)


def _ms(local: datetime, zone: ZoneInfo) -> int:
    """A local time in ms since 1970.

    Of a time that comes twice the first is meant; one that is left out is as long after midnight as
    it would have been.
    """
    return round(local.replace(tzinfo=zone).astimezone(UTC).timestamp() * 1000)
