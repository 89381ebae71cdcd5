"""The ids of the races of weeks: ``week.K7QPXM2A.3``; ``week.K7QPXM2A.3.2`` is a second deal."""

import re
from typing import Final

from bigben_protocol import RaceId
from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal

WEEK: Final = "week"
MOST_SEATS: Final = 250
"""The most seats in the race of a week."""
_NAMED: Final = re.compile(
    r"week\.([2-9A-HJKMNP-Z]{8})\.([1-9]|1[0-9]|2[0-6])(\.[2-9])?", re.IGNORECASE | re.ASCII
)


def is_week(race: str) -> bool:
    """Whether the text names the race of a week; it may be invalid otherwise."""
    return race[:5].lower() == f"{WEEK}."


def week_named(text: str) -> RaceId:
    """The race with this id, in any case. Raises Refusal if there can be none.

    >>> week_named("Week.k7qpxm2a.3")
    'week.K7QPXM2A.3'
    """
    named = _NAMED.fullmatch(text)
    if named is None:
        raise Refusal("unknown", sentence("race.bad_name"))
    season, number, deal = named.groups(default="")
    return RaceId(f"{WEEK}.{season.upper()}.{number}{deal}")


def season_of(race: str) -> str:
    """The season of a week's race; empty for another race."""
    named = _NAMED.fullmatch(race)
    return named[1] if named else ""
