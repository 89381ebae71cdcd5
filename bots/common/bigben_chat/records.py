"""What a bot stores of every player, on any platform."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say, say_in
from bigben_client import Kept
from bigben_protocol import Rules
from bigben_protocol.texts import DEFAULT

MAIN: Final = Rules().game
"""The game of a race that names none."""
STANDARD: Final = Rules().rules


class PlayerRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the bot stores of a player, under the kind "player"."""

    race: str = ""
    """The race that they joined or saw last."""
    groups: tuple[ChatId, ...] = msgspec.field(default=(), name="guilds")
    """The groups in which they have played, the latest first."""
    four_colours: bool = True
    text: bool = False
    """Whether they want a text board instead of the picture."""
    seen: str = ""
    """The race whose board they saw last: typed moves go there."""
    races: tuple[str, ...] = ()
    """The races that they joined or saw, the latest first."""
    hints: bool = False
    """Whether their boards mark the cards that can go home."""
    shown: dict[str, int] = {}
    """After how many moves each race was when they saw its board last: what they type is for that
    position. Written when the bot stops; after a crash it may be an earlier one."""
    cheers: bool = True
    """Whether their boards show what others call."""
    language: str = ""
    """What they are answered in, where the platform does not say it; empty for the group's."""
    player: str = ""
    """The player that they are to the server, if they are tied to one of another front end."""


class KeptRace(msgspec.Struct, frozen=True):
    """What a player saw of one of their races: the evidence to check its end. Kind "kept"."""

    kept: Kept
    at: int
    """When it was written, ms since 1970."""


class PlaceRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where something is posted again and again."""

    channel: ChatId = 0
    """The place; 0 for none."""
    by: ChatId = 0
    """The user who chose the place; they get a message if a post fails there."""
    told: bool = False
    """Whether somebody got a message about the failure since the last successful post."""


class GroupRecord(PlaceRecord, frozen=True, omit_defaults=True):
    """The settings of a group and its daily post, under the kind "guild"."""

    time: str = "08:00"
    """The time of the daily post, in the group's time zone."""
    zone: str = "UTC"
    game: str = MAIN
    rules: str = STANDARD
    language: str = ""
    """Of public messages; empty for the one that the platform says the group has."""
    posted: str = ""
    """The day of the last daily post, ``2026-11-21``."""
    welcomed: bool = False
    """Whether the bot has introduced itself there."""
    role: ChatId = 0
    """The role that the daily post mentions, which members take or drop by a button; 0 for none."""


class SeasonRecord(PlaceRecord, frozen=True, omit_defaults=True):
    """Where news of a season are posted, under the kind "season" and the season's id."""

    group: ChatId = 0
    since: int = 0
    """Weeks that had closed before this are no news; ms since 1970."""
    posted: tuple[str, ...] = ()
    """Which news were, by the races of the weeks."""


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A user who wants to be reminded of a season's weeks. Kind "wish", ``SEASON:user``."""

    season: str
    user: ChatId
    since: int
    """ms since 1970."""
    language: str
    reminded: str = ""
    """The race of the week for which they were reminded last, or did not need it."""


class Post(msgspec.Struct, frozen=True, omit_defaults=True):
    """The public message of a race in a place, under the kind "post"."""

    race: str
    channel: ChatId
    """The place."""
    message: ChatId
    language: str = "en"
    players: tuple[str, ...] = ()
    """Players who joined the race here; a daily has more elsewhere."""
    head: str = ""
    """The text above the rest as the platform writes it: yesterday's podium, on a daily post."""
    remind: bool = False
    """Whether it has the button for the reminder role."""
    invite: str = ""
    """The invitation of an invite-only room: everybody who sees the message is invited."""


class PendingBoard(msgspec.Struct, frozen=True):
    """A message that will become a player's board, and the token that can edit it. Kind "wait"."""

    user: ChatId
    name: str
    guild: ChatId
    """The group."""
    race: str
    token: str
    """What the platform needs to edit the message, and nothing else."""
    interaction: ChatId
    """The request that the message answered, or the place for which it did."""
    message: ChatId
    language: str


class InstanceRecord(msgspec.Struct, frozen=True):
    """The race of a frame that players have opened. Kind "instance"."""

    race: str
    """What its players join: the race, or the invitation to it."""
    at: float
    """When it was said last, in seconds since 1970."""


INSTANCE_TIME: Final = timedelta(days=1)
"""A frame in which no race was chosen for so long is forgotten."""


def player_record(store: Store, user: ChatId) -> PlayerRecord:
    """What is stored of this player."""
    return store.get("player", user, PlayerRecord) or PlayerRecord()


def group_record(store: Store, group: ChatId) -> GroupRecord:
    """The settings of this group."""
    return store.get("guild", group, GroupRecord) or GroupRecord()


def zone_named(name: str) -> ZoneInfo:
    """The time zone; UTC where it no longer exists. It did when it was chosen: they are renamed."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def say_of(store: Store, user: ChatId, group: ChatId) -> Say:
    """What this user is answered in: their own choice, or else the group's, or else English."""
    record = player_record(store, user)
    # Alone with the bot they are still one of the group in which they played last.
    theirs = group_record(store, group or next(iter(record.groups), 0))
    return say_in(record.language or theirs.language or DEFAULT)


def race_of_instance(store: Store, instance: str, now: datetime) -> str:
    """The race of this frame; empty if it was opened without one, or too long ago."""
    record = store.get("instance", instance, InstanceRecord)
    return record.race if record and _lasts(record, now) else ""


def put_instance(store: Store, instance: str, race: str, now: datetime) -> None:
    """Store what this frame plays from now on, and forget old ones."""
    for key, record in store.all("instance", InstanceRecord):
        if not _lasts(record, now):
            store.drop("instance", key)
    store.put("instance", instance, InstanceRecord(race, now.timestamp()))


def _lasts(record: InstanceRecord, now: datetime) -> bool:
    return now.timestamp() - record.at < INSTANCE_TIME.total_seconds()
