"""What the bot knows of its rooms: groups, names, who may manage, and which room is whose."""

import asyncio
import base64
import hashlib
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec

from bigben_chat.connections.identity import ChatUser
from bigben_chat.platform import Gone, NotAllowed, PlatformError
from bigben_chat.store import Store
from bigben_matrix.happenings import (
    Encrypted,
    Event,
    Happening,
    Invited,
    Joined,
    Left,
    Removed,
    Replaced,
    Upgraded,
    id_in,
    membership,
    part,
    read,
    text_in,
)
from bigben_matrix.homeserver import DIRECT, Batch, Homeserver, RoomUpdate

_log = logging.getLogger(__name__)

MOST_ROOMS: Final = 500
"""Beyond these the bot accepts no invitation."""
MANAGES: Final = 50
"""The power level of a room's moderators."""
MOST_NAME: Final = 100
MOST_NAMES: Final = 1_000
"""Of how many members of a room the bot remembers the names."""
DIRECT_NAME: Final = "Big Ben"
_CREATOR_LEVEL: Final = 2**53
_OLD_VERSIONS: Final = frozenset(map(str, range(1, 12)))
"""In these versions of rooms who created a room has no power by that."""


class RoomRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is stored of a room where the bot is, under the kind "room"."""

    group: str
    """The group of those who are there; the room that replaces this one has the same."""
    direct: str = ""
    """The user for whom the bot opened it; empty of other rooms."""
    encrypted: bool = False
    """Whether it was encrypted when the bot saw it last."""
    into: str = ""
    """The room that replaces it."""
    here: bool = True
    """Whether the bot is there. It may come back to the same group."""


class DirectRoom(msgspec.Struct, frozen=True):
    """The room of a user and the bot, under the kind "direct"."""

    room: str


@dataclass
class Room:
    """What the state of a room says."""

    name: str = ""
    names: dict[str, str] = field(default_factory=dict)
    """Of members who were active lately."""
    levels: Event = field(default_factory=dict)
    creators: set[str] = field(default_factory=set)
    """Who has all power for ever."""
    predecessor: str = ""
    opened_for: str = ""
    """For whom the bot opened it, by its first event."""
    encrypted: bool = False
    present: dict[str, str] | None = None
    """Of a direct room: the membership of everybody; None if that has to be asked."""

    def learn(self, event: Event, me: str) -> None:
        """Take in a state event. One of an unexpected shape says nothing."""
        content, key = part(event, "content"), event.get("state_key")
        match event.get("type"):
            case "m.room.member" if isinstance(key, str):
                self.names.pop(key, None)
                self.names[key] = text_in(content, "displayname", MOST_NAME)
                if len(self.names) > MOST_NAMES:
                    del self.names[next(iter(self.names))]
                if self.present is not None:
                    self.present[key] = text_in(content, "membership")
            case "m.room.power_levels" if key == "":
                self.levels = content
            case "m.room.name" if key == "":
                self.name = text_in(content, "name", MOST_NAME)
            case "m.room.encryption" if key == "":
                self.encrypted = True
            case "m.room.create" if key == "":
                self._created(event, content, me)

    def _created(self, event: Event, content: Event, me: str) -> None:
        creator = id_in(event, "sender", "@")
        self.predecessor = id_in(part(content, "predecessor"), "room_id", "!")
        if creator == me:
            self.opened_for = id_in(content, DIRECT, "@")
        if text_in(content, "room_version") not in {"", *_OLD_VERSIONS}:
            others = content.get("additional_creators")
            others = others if isinstance(others, list) else []
            self.creators = {creator, *(one for one in others if isinstance(one, str))}

    def level(self, user: str) -> int:
        """The user's power level."""
        if user in self.creators:
            return _CREATOR_LEVEL
        found = part(self.levels, "users").get(user, self.levels.get("users_default"))
        return found if isinstance(found, int) else 0


