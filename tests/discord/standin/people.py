"""Users, guilds and channels as Discord describes them. Frozen; nothing happens here."""

from dataclasses import dataclass, field
from typing import Final

from tests.discord.standin.problems import Json

JOINED: Final = "2024-05-01T10:00:00.000000+00:00"

MANAGE_GUILD: Final = 1 << 5
VIEW_CHANNEL: Final = 1 << 10
SEND_MESSAGES: Final = 1 << 11
EMBED_LINKS: Final = 1 << 14
ATTACH_FILES: Final = 1 << 15
MENTION_EVERYONE: Final = 1 << 17
USE_COMMANDS: Final = 1 << 31
MANAGE_ROLES: Final = 1 << 28
ORDINARY: Final = VIEW_CHANNEL | SEND_MESSAGES | EMBED_LINKS | ATTACH_FILES | USE_COMMANDS


@dataclass(frozen=True)
class User:
    """Somebody with an account."""

    id: str
    name: str
    """Their display name."""
    locale: str = "en-US"
    bot: bool = False

    def payload(self) -> Json:
        """As it stands in messages and interactions."""
        return {
            "id": self.id,
            "username": f"user{self.id[-6:]}",
            "global_name": None if self.bot else self.name,
            "avatar": None,
            "discriminator": "0",
            "public_flags": 0,
            "flags": 0,
            "bot": self.bot,
            "primary_guild": None,
        }


@dataclass(frozen=True)
class Role:
    """A role of a guild."""

    id: str
    name: str
    permissions: int = 0
    position: int = 1
    mentionable: bool = True

    def payload(self) -> Json:
        """As it stands in guilds and in what commands resolve."""
        return {
            "id": self.id,
            "name": self.name,
            "permissions": str(self.permissions),
            "position": self.position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": self.mentionable,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }


@dataclass(frozen=True)
class Guild:
    """What people call a server."""

    id: str
    name: str
    locale: str = "en-US"
    bot_is_member: bool = True
    """False where only users have installed the application."""
    guests_speak: bool = True
    """Whether an application that only a user has installed may answer so that all see it."""
    managers: frozenset[str] = frozenset()
    """Ids of the users who may manage it."""
    bot_role: Role | None = None
    """The bot's own, if it has one."""

    def permissions(self, user: User) -> int:
        """Of a member, before a channel's own."""
        return ORDINARY | (MANAGE_GUILD | MANAGE_ROLES if user.id in self.managers else 0)

    def everyone(self) -> Json:
        """The role that all members have."""
        return {**Role(self.id, "@everyone", ORDINARY, 0).payload(), "mentionable": False}


@dataclass(frozen=True)
class Channel:
    """Where messages are: of a guild, or between users."""

    id: str
    name: str
    guild: Guild | None = None
    denied: int = 0
    """What nobody may do here, the bot included."""
    members: tuple[User, ...] = field(default=())
    """Of a direct message."""

    @property
    def bot_may(self) -> int:
        """What the bot may do through the channel's own routes."""
        if self.guild is None:
            return ORDINARY
        return ORDINARY & ~self.denied if self.guild.bot_is_member else 0

    def payload(self) -> Json:
        """As it stands in guilds and interactions."""
        if self.guild is None:
            recipients = [user.payload() for user in self.members]
            return {"id": self.id, "type": 1, "recipients": recipients, "last_message_id": None}
        denied = {"id": self.guild.id, "type": 0, "allow": "0", "deny": str(self.denied)}
        return {
            "id": self.id,
            "type": 0,
            "guild_id": self.guild.id,
            "name": self.name,
            "position": 0,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "last_message_id": None,
            "rate_limit_per_user": 0,
            "flags": 0,
            "permission_overwrites": [denied] if self.denied else [],
        }


def member(
    guild: Guild, user: User, *, permissions: int | None = None, roles: tuple[str, ...] = ()
) -> Json:
    """A user as a member of a guild, and in an interaction what they may do there."""
    payload: Json = {
        "user": user.payload(),
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": list(roles),
        "joined_at": JOINED,
        "premium_since": None,
        "pending": False,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
    if permissions is not None:
        payload["permissions"] = str(permissions)
    return payload
