"""Names, times, races and days as text, in the Markdown that Discord shows.

A platform with another markup translates the finished text: ``\\`` before a sign, ``**`` around
what is bold, ``<t:seconds:style>`` for a time.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from bigben_chat.texts import Say
from bigben_protocol import Room, State

LONGEST: Final = 2000
"""The most characters in a message."""

_MARKDOWN: Final = re.compile(r"[_\\~|*`]|^>(?:>>)?\s|\[.+\]\(.+\)|^#{1,3}|^\s*-", re.MULTILINE)
_MENTION: Final = re.compile(r"@(everyone|here|[!&]?[0-9]{17,20})")


def name(text: str) -> str:
    """A display name, escaped so that it formats, mentions and links nothing.

    >>> print(name("*Ada* @here"))
    \\*Ada\\* @​here
    """
    escaped = _MARKDOWN.sub(r"\\\g<0>", text.replace("://", ":\u200b//"))
    # Channels, times, commands and emojis are written in angle brackets.
    escaped = _MENTION.sub("@\u200b\\1", escaped.replace("<", "\\<"))
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return f"\u2068{escaped}\u2069"  # Written from the right, it turns nothing around it.
    return escaped


def fitted(lines: Callable[[int], Sequence[str]], most: int) -> str:
    """The lines as one text, with as many rows as a message has room for, ``most`` of them.

    ``lines(rows)`` returns all lines with this many rows. Names that consist of signs become twice
    as long when they are escaped.
    """
    for rows in range(most, 0, -1):
        text = "\n".join(lines(rows)).strip()
        if len(text) <= LONGEST:
            return text
    raise AssertionError("a message without rows has room")


def clock_time(ms: int) -> str:
    """A time on a clock.

    >>> clock_time(754_321), clock_time(3_600_000)
    ('12:34', '1:00:00')
    """
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def moves(n: int, state: State) -> int:
    """The number of moves, without giving up and timeouts.

    >>> moves(12, "playing"), moves(12, "won"), moves(12, "timed out"), moves(12, "resigned")
    (12, 12, 11, 11)
    """
    return n - 1 if n and state in ("resigned", "timed out") else n


def moment(at_ms: int, style: str = "R") -> str:
    """A time (ms since 1970) that every reader's client shows in its own way."""
    return f"<t:{at_ms // 1000}:{style}>"


def bar(part: int, whole: int, cells: int = 10) -> str:
    """A progress bar.

    >>> bar(52, 104)
    '▰▰▰▰▰▱▱▱▱▱'
    """
    full = part * cells // whole
    return "▰" * full + "▱" * (cells - full)


def day_of(race: str) -> date | None:
    """The day of a daily race; None for others."""
    parts = race.split(".")
    return date.fromisoformat(parts[1]) if parts[0] == "daily" and len(parts) == 4 else None


def todays(race: str) -> str:
    """The daily of today by the rules of another day's.

    >>> todays("daily.2026-11-21.bigben.book")
    'daily.book'
    """
    return f"daily.{race.split('.')[-1]}"


def day(when: date, say: Say) -> str:
    """A date as people write it."""
    return say("day", day=when.day, month=say(f"month.{when.month}"), year=when.year)


def race_name(race: str, say: Say) -> str:
    """``Daily race, 21 November 2026`` or ``Race K7QPXM``.

    A daily by other rules than the usual is another race of the same day: it is called by them too.
    """
    when = day_of(race)
    if when is None:
        return say("race.live", code=race)
    name, rules = say("race.daily", day=day(when, say)), race.split(".")[-1]
    return name if rules == "standard" else f"{name} · {rules_name(rules, say)}"


def rules_name(rules: str, say: Say) -> str:
    """What rules are called; those that have no name of their own by their fields."""
    key = f"rules.{rules}"
    return say(key) if key in say.texts else rules


def limits(room: Room, say: Say) -> str:
    """By what a race is played, in a few words."""
    named = room.kind == "daily" and room.rules.rules != "standard"
    said = [] if named else [rules_name(room.rules.rules, say)]
    if room.rules.limit_ms:
        said.append(say("race.limit", minutes=room.rules.limit_ms // 60_000))
    if room.rules.undo:
        said.append(say("race.undo"))
    if room.rules.invite_only:
        said.append(say("race.invite"))
    return " · ".join(said)
