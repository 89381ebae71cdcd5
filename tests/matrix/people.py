"""People with a client of Matrix, who see what is in their rooms. Tests nothing themselves."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from itertools import count
from typing import Final, Self, TypeVar
from urllib.parse import quote

import aiohttp
from tests.matrix.seen import Json, Message, Room
from tests.matrix.synapse import Account, Synapse
from tests.support.patience import PATIENCE_S

from bigben_chat.messages.content import read_id

LONG_POLL_MS: Final = 30_000
_FILTER: Final = json.dumps({"room": {"timeline": {"limit": 1000}}, "presence": {"types": []}})
_TRANSACTIONS: Final = count(1)
_Found = TypeVar("_Found")

Look = str | Callable[[Message], object]
"""What somebody looks for: a text that is in the message, or a question to it."""


class HomeserverError(Exception):
    """The homeserver has refused what somebody wanted."""

    def __init__(self, status: int, errcode: str, text: str) -> None:
        super().__init__(f"{status} {errcode}: {text}")
        self.errcode = errcode


class Person:
    """Somebody with an account, and one client which knows all that it was sent."""

    def __init__(
        self, account: Account, session: aiohttp.ClientSession, url: str, patience: float
    ) -> None:
        self.user, self.name, self._token = account.user, account.name, account.token
        self._session, self._url, self._patience = session, url, patience
        self.rooms: dict[str, Room] = {}
        """Those that they are in, or are invited to."""
        self._since = ""
        self._syncing = asyncio.Lock()

    async def room(self, name: str, *others: "Person | str", **options: object) -> str:
        """Make a room and invite others. Persons come at once; of others only the id is known.

        ``options`` are of createRoom, such as ``room_version``.
        """
        invited = [one.user if isinstance(one, Person) else one for one in others]
        asked = {"name": name, "preset": "private_chat", "invite": invited, **options}
        room: str = (await self.request("POST", "createRoom", asked))["room_id"]
        for one in others:
            if isinstance(one, Person):
                await one.joins(room)
        return room

    async def joins(self, room: str) -> None:
        """Accept an invitation, or come to a public room."""
        await self.request("POST", f"join/{quote(room)}", {})

    async def says(self, room: str, text: str, **content: object) -> str:
        """The event's id. ``content`` is for messages of an unusual kind."""
        return await self.sends(
            room, "m.room.message", {"msgtype": "m.text", "body": text} | content
        )

    async def sends(self, room: str, kind: str, content: Json) -> str:
        """Any event; its id."""
        return await self._put(f"rooms/{quote(room)}/send/{quote(kind)}", content)

    async def reacts(self, message: Message, key: str) -> str:
        """The id of the reaction."""
        relation = {"rel_type": "m.annotation", "event_id": message.id, "key": key}
        return await self.sends(message.room, "m.reaction", {"m.relates_to": relation})

    async def presses(self, message: Message, button: str) -> str:
        """React with the emoji that stands for the only button with this verb."""
        keys = [key for key, id in message.controls.items() if read_id(id)[0] == button]
        assert len(keys) == 1, f"{button}: {message.controls}"
        return await self.reacts(message, keys[0])

    async def unreacts(self, message: Message, key: str) -> None:
        """Take their own reaction back."""
        await self.sees(
            message.room, lambda seen: seen.id == message.id and key in seen.by(self.user)
        )
        await self.redacts(
            message.room, self.rooms[message.room].reaction(message.id, key, self.user)
        )

    async def redacts(self, room: str, event: str) -> None:
        """Remove an event's content."""
        await self._put(f"rooms/{quote(room)}/redact/{quote(event)}", {})

    async def invites(self, room: str, user: str) -> None:
        """Ask somebody in."""
        await self._about(room, "invite", user)

    async def kicks(self, room: str, user: str) -> None:
        """Send somebody out, who may come again."""
        await self._about(room, "kick", user)

    async def bans(self, room: str, user: str) -> None:
        """Send somebody out for ever."""
        await self._about(room, "ban", user)

    async def leaves(self, room: str) -> None:
        """Go."""
        await self.request("POST", f"rooms/{quote(room)}/leave", {})

    async def upgrades(self, room: str, version: str = "11") -> str:
        """Replace a room by one of another version; its id. Nobody else is invited to it."""
        asked = {"new_version": version}
        answer = await self.request("POST", f"rooms/{quote(room)}/upgrade", asked)
        replacement: str = answer["replacement_room"]
        return replacement

    async def sets(self, room: str, kind: str, content: Json, key: str = "") -> None:
        """Change the state of a room."""
        await self.request("PUT", f"rooms/{quote(room)}/state/{kind}/{quote(key)}", content)

    async def state(self, room: str, kind: str, key: str = "") -> Json:
        """What the state of a room is."""
        return await self.request("GET", f"rooms/{quote(room)}/state/{kind}/{quote(key)}")

    async def direct(self, other: str) -> str:
        """The room that they have with ``other`` alone; they accept an invitation to it."""

        def room() -> str | None:
            return next((one.id for one in self.rooms.values() if one.is_direct_with(other)), None)

        found = await self._until(room, lambda: f"{self.name} has no room with {other} alone")
        if self.rooms[found].invited:
            await self.joins(found)
        return found

    async def sees(self, room: str, look: Look, *, after: str = "") -> Message:
        """Wait for such a message; the newest one as it is now, with its edits.

        ``after``: it must come after this event.
        """
        suits = (lambda message: look in message.text) if isinstance(look, str) else look

        def message() -> Message | None:
            messages = reversed(self.rooms[room].messages(after)) if room in self.rooms else []
            return next((one for one in messages if suits(one)), None)

        def instead() -> str:
            shown = f"{self.rooms[room]}" if room in self.rooms else "no such room"
            return f"{self.name} does not see {look!r}, but:\n{shown}"

        return await self._until(message, instead)

    async def sees_member(self, room: str, user: str, membership: str = "join") -> None:
        """Wait until somebody is in the room, or is what else can be said of them."""

        def there() -> bool | None:
            return (room in self.rooms and self.rooms[room].members.get(user) == membership) or None

        await self._until(there, lambda: f"{self.name} does not see that {user} is {membership}")

    async def history(self, room: str) -> list[Json]:
        """All events of a room, the oldest first."""
        events: list[Json] = []
        place = ""
        while True:
            query = {"dir": "b", "limit": "500"} | ({"from": place} if place else {})
            page = await self.request("GET", f"rooms/{quote(room)}/messages", query=query)
            events += page["chunk"]
            place = page.get("end", "")
            if not place:
                return events[::-1]

    async def downloads(self, mxc: str) -> bytes:
        """What somebody has uploaded."""
        url = f"{self._url}/_matrix/client/v1/media/download/{mxc.removeprefix('mxc://')}"
        async with self._session.get(url, headers=self.headers) as answer:
            assert answer.status == 200, f"{mxc}: {answer.status}"
            return await answer.read()

    async def looks(self, *, wait: bool = False) -> None:
        """Learn what has happened; ``wait``: until something has."""
        query = {"filter": _FILTER, "timeout": f"{LONG_POLL_MS if wait else 0}"}
        async with self._syncing:
            since = {"since": self._since} if self._since else {}
            answer = await self.request("GET", "sync", query=query | since)
            self._learn(answer)
            self._since = answer["next_batch"]

    def _learn(self, answer: Json) -> None:
        rooms = answer.get("rooms", {})
        for id, news in rooms.get("invite", {}).items():
            self.rooms[id] = Room(id, self, invited=True)
            self.rooms[id].learn(news["invite_state"]["events"])
        for id, news in rooms.get("join", {}).items():
            if id not in self.rooms or self.rooms[id].invited:
                self.rooms[id] = Room(id, self)
            assert not (self._since and news["timeline"]["limited"] and self.rooms[id].events), (
                f"{self.name} was sent only a part of {id}"
            )
            self.rooms[id].learn(news["state"]["events"], state=True)
            self.rooms[id].learn(news["timeline"]["events"])
        for id in rooms.get("leave", {}):
            self.rooms.pop(id, None)

    async def _until(
        self, found: Callable[[], _Found | None], instead: Callable[[], str]
    ) -> _Found:
        try:
            async with asyncio.timeout(self._patience):
                await self.looks()
                while (result := found()) is None:
                    await self.looks(wait=True)
                return result
        except TimeoutError:
            raise AssertionError(instead()) from None

    async def _about(self, room: str, what: str, user: str) -> None:
        await self.request("POST", f"rooms/{quote(room)}/{what}", {"user_id": user})

    async def _put(self, path: str, content: Json) -> str:
        answer = await self.request("PUT", f"{path}/t{next(_TRANSACTIONS)}", content)
        event: str = answer["event_id"]
        return event

    @property
    def headers(self) -> Mapping[str, str]:
        """What their requests have."""
        return {"Authorization": f"Bearer {self._token}"}

    async def request(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Json:
        """Ask the homeserver, as often as its rate limits say. Raises HomeserverError."""
        url = f"{self._url}/_matrix/client/v3/{path}"
        while True:
            async with self._session.request(
                method, url, json=body, params=query, headers=self.headers
            ) as response:
                answer: Json = await response.json()
                status = response.status
            if status == 200:
                return answer
            if status != 429:
                raise HomeserverError(status, answer.get("errcode", ""), answer.get("error", ""))
            await asyncio.sleep(answer["retry_after_ms"] / 1000)  # as clients must


class People:
    """Makes people with accounts on one homeserver."""

    def __init__(self, homeserver: Synapse, *, patience: float = PATIENCE_S) -> None:
        """``patience``: how long each of them waits for what must come."""
        self._homeserver = homeserver
        self._patience = patience
        self._ending = AsyncExitStack()

    async def person(self, name: str) -> Person:
        """Somebody new."""
        return self.of(await self._homeserver.account(name))

    def of(self, account: Account) -> Person:
        """The person whose account it is, with a client of their own."""
        return Person(account, self._session, self._homeserver.url, self._patience)

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(limit=0)
        self._session = await self._ending.enter_async_context(
            aiohttp.ClientSession(connector=connector)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._ending.aclose()
