"""The daily races: one for each UTC day, game and rules."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from hmac import digest
from typing import Final, NamedTuple

from bigben_protocol import Code, RaceId, Rules
from bigben_protocol.sentence import sentence
from bigben_rules import GAMES, counted
from bigben_server.race.events import Opened, Refusal

DAY_MS = 86_400_000
FIRST_DAY: Final = date(2026, 1, 1)
"""A seed follows for any day, but before this one nobody had a server."""
MAIN: Final = "bigben"
"""The game of ``daily``."""
STANDARD: Final = "standard"


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


def rules_named(game: str, rules: str | Mapping[str, str], code: Code) -> str:
    """The name of these rules of a game. Raises Refusal with this code."""
    if game not in GAMES:
        said = sentence("game.unknown", name=ascii(game[:40]), games=", ".join(GAMES))
        raise Refusal(code, said)
    try:
        return GAMES[game].rules(rules)
    except ValueError as error:
        why = str(error)
        raise Refusal(code, sentence("game.rules", why=f"{why[:1].upper()}{why[1:]}")) from None


def is_daily(race: str) -> bool:
    """Whether the text names a daily; it may be invalid otherwise."""
    return race.split(".", 1)[0] == "daily"


def daily_named(race: str, now: int) -> Daily:
    """The daily named by a whole id, or by a short name for today. Raises Refusal.

    ``daily.book`` are rules of the main game, ``daily.watch`` is a game in its standard rules, and
    ``daily.germanclock.1`` names both.
    """
    match race.split("."):
        case ["daily"]:
            return daily_on("", MAIN, STANDARD, now)
        case ["daily", name]:
            return daily_on("", *_short(name), now)
        case ["daily", game, rules]:
            return daily_on("", game, rules, now)
        case ["daily", day, game, rules]:
            return daily_on(day, game, rules, now)
        case _:
            text = sentence("daily.name")
            raise Refusal("unknown", text)


def _short(name: str) -> tuple[str, str]:
    """The game and the rules of ``daily.NAME``. Raises Refusal."""
    if name in GAMES:
        return name, STANDARD
    try:
        return MAIN, GAMES[MAIN].rules(name)
    except ValueError:
        rules, games = ", ".join(GAMES[MAIN].description.presets), ", ".join(GAMES)
        text = sentence("daily.unknown", name=repr(name[:40]), rules=rules, games=games)
        raise Refusal("unknown", text) from None


def daily_on(day: str, game: str, rules: str, now: int) -> Daily:
    """The daily of a day (empty for today), a game and rules. Raises Refusal."""
    rules = rules_named(game, rules, "unknown")
    try:
        if len(day.replace("-", "")) == len("2026W47"):  # which Python reads as its Monday
            raise ValueError(day)
        on = date.fromisoformat(day) if day else today(now)
    except ValueError:
        said = sentence("daily.no_day", day=repr(day[:20]))
        raise Refusal("unknown", said) from None
    if on > today(now):
        raise Refusal("phase", sentence("daily.not_open", day=str(on)))
    return Daily(on, game, rules)


def past(race: str, now: int) -> Daily:
    """The daily with this whole id, which must be over. Raises Refusal."""
    daily = daily_named(race, now)
    if daily.id != race:
        raise Refusal("unknown", sentence("daily.full_name", name=daily.id))
    if daily.day < FIRST_DAY:
        raise Refusal("unknown", sentence("daily.first", day=str(FIRST_DAY)))
    if daily.day == today(now):
        raise Refusal("phase", sentence("daily.still_open"))
    return daily


def all_of(day: date) -> Iterator[Daily]:
    """Every daily of this day: one for each game and each of its rules."""
    return (Daily(day, game.name, rules) for game in GAMES.values() for rules in game.variants)


def is_today(race: str, now: int) -> bool:
    """Whether this is the id of a daily that is open now."""
    return race.startswith(f"daily.{today(now)}.")


def seed_of(first: Opened) -> bytes:
    """The seed of the cards of a daily that was opened like this."""
    return counted(bytes.fromhex(first.server_seed), first.chosen.deal)


def opened(daily: Daily, secret: bytes, counter: int = 0) -> Opened:
    """The first event of the daily's room; the same from every process with this secret.

    ``counter``: not 0 if the dailies of this day were dealt again.
    """
    seed = digest(secret, f"{daily.id} {counter}".encode(), "sha256").hex()
    at, rules = daily.opens_at, Rules(daily.game, daily.rules)
    return Opened("daily", rules, seed, at, closes_at=at + DAY_MS, counter=counter)