class Rooms:
    """All rooms where the bot is. `learn` has to be given every batch, in order."""

    def __init__(self, homeserver: Homeserver, store: Store) -> None:
        self._homeserver = homeserver
        self._store = store
        self._rooms: dict[str, Room] = {}
        self._known = asyncio.Event()
        """Set when it is known where the bot is."""
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    # What is known

    def record(self, room: str) -> RoomRecord:
        """What is stored of a room, or will be."""
        return self._store.get("room", room, RoomRecord) or RoomRecord(_group(room))

    def direct_user(self, room: str) -> str:
        """For whom the bot opened this room; empty of other rooms."""
        return self.record(room).direct

    def user(self, room: str, user: str, name: str) -> ChatUser:
        """A user in a room."""
        record = self.record(room)
        if record.direct:
            return ChatUser(user, name)
        return ChatUser(user, name, record.group, manages=self.manages(room, user))

    def manages(self, room: str, user: str) -> bool:
        """Whether the user is a moderator of the room."""
        return self._room(room).level(user) >= MANAGES

    def name(self, room: str, user: str) -> str:
        """The user's name in the room."""
        found = self._rooms[room].names.get(user) if room in self._rooms else ""
        return found or user.removeprefix("@").partition(":")[0]

    def of_group(self, group: str) -> Iterator[str]:
        """The rooms of a group where the bot is."""
        for room, record in self._store.all("room", RoomRecord):
            if record.group == group and record.here and not record.direct:
                yield room

    def group_name(self, group: str) -> str:
        """What its members call a group; empty if it has no name."""
        return next((name for room in self.of_group(group) if (name := self._room(room).name)), "")

    def manager(self, group: str) -> str:
        """Who may do most in a group's rooms, beside the bot; empty if nobody may manage them."""
        for room in self.of_group(group):
            known = self._room(room)
            users = {*part(known.levels, "users"), *known.creators} - {self._homeserver.user}
            managers = [user for user in sorted(users) if known.level(user) >= MANAGES]
            if managers:
                return max(managers, key=known.level)
        return ""

    async def members(self, room: str) -> dict[str, str]:
        """Who is in the room, and their names there. Raises PlatformError."""
        found = await self._homeserver.members(room)
        return {
            user: text_in(part(event, "content"), "displayname", MOST_NAME) or user[1:]
            for event in found
            if (user := id_in(event, "state_key", "@"))
            and part(event, "content").get("membership") == "join"
        }

    # What a batch says

    def learn(self, batch: Batch) -> list[Happening]:
        """Take in a batch; what happened. It writes records, for the caller's transaction."""
        happened: list[Happening] = []
        for room, update in batch.joined.items():
            happened += self._learn(room, update)
        for room, state in batch.invited.items():
            happened.append(Invited(room, self._inviter(state)))
        gone = batch.left & set(self._rooms)
        if batch.whole:
            known = {room for room, record in self._store.all("room", RoomRecord) if record.here}
            gone |= known - set(batch.joined)
        for room in sorted(gone):
            self._rooms.pop(room, None)
            self._put(room, here=False)
            happened.append(Removed(room))
        self._known.set()
        return happened

    def _learn(self, room: str, update: RoomUpdate) -> list[Happening]:
        me = self._homeserver.user
        known = self._rooms.setdefault(room, Room())
        if not update.complete:
            known.present = None
        happened: list[Happening] = []
        for event in update.state:
            known.learn(event, me)
            happened += self._replaced(room, event)
        record = self._put(room, here=True)
        if known.opened_for and not record.direct:
            record = self._adopt(room, known.opened_for)
        for event in update.events:
            if "state_key" in event:
                known.learn(event, me)
                happened += self._replaced(room, event)
                happened += self._member(room, event)
            elif (found := read(room, event, me, lambda user: self.name(room, user))) is not None:
                happened.append(found)
        if known.encrypted and not record.encrypted:
            self._put(room, encrypted=True)
            happened.append(Encrypted(room))
        upgraded = self._upgraded(known.predecessor, room)
        if upgraded or record.direct:
            happened = [one for one in happened if one != Joined(room)]
        return happened + upgraded

    def _inviter(self, state: list[Event]) -> str:
        for event in state:
            if event.get("state_key") == self._homeserver.user:
                return id_in(event, "sender", "@")
        return ""

    def _member(self, room: str, event: Event) -> list[Happening]:
        user, before, now = membership(event)
        if user == self._homeserver.user and now == "join" != before:
            return [Joined(room)]
        left = before == "join" and now in ("leave", "ban")
        return [Left(room, user)] if left and user != self._homeserver.user else []

    def _replaced(self, room: str, event: Event) -> list[Happening]:
        """What a room says of the one that replaces it, where the bot never was."""
        into = id_in(part(event, "content"), "replacement_room", "!")
        if event.get("type") != "m.room.tombstone" or event.get("state_key") != "" or not into:
            return []
        self._put(room, into=into)
        if self._store.get("room", into, RoomRecord):
            return self._upgraded(room, into)
        return [Replaced(room, into, id_in(event, "sender", "@"))]

    def _upgraded(self, old: str, new: str) -> list[Happening]:
        """The group moves where both rooms say so: neither can take what is not its own."""
        before = self._store.get("room", old, RoomRecord)
        if before is None or before.into != new or self._room(new).predecessor != old:
            return []
        if self.record(new).group == before.group:
            return []
        self._put(new, group=before.group)
        return [Upgraded(old, new)]

    # Rooms that the bot enters and opens

    async def enter(self, happening: Invited | Replaced) -> None:
        """Join where the bot is invited, or what replaces its room. Raises PlatformError."""
        if isinstance(happening, Replaced):
            await self._homeserver.join(happening.into, _servers(happening.by))
        elif len(self._rooms) < MOST_ROOMS:
            await self._homeserver.join(happening.room, _servers(happening.by))
        else:
            _log.warning("the bot is in %d rooms, and enters no more", MOST_ROOMS)
            await self._homeserver.leave(happening.room)

    async def direct(self, user: str) -> str:
        """The room of this user and the bot, where nobody else is. Raises PlatformError.

        A new one, if the user has left it, somebody else is there, or it is encrypted.
        """
        await self._known.wait()
        async with self._opening[user]:
            before = self._store.get("direct", user, DirectRoom)
            if before and await self.is_private(before.room, user):
                return before.room
            room = await self._homeserver.create_direct(user, DIRECT_NAME)
            if await self._homeserver.is_encrypted(room):
                await self._homeserver.leave(room)
                raise NotAllowed("this homeserver encrypts all rooms")
            known = self._rooms.setdefault(room, Room())
            known.present = {self._homeserver.user: "join", user: "invite"} | (known.present or {})
            with self._store.transaction():
                self._store.put("direct", user, DirectRoom(room))
                self._put(room, direct=user)
            with suppress(PlatformError):
                if before:
                    await self._homeserver.leave(before.room)
            with suppress(PlatformError):
                await self._name_direct_rooms()
            return room

    async def is_private(self, room: str, user: str) -> bool:
        """Whether the bot is there with this user alone, and can be read. Raises PlatformError."""
        await self._known.wait()
        known = self._rooms.get(room)
        if known is None or known.encrypted:
            return False
        if known.present is None:
            try:
                known.present = await self._present(known, room)
            except Gone:
                return False
        here = {one for one, what in known.present.items() if what in ("join", "invite")}
        return here == {self._homeserver.user, user}

    async def _present(self, known: Room, room: str) -> dict[str, str]:
        known.present = {}  # for what happens in the meantime
        try:
            members = await self._homeserver.members(room)
        except PlatformError:
            known.present = None
            raise
        found = {
            text_in(one, "state_key"): text_in(part(one, "content"), "membership")
            for one in members
        }
        return found | (known.present or {})

    async def _name_direct_rooms(self) -> None:
        """Say to the account's clients which rooms are direct ones."""
        rooms = {user: [record.room] for user, record in self._store.all("direct", DirectRoom)}
        await self._homeserver.put_account_data("m.direct", rooms)

    def _adopt(self, room: str, user: str) -> RoomRecord:
        """A room that the bot has opened: just now, or just before it was killed."""
        if self._store.get("direct", user, DirectRoom) is None:
            self._store.put("direct", user, DirectRoom(room))
        return self._put(room, direct=user)

    def _room(self, room: str) -> Room:
        return self._rooms.get(room) or Room()

    def _put(self, room: str, **changes: str | bool) -> RoomRecord:
        before = self._store.get("room", room, RoomRecord)
        after = msgspec.structs.replace(before or RoomRecord(_group(room)), **changes)
        if after != before:
            self._store.put("room", room, after)
        return after


def _group(room: str) -> str:
    """The group of a room: the race server takes short names of plain letters only."""
    return base64.b32encode(hashlib.sha256(room.encode()).digest()).decode()[:16].lower()


def _servers(user: str) -> list[str]:
    """By way of whose homeserver a room can be joined."""
    return [server] if (server := user.partition(":")[2]) else []
