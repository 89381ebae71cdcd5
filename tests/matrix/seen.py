"""What a client of Matrix makes of the events that it is sent. No input or output."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

Json = dict[str, Any]
"""What the homeserver sends; tests fail where it is not what they expect."""


class Downloading(Protocol):
    """Who can fetch pictures, and is somebody."""

    user: str

    def downloads(self, mxc: str) -> Awaitable[bytes]: ...


@dataclass(frozen=True)
class Message:
    """A message as it is now: with its latest edit, and the reactions to it."""

    id: str
    room: str
    sender: str
    at: datetime
    content: Json
    edits: int = 0
    reactions: frozenset[tuple[str, str]] = frozenset()
    """Each with the user who reacted so."""
    redacted: bool = False
    _download: Callable[[str], Awaitable[bytes]] = field(repr=False, compare=False, kw_only=True)

    @property
    def text(self) -> str:
        """What clients show that know no HTML."""
        return str(self.content.get("body", ""))

    @property
    def html(self) -> str:
        return str(self.content.get("formatted_body", ""))

    @property
    def picture(self) -> str | None:
        """Its address, mxc://…"""
        return self.content.get("url") if self.content.get("msgtype") == "m.image" else None

    @property
    def controls(self) -> Mapping[str, str]:
        """The buttons behind its emoji."""
        return dict(self.content.get("bigben.controls", {}))

    @property
    def reply_to(self) -> str | None:
        """The message that it answers."""
        relation: Json = self.content.get("m.relates_to", {})
        answered: str | None = relation.get("m.in_reply_to", {}).get("event_id")
        return answered

    def by(self, user: str) -> set[str]:
        """The reactions of one user."""
        return {key for key, one in self.reactions if one == user}

    async def png(self) -> bytes:
        """Its picture, downloaded."""
        assert self.picture, f"no picture: {self.text}"
        data = await self._download(self.picture)
        assert data.startswith(b"\x89PNG"), data[:8]
        return data


class Room:
    """What one member has been sent of a room."""

    def __init__(self, id: str, member: Downloading, *, invited: bool = False) -> None:
        self.id, self._member = id, member
        self.invited = invited
        """Whether they have not accepted yet."""
        self.events: list[Json] = []
        """Its timeline."""
        self.members: dict[str, str] = {}
        """The membership of each user: join, invite, leave, ban."""
        self.replaced_by: str | None = None
        """The room that it was upgraded to."""
        self._messages: dict[str, Message] = {}
        self._reactions: dict[str, tuple[str, str, str]] = {}
        """The message, key and user of each reaction."""

    def learn(self, events: Iterable[Json], *, state: bool = False) -> None:
        """Take in what has happened; ``state``: before what the timeline has."""
        for event in events:
            if not state:
                self.events.append(event)
            match event["type"]:
                case "m.room.member":
                    self.members[event["state_key"]] = event["content"].get("membership", "leave")
                case "m.room.tombstone":
                    self.replaced_by = event["content"].get("replacement_room")
                case "m.room.message":
                    self._learn_message(event)
                case "m.reaction":
                    self._learn_reaction(event)
                case "m.room.redaction":
                    self._forget(event["content"].get("redacts") or event["redacts"])
                case _:
                    pass

    def messages(self, after: str = "") -> list[Message]:
        """Those that there are, the oldest first; those that came ``after`` an event."""
        ids = [event["event_id"] for event in self.events]
        late = set(ids[ids.index(after) + 1 :]) if after in ids else set()
        return [
            self._as_it_is(one) for one in self._messages.values() if not after or one.id in late
        ]

    def reaction(self, message: str, key: str, user: str) -> str:
        """The id of a reaction. Raises KeyError if there is none."""
        return {whole: id for id, whole in self._reactions.items()}[message, key, user]

    def is_direct_with(self, other: str) -> bool:
        """Whether nobody but ``other`` is here, or will be."""
        there = {user for user, one in self.members.items() if one in ("join", "invite")}
        return there == {self._member.user, other} and self.replaced_by is None

    def __str__(self) -> str:
        return "\n".join(
            f"{one.sender}: {one.text}" + (f" ({one.edits} edits)" if one.edits else "")
            for one in self.messages()
        )

    def _as_it_is(self, message: Message) -> Message:
        reactions = self._reactions.values()
        return replace(
            message,
            reactions=frozenset((key, user) for on, key, user in reactions if on == message.id),
        )

    def _learn_message(self, event: Json) -> None:
        content, id = event["content"], event["event_id"]
        relation = content.get("m.relates_to", {})
        if relation.get("rel_type") != "m.replace":
            at = datetime.fromtimestamp(event["origin_server_ts"] / 1000, UTC)
            self._messages[id] = Message(
                id, self.id, event["sender"], at, content, _download=self._member.downloads
            )
        elif (old := self._messages.get(relation["event_id"])) and old.sender == event["sender"]:
            edited = replace(old, content=content["m.new_content"], edits=old.edits + 1)
            self._messages[old.id] = edited

    def _learn_reaction(self, event: Json) -> None:
        if relation := event["content"].get("m.relates_to"):  # not redacted since
            of = relation["event_id"], relation["key"], event["sender"]
            self._reactions[event["event_id"]] = of

    def _forget(self, event: str) -> None:
        self._reactions.pop(event, None)
        if old := self._messages.get(event):
            self._messages[event] = replace(old, content={}, redacted=True)
