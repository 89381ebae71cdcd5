"""One interaction: what may be answered to it, when, and how often."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from tests.discord.standin.activities import Instance
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel, User, member
from tests.discord.standin.problems import (
    ALREADY_ACKNOWLEDGED,
    TOKEN_EXPIRED,
    UNKNOWN_INTERACTION,
    UNKNOWN_WEBHOOK,
    Json,
    invalid,
)

Kind = Literal["command", "component", "autocomplete"]

ACKNOWLEDGE_S: Final = 3.0
TOKEN_S: Final = 15 * 60.0

MESSAGE, DEFER_MESSAGE, DEFER_UPDATE, UPDATE, CHOICES, LAUNCH = 4, 5, 6, 7, 8, 12
_TYPE: Final[Mapping[Kind, int]] = {"command": 2, "component": 3, "autocomplete": 4}
_ANSWERS: Final[Mapping[Kind, tuple[int, ...]]] = {
    "command": (MESSAGE, DEFER_MESSAGE, LAUNCH),
    "component": (MESSAGE, DEFER_MESSAGE, DEFER_UPDATE, UPDATE, LAUNCH),
    "autocomplete": (CHOICES,),
}
_GUILD, _DIRECT = 0, 1


@dataclass
class Interaction:
    """What a user did, and what became of it."""

    id: str
    token: str
    kind: Kind
    user: User
    channel: Channel
    born: float
    """By the stand-in's clock."""
    data: Json
    message: Message | None = None
    """Whose component was used."""
    roles: tuple[str, ...] = ()
    """Of the user in the guild."""
    answer: int = 0
    """The type of the callback; 0 before."""
    original: Message | None = None
    """What ``@original`` means in its routes."""
    instance: Instance | None = None
    """The frame that the answer has opened."""
    choices: list[tuple[str, str | int]] = field(default_factory=list)
    """Name and value of each, of an autocompletion."""
    followups: list[Message] = field(default_factory=list)

    def acknowledge(self, kind: int, now: float) -> None:
        """Take a callback of this type. Raises Problem."""
        if self.answer:
            raise ALREADY_ACKNOWLEDGED
        if self.late(now):
            raise UNKNOWN_INTERACTION
        if kind not in _ANSWERS[self.kind]:
            raise invalid(f"type: a {self.kind} can't be answered with {kind}")
        self.answer = kind

    def late(self, now: float) -> bool:
        """It is too late to acknowledge it, and nobody has."""
        return not self.answer and now - self.born > ACKNOWLEDGE_S

    def check_token(self, now: float) -> None:
        """Raises Problem unless its webhook can be used now."""
        if not self.answer:
            raise UNKNOWN_WEBHOOK
        if now - self.born > TOKEN_S:
            raise TOKEN_EXPIRED

    def payload(self, application: str) -> Json:
        """As the gateway dispatches it."""
        guild = self.channel.guild
        payload: Json = {
            "id": self.id,
            "application_id": application,
            "type": _TYPE[self.kind],
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": self.channel.id,
            "channel": self.channel.payload(),
            "locale": self.user.locale,
            "app_permissions": str(self.channel.bot_may),
            "entitlements": [],
            "attachment_size_limit": 10 * 1024 * 1024,
            "context": _DIRECT if guild is None else _GUILD,
        }
        if guild is None:
            payload["user"] = self.user.payload()
            owners = {"1": self.user.id}
        else:
            may = guild.permissions(self.user)
            payload["member"] = member(guild, self.user, permissions=may, roles=self.roles)
            payload["guild_id"] = guild.id
            payload["guild"] = {"id": guild.id, "locale": guild.locale, "features": []}
            payload["guild_locale"] = guild.locale
            owners = {"0": guild.id} if guild.bot_is_member else {"1": self.user.id}
        payload["authorizing_integration_owners"] = owners
        if self.message is not None:
            payload["message"] = self.message.payload()
        return payload

    def callback(self) -> Json:
        """The answer to a callback that asked for one."""
        described: Json = {"id": self.id, "type": _TYPE[self.kind], "channel_id": self.channel.id}
        answer: Json = {"interaction": described}
        if self.instance is not None:
            described["activity_instance_id"] = self.instance.id
            answer["resource"] = {"type": LAUNCH, "activity_instance": {"id": self.instance.id}}
        if self.original is not None and self.answer != CHOICES:
            described["response_message_id"] = self.original.id
            described["response_message_loading"] = self.original.thinking
            described["response_message_ephemeral"] = self.original.only_for is not None
            if self.answer in (MESSAGE, UPDATE):
                answer["resource"] = {"type": self.answer, "message": self.original.payload()}
        return answer
