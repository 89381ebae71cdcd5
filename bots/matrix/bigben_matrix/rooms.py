"""What the bot knows of its rooms: groups, names, who may manage, and which room is whose."""

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec

from bigben_chat.connections.identity import ChatUser, group_of
from bigben_chat.happenings import (
    Encrypted,
    Happening,
    Invited,
    Joined,
    Left,
    Removed,
    Replaced,
    Upgraded,
)
from bigben_chat.platform import NotAllowed, PlatformError
from bigben_chat.store import Store
from bigben_chat.untrusted import Json, id_in, part, text_in, texts
from bigben_matrix.happenings import joins, membership, read
from bigben_matrix.homeserver import DIRECT, Batch, Homeserver, RoomUpdate

_log = logging.getLogger(__name__)

MOST_ROOMS: Final = 500
"""Beyond these the bot accepts no invitation."""
MOST_BY_ONE: Final = 50
"""Beyond these it accepts none of the same user: there is room for those of others."""
MANAGES: Final = 50
"""The power level of a room's moderators."""
MOST_NAME: Final = 100
MOST_NAMES: Final = 1_000
"""Of how many members of a room the bot remembers the names."""
DIRECT_NAME: Final = "Big Ben"
_ALL_POWER: Final = 2**53
_CREATORS_ARE_NO_MORE: Final = {"", *map(str, range(1, 12))}
"""The versions of rooms in which their creators have no power by that."""


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
    """Whether the bot is there, or goes there. It may come back to the same group."""
    by: str = ""
    """Who asked the bot there."""


@dataclass
class Room:
    """What the state of a room says."""

    name: str = ""
    names: dict[str, str] = field(default_factory=dict)
    """Of members who were active lately."""
    levels: Json = field(default_factory=dict)
    creators: set[str] = field(default_factory=set)
    """Who has all power for ever."""
    predecessor: str = ""
    opened_for: str = ""
    """For whom the bot opened it."""
    encrypted: bool = False
    moves: int = 0
    """How often somebody came or went."""
    present: dict[str, str] | None = None
    """Of a direct room: the membership of everybody; None if that has to be asked."""

    def learn(self, event: Json, me: str) -> None:
        """Take in a state event. One of an unexpected shape says nothing."""
        content = part(event, "content")
        match event.get("type"), event.get("state_key"):
            case "m.room.member", str(user):
                self.names.pop(user, None)
                self.names[user] = text_in(content, "displayname", MOST_NAME)
                if len(self.names) > MOST_NAMES:
                    del self.names[next(iter(self.names))]
                self.moves += 1
                if self.present is not None:
                    self.present[user] = text_in(content, "membership")
            case "m.room.power_levels", "":
                self.levels = content
            case "m.room.name", "":
                self.name = text_in(content, "name", MOST_NAME)
            case "m.room.encryption", "":
                self.encrypted = True
            case "m.room.create", "":
                creator = id_in(event, "sender", "@")
                self.predecessor = id_in(part(content, "predecessor"), "room_id", "!")
                self.opened_for = id_in(content, DIRECT, "@") if creator == me else ""
                if text_in(content, "room_version") not in _CREATORS_ARE_NO_MORE:
                    self.creators = {creator, *texts(content, "additional_creators")}
            case _:
                pass

    def level(self, user: str) -> int:
        """The user's power level."""
        level = part(self.levels, "users").get(user, self.levels.get("users_default"))
        return _ALL_POWER if user in self.creators else level if isinstance(level, int) else 0


