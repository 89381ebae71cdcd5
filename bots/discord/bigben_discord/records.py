"""The bot's records of guilds, of public messages and of pending boards."""

import msgspec

from bigben_chat.messages.formatting import MAIN, STANDARD


class Guild(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a guild, under the kind "guild"."""

    channel: int = 0
    """The channel of the daily post; 0 for none."""
    time: str = "08:00"
    """The time of the daily post, in the guild's time zone."""
    zone: str = "UTC"
    game: str = MAIN
    rules: str = STANDARD
    language: str = ""
    """Of public messages; empty for the one that Discord says the guild has."""
    posted: str = ""
    """The day of the last daily post, ``2026-11-21``."""
    by: int = 0
    """The user who chose the channel; they get a message if the post fails there."""
    told: bool = False
    """Whether somebody got a message about the failure since the last successful post."""
    welcomed: bool = False
    """Whether the bot has introduced itself there."""
    role: int = 0
    """The role that the daily post mentions, which members take or drop by a button; 0 for none."""


class Post(msgspec.Struct, frozen=True, omit_defaults=True):
    """The public message of a race in a channel, under the kind "post"."""

    race: str
    channel: int
    message: int
    language: str = "en"
    players: tuple[str, ...] = ()
    """Players who joined the race here; a daily has more elsewhere."""
    head: str = ""
    """The text above the rest: yesterday's podium, on a daily post."""
    remind: bool = False
    """Whether it has the button for the reminder role."""
    invite: str = ""
    """The invitation of an invite-only room: everybody who sees the message is invited."""


class PendingBoard(msgspec.Struct, frozen=True):
    """A message that will become a player's board, and the token that can edit it. Kind "wait"."""

    user: int
    name: str
    guild: int
    race: str
    token: str
    """The interaction's token; valid for fifteen minutes, for this message alone."""
    interaction: int
    message: int
    language: str


class Commands(msgspec.Struct, frozen=True):
    """The commands that were last synced, under the kind "commands"."""

    digest: str
