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
from bigben_protocol import Room, Rules, Standing, State, View
from bigben_protocol.wishes import deal_text

MAIN: Final = Rules().game
"""The game of a race that names none."""
STANDARD: Final = Rules().rules

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


def counted_moves(n: int, state: State, say: Say) -> str:
    """``move 12``, or that there was none yet."""
    count = moves(n, state)
    return say("public.moves", moves=count) if count else say("public.no_moves")


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
    """The daily of today in the game and by the rules of another day's.

    >>> todays("daily.2026-11-21.bigben.book")
    'daily.bigben.book'
    """
    return f"daily.{'.'.join(race.split('.')[2:])}"


def day(when: date, say: Say) -> str:
    """A date as people write it."""
    return say("day", day=when.day, month=say(f"month.{when.month}"), year=when.year)


def race_name(race: str, say: Say) -> str:
    """``Daily race, 21 November 2026`` or ``Race K7QPXM``.

    A daily of another game than the main one, or by other rules than the usual, is another race of
    the same day: it is called by them too.
    """
    when = day_of(race)
    if when is None:
        return say("race.live", code=race)
    name = say("race.daily", day=day(when, say))
    game, rules = race.split(".")[2:]
    if (game, rules) == (MAIN, STANDARD):
        return name
    return f"{name} · {variant_name(game, rules, say)}"


def game_name(game: str, say: Say) -> str:
    """What a game is called."""
    return say.game_text(f"game.{game}")


def rules_name(game: str, rules: str, say: Say) -> str:
    """What rules are called; those that have no name of their own by their fields."""
    return say.game_text(f"rules.{game}.{rules}")


def variant_name(game: str, rules: str, say: Say) -> str:
    """A game and its rules; the usual rules go without saying.

    >>> from bigben_chat.texts import say_in
    >>> english = say_in("en")
    >>> variant_name("bigben", "book", english), variant_name("watch", "standard", english)
    ('Big Ben · Rules of the book', 'Watch')
    """
    named = game_name(game, say)
    return named if rules == STANDARD else f"{named} · {rules_name(game, rules, say)}"


def away(seat: Standing, say: Say) -> str:
    """What is said after the name of a player who is away; empty for all others."""
    if not seat.away or seat.state not in ("joined", "ready", "playing"):
        return ""
    if seat.ends_at:
        return f" · 💤 {say('public.ends', at=moment(seat.ends_at))}"
    return f" · 💤 {say('public.away')}"


def limits(room: Room, say: Say, *, graded: bool = False) -> str:
    """By what a race is played, in a few words."""
    game, rules = room.rules.game, room.rules.rules
    named = room.kind == "daily" and (game, rules) != (MAIN, STANDARD)
    said = [] if named else [variant_name(game, rules, say)]
    if room.kind == "deadline":
        said.append(say("race.deadline"))
    if room.rules.limit_ms:
        said.append(say("race.limit", minutes=room.rules.limit_ms // 60_000))
    if room.rules.undo:
        said.append(say("race.undo"))
    if room.rules.invite_only:
        said.append(say("race.invite"))
    if deal := deal_text(room, graded=graded):
        said.append(say.game_text(deal))
    return " · ".join(said)


def exceptions(room: Room, say: Say) -> str:
    """That the race is void, and why, or that its cards were dealt again; mostly empty."""
    if room.void:
        return say("public.void", why=name(say.sentence(room.void)))
    return say("public.dealt_again") if room.counter else ""


def par(room: Room, own: View | None, say: Say) -> str:
    """Par of a closed race, beside the moves of ``own`` if that game was won; empty without par."""
    if not room.par:
        return ""
    if own is None or own.state != "won":
        return say("public.par", par=room.par)
    return say("board.par", par=room.par, moves=own.n)
