"""The types that messages about boards, profiles and groups are made of."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bigben_protocol.types import PlayerId, RaceId, State

By = Literal["points", "rating"]
"""The order of a board that is longer than a day."""

GroupId = Annotated[str, Meta(max_length=96)]
"""A group of players: ``discord:8035…`` is a front end's own, ``the-aces`` was made by players."""

Player = Annotated[str, Meta(max_length=128)]
"""A player's id."""


class Ranked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player on a board of many races."""

    player: PlayerId
    name: str
    place: int
    """1 is first; equal points or ratings share a place."""
    points: int = 0
    """On a board by points: the sum over the days of the period."""
    rating: int = 0
    """On a board by rating: the rating after the player's last race of the period."""
    provisional: bool = False
    """The player has fewer than ten rated races, so the rating can still change a lot."""


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a player on a page of a board has done lately, in its game and rules."""

    player: PlayerId
    rating: int = 0
    """The rating now; 0 without a rated race."""
    provisional: bool = False
    """Fewer than ten rated races."""
    lately: tuple[int, ...] = ()
    """Cards home in fourteen dailies, the last of them that of the board's day, or today's on a
    board of more days; -1 for a day without a result."""


class WeekRating(msgspec.Struct, frozen=True):
    """A player's rating after the last rated race of an ISO week."""

    week: str
    """``2026-W47``."""
    rating: int


class Streak(msgspec.Struct, frozen=True, omit_defaults=True):
    """Days in a row; a missed day ends a streak."""

    now: int = 0
    """Up to today, or up to yesterday while today's race can still be played."""
    longest: int = 0
    """The longest streak so far."""


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's races in one game and one set of rules."""

    game: str
    rules: str
    played: int = 0
    """Races with a result; practice has none."""
    won: int = 0
    """Games won, with every card home."""
    best_ms: int = 0
    """Time of the fastest win without undo, in ms; 0 for none."""
    best_race: str = ""
    """The race of the fastest win."""
    fewest_moves: int = 0
    """Fewest moves in a win without undo; 0 for none."""
    fewest_race: str = ""
    """The race of the win with the fewest moves."""
    days_played: Streak = Streak()
    """Daily races in a row."""
    days_won: Streak = Streak()
    """Daily races won in a row."""
    rating: int = 0
    """0 before the first rated race."""
    rated: int = 0
    """Rated races."""
    provisional: bool = False
    """Fewer than ten of them."""
    uncertainty: int = 0
    """The player's strength is almost surely between ``rating`` and twice this above it. This field
    and those below are there if GetProfile asked for ``form``."""
    ratings: tuple[WeekRating, ...] = ()
    """Of each week with a rated race, the latest last, at most 53."""
    homes: tuple[int, ...] = ()
    """How many results there are with how many cards home: thirteen columns, each for a thirteenth
    of the cards; the last one has also those with all cards home."""
    lately: tuple[int, ...] = ()
    """Cards home in the fourteen dailies up to today's; -1 for a day without a result."""


class Week(msgspec.Struct, frozen=True):
    """A player's results in one ISO week, over all games and rules."""

    week: str
    """``2026-W47``."""
    played: int
    won: int
    home: int
    """Cards home, in all these races together."""


class PastRace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's result in one race."""

    race: RaceId
    game: str
    rules: str
    day: str
    """On which it was played: ``2026-11-21``."""
    state: State
    home: int = 0
    home_ms: int = 0
    place: int = 0
    """Among those whose results are recorded; 0 if the server can't tell."""
    players: int = 0
    """How many these are."""


class HeadToHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player compared with another, over all races in which both have a result."""

    player: PlayerId
    """The other player."""
    name: str
    ahead: int = 0
    """Races in which the player came before the other one."""
    behind: int = 0
    level: int = 0
    """Races in which both have the same place."""


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group that a player belongs to."""

    group: str
    """Its id, for GetLeaderboard."""
    name: str = ""
    """Empty for a front end's own group: the front end knows its name."""
    code: str = ""
    """Anybody who has it can join; only members receive it. Empty if nobody can join by code."""
