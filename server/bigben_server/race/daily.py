"""The daily races: one for each UTC day, game and rules."""

from collections.abc import Iterator
from datetime import date, timedelta
from hmac import digest
from typing import NamedTuple

from bigben_protocol import RaceId, Rules
from bigben_rules import GAMES, game_named
from bigben_server.race.events import Opened, Refusal

DAY_MS = 86_400_000


class Daily(NamedTuple):
    day: date
    game: str
    rules: str

    @property
    def id(self) -> RaceId:
        return RaceId(f"daily.{self.day}.{self.game}.{self.rules}")

    @property
    def opens_at(self) -> int:
        """00:00 UTC of its day, ms since 1970."""
        return (self.day - date(1970, 1, 1)).days * DAY_MS


def today(now: int) -> date:
    """The UTC day at ``now``, ms since 1970."""
    return date(1970, 1, 1) + timedelta(days=now // DAY_MS)


def is_daily(race: str) -> bool:
    """Whether the text names a daily; it may be invalid otherwise."""
    return race.split(".", 1)[0] == "daily"


def daily_named(race: str, now: int) -> Daily:
    """The daily named by ``daily``, ``daily.book`` or a whole id. Raises Refusal."""
    match race.split("."):
        case ["daily"]:
            return daily_on("", "bigben", "standard", now)
        case ["daily", rules]:
            return daily_on("", "bigben", rules, now)
        case ["daily", day, game, rules]:
            return daily_on(day, game, rules, now)
        case _:
            text = "A daily is called daily, daily.book or daily.2026-11-21.bigben.book."
            raise Refusal("unknown", text)


def daily_on(day: str, game: str, rules: str, now: int) -> Daily:
    """The daily of a day (empty for today), a game and rules. Raises Refusal."""
    try:
        rules = game_named(game).rules(rules)
    except ValueError as error:
        text = str(error)
        raise Refusal("unknown", f"{text[0].upper()}{text[1:]}.") from None
    try:
        if len(day.replace("-", "")) == len("2026W47"):  # which Python reads as its Monday
            raise ValueError(day)
        on = date.fromisoformat(day) if day else today(now)
    except ValueError:
        text = f"There is no day {day[:20]!r}; write it like 2026-11-21."
        raise Refusal("unknown", text) from None
    if on > today(now):
        raise Refusal("phase", f"The daily of {on} opens at 00:00 UTC of that day.")
    return Daily(on, game, rules)


def all_of(day: date) -> Iterator[Daily]:
    """Every daily of this day: one for each game and each of its rules."""
    return (Daily(day, game.name, rules) for game in GAMES.values() for rules in game.variants)


def is_today(race: str, now: int) -> bool:
    """Whether this is the id of a daily that is open now."""
    return race.startswith(f"daily.{today(now)}.")


def opened(daily: Daily, secret: bytes) -> Opened:
    """The first event of the daily's room; the same from every process with this secret."""
    seed = digest(secret, f"{daily.id} 0".encode(), "sha256").hex()
    at = daily.opens_at
    return Opened("daily", Rules(daily.game, daily.rules), seed, at, closes_at=at + DAY_MS)
