"""The words of boards, profiles and groups. No messages and no codecs."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bigben_protocol.types import PlayerId

Period = Literal["daily", "weekly", "monthly", "all-time"]
"""What a board covers; weeks are ISO weeks, and every day is a UTC day."""

By = Literal["points", "rating"]
"""The order of a board that is longer than a day."""

GroupId = Annotated[str, Meta(max_length=96)]
"""A group of players: ``discord:8035…`` of a front end's own, ``the-aces`` made by players."""

Player = Annotated[str, Meta(max_length=128)]
"""A player's id."""


class Ranked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player on a board of many races."""

    player: PlayerId
    name: str
    place: int
    """1 is first; equal points or ratings share a place."""
    points: int = 0
    """On a board by points: the sum of the days."""
    rating: int = 0
    """On a board by rating: after the player's last race of the period."""
    provisional: bool = False
    """Fewer than ten rated races so far: the rating will still move far."""


class Streak(msgspec.Struct, frozen=True, omit_defaults=True):
    """Days in a row; a missed day breaks it."""

    now: int = 0
    """Up to today, or to yesterday while today may still be played."""
    longest: int = 0
    """Ever."""


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one player has done in one game by one set of rules."""

    game: str
    rules: str
    played: int = 0
    """Races with a result; practice has none."""
    won: int = 0
    """Games won: every card home."""
    best_ms: int = 0
    """The fastest win without undo, in ms; 0 for none."""
    best_race: str = ""
    """The race of the fastest win."""
    fewest_moves: int = 0
    """Of a win without undo; 0 for none."""
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


class HeadToHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a player stands against another, over all races that both have a result in."""

    player: PlayerId
    """The other one."""
    name: str
    ahead: int = 0
    """Races in which the player was before the other one."""
    behind: int = 0
    level: int = 0
    """Races with equal keys."""


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group that a player belongs to."""

    group: str
    """Its id, as boards are asked for by."""
    name: str = ""
    """Empty where the front end that speaks for the group knows it."""
    code: str = ""
    """Whoever has it can join; only members are told. Empty where nobody joins by code."""