class Rooms:
    """All rooms where the bot is. `learn` has to be given every batch, in order."""

    def __init__(self, homeserver: Homeserver, store: Store) -> None:
        self._homeserver = homeserver
        self._store = store
        self._rooms: dict[str, Room] = {}
        self._known = asyncio.Event()
        """Set when it is known where the bot is."""
        self._encrypting = False
        """Whether the homeserver encrypts each room by itself, as an operator may have it."""
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def record(self, room: str) -> RoomRecord:
        """What is stored of a room, or will be."""
        return self._store.get("room", room, RoomRecord) or RoomRecord(group_of(room))

    def direct_user(self, room: str) -> str:
        """For whom the bot opened this room; empty of other rooms."""
        return self.record(room).direct

    def user(self, room: str, user: str, name: str) -> ChatUser:
        """A user in a room."""
        record = self.record(room)
        if record.direct:
            return ChatUser(user, name)
        manages = self._room(room).level(user) >= MANAGES
        return ChatUser(user, name, record.group, manages=manages)

    def name(self, room: str, user: str) -> str:
        """The user's name in the room."""
        return self._room(room).names.get(user) or user.removeprefix("@").partition(":")[0]

    def of_group(self, group: str) -> list[str]:
        """The rooms of a group where the bot is."""
        rooms = self._store.all("room", RoomRecord)
        return [room for room, one in rooms if one.group == group and one.here and not one.direct]

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
            user: text_in(part(event, "content"), "displayname", MOST_NAME) or self.name(room, user)
            for event in found
            for user, _, now in [membership(event)]
            if now == "join"
        }

    def learn(self, batch: Batch) -> list[Happening]:
        """Take in a batch; what happened. It writes records, for the caller's transaction."""
        happened: list[Happening] = []
        for room, update in batch.joined.items():
            happened += self._learn(room, update)
        happened += [Invited(room, by) for room, by in sorted(batch.invited.items())]
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
        me, known = self._homeserver.user, self._rooms.setdefault(room, Room())
        if not update.complete:
            known.present = None
        happened: list[Happening] = []
        for event in update.state:
            known.learn(event, me)
            happened += self._replaced(room, event)
        for event in update.events:
            if "state_key" in event:
                known.learn(event, me)
                happened += self._replaced(room, event) or self._moved(room, event)
            elif (found := read(room, event, me, lambda user: self.name(room, user))) is not None:
                happened.append(found)
        before = self.record(room)
        direct = known.opened_for or before.direct
        self._put(room, here=True, direct=direct, encrypted=known.encrypted)
        upgraded = self._upgraded(known.predecessor, room)
        if upgraded or direct:
            happened = [one for one in happened if one != Joined(room)]
        elif known.encrypted and not before.encrypted:
            happened.append(Encrypted(room))
        return happened + upgraded

    def _moved(self, room: str, event: Json) -> list[Happening]:
        """Who came or went."""
        if joins(event, self._homeserver.user):
            return [Joined(room)]
        user, before, now = membership(event)
        left = before == "join" and now in ("leave", "ban")
        return [Left(room, user)] if left and user != self._homeserver.user else []

    def _replaced(self, room: str, event: Json) -> list[Happening]:
        """What a room says of the one that replaces it. Where the bot was before, it may be
        unwelcome: there it waits for an invitation."""
        into = id_in(part(event, "content"), "replacement_room", "!")
        if (event.get("type"), event.get("state_key")) != ("m.room.tombstone", "") or not into:
            return []
        self._put(room, into=into)
        if self._store.get("room", into, RoomRecord):
            return self._upgraded(room, into)
        return [Replaced(room, into, id_in(event, "sender", "@"))]

    def _upgraded(self, old: str, new: str) -> list[Happening]:
        """The group moves where both rooms say so: neither can take what is not its own."""
        group = self.record(old).group
        if self.record(old).into != new or self._room(new).predecessor != old:
            return []
        if self.record(new).group == group:
            return []
        self._put(new, group=group)
        return [Upgraded(old, new)]

    async def enter(self, happening: Invited | Replaced) -> None:
        """Join where the bot is invited, or what replaces its room. Raises PlatformError."""
        by, room = happening.by, happening.room
        if isinstance(happening, Replaced):
            room = happening.into
        all_rooms = self._store.all("room", RoomRecord)
        others = [one for id, one in all_rooms if one.here and not one.direct and id != room]
        if len(others) >= MOST_ROOMS or sum(one.by == by for one in others) >= MOST_BY_ONE:
            _log.warning("%s asks the bot into one room too many", by)
            if isinstance(happening, Invited):
                await self._homeserver.leave(room)
            return
        before = self._store.get("room", room, RoomRecord)
        self._put(room, here=True, by=by)
        try:
            await self._homeserver.join(room, by.partition(":")[2])
        except PlatformError:
            self._store.drop("room", room)
            if before is not None:
                self._store.put("room", room, before)
            raise

    async def direct(self, user: str) -> str:
        """The room of this user and the bot, where nobody else is. Raises PlatformError.

        A user who has left it is invited again. It is a new one if somebody else is there, or it
        is encrypted. No user makes the bot open rooms without end by letting nobody invite them.
        """
        await self._known.wait()
        async with self._opening[user]:
            opened = [room for room, one in self._rooms.items() if one.opened_for == user]
            for room in opened:
                if await self.is_private(room, user) or await self._invited(room, user):
                    return room
            if self._encrypting:
                raise NotAllowed("this homeserver encrypts all rooms")
            room = await self._homeserver.create_direct(user, DIRECT_NAME)
            if await self._homeserver.state(room, "m.room.encryption"):
                self._encrypting = True
                await self._homeserver.invite(room, user, back=True)
                await self._homeserver.leave(room)
                _log.error("This homeserver encrypts all rooms: nobody can be shown their cards.")
                raise NotAllowed("this homeserver encrypts all rooms")
            self._rooms.setdefault(room, Room()).opened_for = user
            self._put(room, direct=user)
            with suppress(PlatformError):
                for old in opened:
                    await self._homeserver.leave(old)
            return room

    async def is_private(self, room: str, user: str) -> bool:
        """Whether the bot is there with this user alone, and can be read. Raises PlatformError."""
        return await self._is_of(room, {self._homeserver.user, user})

    async def _is_of(self, room: str, users: set[str]) -> bool:
        present = await self._present(room)
        here = {one for one, what in present.items() if what in ("join", "invite")}
        return here == users and not self._rooms[room].encrypted

    async def _invited(self, room: str, user: str) -> bool:
        """Whether the bot was there alone, and the user is now invited."""
        if not await self._is_of(room, {self._homeserver.user}):
            return False
        await self._homeserver.invite(room, user)
        (await self._present(room))[user] = "invite"
        return True

    async def is_member(self, room: str, user: str) -> bool:
        """Whether both the bot and this user are there. Raises PlatformError."""
        return (await self._present(room)).get(user) == "join"

    async def _present(self, room: str) -> dict[str, str]:
        """The membership of everybody; nothing if the bot is not there. Raises PlatformError."""
        await self._known.wait()
        if (known := self._rooms.get(room)) is None:
            return {}
        while known.present is None:
            moves = known.moves
            members = map(membership, await self._homeserver.members(room))
            if moves == known.moves:  # nobody came or went in the meantime
                known.present = {who: now for who, _, now in members}
        return known.present

    def _room(self, room: str) -> Room:
        return self._rooms.get(room) or Room()

    def _put(self, room: str, **changes: str | bool) -> None:
        before = self._store.get("room", room, RoomRecord)
        after = msgspec.structs.replace(before or RoomRecord(group_of(room)), **changes)
        if after != before:
            self._store.put("room", room, after)
