"""What happens in rooms, on platforms that tell a bot all that is said and done there."""

from typing import TypeAlias

import msgspec


class _Sent(msgspec.Struct, frozen=True):
    """What somebody else did: who, where, and when (ms since 1970, by their clock)."""

    room: str
    event: str
    sender: str
    name: str
    at: int


class Said(_Sent, frozen=True, tag="said", kw_only=True, omit_defaults=True):
    """A new message of text."""

    text: str
    reply_to: str = ""
    """The message that it answers; empty for none."""


class Reacted(_Sent, frozen=True, tag="reacted"):
    """A reaction to a message, maybe not to one of the bot's.

    The ``key`` is an emoji without variation selectors: some clients send them, some don't.
    """

    target: str
    key: str


class Unreacted(_Sent, frozen=True, tag="unreacted"):
    """A user took a reaction back; ``event`` is of the taking back."""

    target: str
    key: str


class Redacted(_Sent, frozen=True, tag="redacted"):
    """The ``sender`` deleted an event, their own or as a moderator."""

    target: str


class Encrypted(msgspec.Struct, frozen=True, tag="encrypted"):
    """The room is encrypted, which the bot can't read; once of each room."""

    room: str


class Invited(msgspec.Struct, frozen=True, tag="invited"):
    """The bot may join the room."""

    room: str
    by: str


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """The bot itself has joined the room."""

    room: str


class Removed(msgspec.Struct, frozen=True, tag="removed"):
    """The bot is no longer in the room: it was kicked, was banned or has left."""

    room: str


class Replaced(msgspec.Struct, frozen=True, tag="replaced"):
    """The room names another one that replaces it, where the bot is not yet."""

    room: str
    into: str
    by: str


class Upgraded(msgspec.Struct, frozen=True, tag="upgraded"):
    """The bot is in the room that replaces another. It has the same group."""

    room: str
    into: str


class Left(msgspec.Struct, frozen=True, tag="left"):
    """Somebody else is no longer in the room."""

    room: str
    user: str


Asked: TypeAlias = Said | Reacted | Unreacted
"""What a user asks of the bot."""
Happening: TypeAlias = (
    Asked | Redacted | Encrypted | Invited | Joined | Removed | Replaced | Upgraded | Left
)
