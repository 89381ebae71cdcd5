"""Messages: what they hold, who sees them, how an edit changes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.discord.standin import components
from tests.discord.standin.components import Button, Select
from tests.discord.standin.people import Channel, User
from tests.discord.standin.problems import EMPTY_MESSAGE, TOO_LARGE, Json, invalid

EPHEMERAL = 1 << 6
LOADING = 1 << 7
LONGEST = 2000
SIZE_LIMIT = 10 * 1024 * 1024


@dataclass(frozen=True)
class Attachment:
    """A file that was sent along."""

    id: str
    filename: str
    description: str
    data: bytes

    def payload(self) -> Json:
        """As it stands in a message."""
        url = f"https://cdn.invalid/attachments/{self.id}/{self.filename}"
        payload: Json = {
            "id": self.id,
            "filename": self.filename,
            "size": len(self.data),
            "url": url,
            "proxy_url": url,
        }
        if self.description:
            payload["description"] = self.description
        return payload


@dataclass(frozen=True)
class Version:
    """What a message showed, and since when (the stand-in's clock)."""

    at: float
    content: str
    components: list[Json]
    by: str = ""
    """The token of the interaction whose answer this is; empty for the bot's own permission."""


@dataclass
class Message:
    """One message of the bot's."""

    id: str
    channel: Channel
    author: User
    created: float
    only_for: User | None = None
    """Who alone sees it, if it is ephemeral."""
    content: str = ""
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    flags: int = 0
    edited: float | None = None
    deleted: bool = False
    versions: list[Version] = field(default_factory=list)
    """All it ever showed, the present included."""

    @property
    def thinking(self) -> bool:
        """It has only been promised so far."""
        return bool(self.flags & LOADING)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons, in order."""
        return list(components.buttons(self.components))

    @property
    def selects(self) -> list[Select]:
        """Its menus, in order."""
        return list(components.selects(self.components))

    def button(self, label: str) -> Button:
        """The one button whose label contains this. Raises AssertionError."""
        found = [button for button in self.buttons if label in button.label]
        labels = [button.label for button in self.buttons]
        assert len(found) == 1, f"{label!r} is on {len(found)} of the buttons {labels}"
        return found[0]

    @property
    def picture(self) -> Attachment:
        """Its one attachment."""
        (attachment,) = self.attachments
        return attachment

    def visible_to(self, user: User) -> bool:
        """Whether this user can see it at all."""
        return not self.deleted and self.only_for in (None, user)

    def change(
        self, body: Json, files: Mapping[str, "File"], new_id: "NewId", now: float, by: str
    ) -> None:
        """Take what ``body`` names and leave the rest. Raises Problem; nothing has changed then.

        ``by``: see ``Version``.
        """
        content = self.content
        if "content" in body:
            content = body["content"] or ""
            if len(content) > LONGEST:
                raise invalid(f"content: {len(content)} letters, more than {LONGEST}")
        rows = body["components"] or [] if "components" in body else None
        if rows is not None:
            components.check(rows)
        attachments = self._attached(body, files, new_id)
        embeds = (body["embeds"] or []) if "embeds" in body else self.embeds
        if not (content or attachments or embeds or (rows or [])):
            raise EMPTY_MESSAGE
        self.content, self.attachments, self.embeds = content, attachments, embeds
        if rows is not None:
            self.components = components.numbered(rows)
        self.flags &= ~LOADING
        self.versions.append(Version(now, content, self.components, by))

    def _attached(
        self, body: Json, files: Mapping[str, "File"], new_id: "NewId"
    ) -> list[Attachment]:
        """The attachments after the change: those that it keeps, then its files."""
        if sum(len(file.data) for file in files.values()) > SIZE_LIMIT:
            raise TOO_LARGE
        if "attachments" not in body:
            if files:
                raise invalid("attachments: files are there that the body does not name")
            return self.attachments
        held = {attachment.id: attachment for attachment in self.attachments}
        result: list[Attachment] = []
        for entry in body["attachments"] or []:
            number = str(entry["id"])
            description = entry.get("description") or ""
            if number in held:
                result.append(held[number])
            elif f"files[{number}]" in files:
                file = files[f"files[{number}]"]
                result.append(Attachment(new_id(), file.filename, description, file.data))
            else:
                raise invalid(f"attachments: no attachment and no file has id {number}")
        return result

    def payload(self) -> Json:
        """As Discord answers with it."""
        return {
            "id": self.id,
            "type": 20 if self.only_for else 0,
            "channel_id": self.channel.id,
            "author": self.author.payload(),
            "content": self.content,
            "timestamp": stamp(self.created),
            "edited_timestamp": stamp(self.edited) if self.edited else None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [attachment.payload() for attachment in self.attachments],
            "embeds": self.embeds,
            "components": self.components,
            "pinned": False,
            "flags": self.flags,
        }


@dataclass(frozen=True)
class File:
    """A part of a multipart body."""

    filename: str
    data: bytes


class NewId:
    """Makes snowflakes: ids that grow with time."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self) -> str:
        self._count += 1
        milliseconds = int(datetime.now(UTC).timestamp() * 1000) - 1_420_070_400_000
        return str((milliseconds << 22) + self._count)


def stamp(seconds: float) -> str:
    """A time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def pings(body: Json) -> list[str]:
    """Whom a message would ring for: what it mentions and allows itself to mention."""
    content = body.get("content") or ""
    allowed = body.get("allowed_mentions")
    kinds = {"users": "<@", "roles": "<@&", "everyone": "@"}
    parse = list(kinds) if allowed is None else allowed.get("parse", [])
    found = [kind for kind in parse if kinds[kind] in content]
    named = allowed or {}
    return [*found, *map(str, named.get("users", [])), *map(str, named.get("roles", []))]
