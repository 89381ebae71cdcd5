"""The homeserver, as the bot talks to it. Only this module imports nio.

nio carries the requests. Its readers of events are not used: one event that they do not expect
would cost all that came with it.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import aiohttp
from nio import AsyncClient

from bigben_chat.platform import Away, Gone, NotAllowed, PlatformError
from bigben_chat.retries import Limited, NoAnswer, Retries, seconds
from bigben_chat.untrusted import Json, id_in, object_in, part, parts, text_in, texts
from bigben_matrix.happenings import joins, membership

_log = logging.getLogger(__name__)

REQUEST_S: Final = 30.0
POLL_S: Final = 30.0
"""How long the homeserver may wait for something to happen."""
LONGEST_TOKEN: Final = 4_096
PAGE: Final = 100
MOST_PAGES: Final = 10
"""What was missed in a room beyond these pages of `PAGE` events stays missed."""
ROOMS: Final = 8
"""Of so many at a time what was missed is read."""
DIRECT: Final = "bigben.direct"
"""In the first event of a room that the bot opened: for whom."""

_STATE: Final = [
    f"m.room.{what}"
    for what in ("create", "member", "power_levels", "encryption", "name", "tombstone")
]
_TIMELINE: Final = [*_STATE, "m.room.message", "m.reaction", "m.room.redaction"]
# Not encrypted; nobody but the bot can invite, or change what the room is. What is said there is
# shown to those who were invited then, not only who had come: the first board is there before
# its player.
_DIRECT_ROOM: Final = {
    "preset": "private_chat",
    "is_direct": True,
    "initial_state": [
        {"type": "m.room.history_visibility", "content": {"history_visibility": "invited"}},
        {"type": "m.room.guest_access", "content": {"guest_access": "forbidden"}},
    ],
    "power_level_content_override": {
        "events": {"m.room.name": 100, "m.room.encryption": 100},
        "invite": 100,
        "state_default": 100,
    },
}


class BadToken(Exception):
    """The homeserver does not take the access token, or is none."""


class Figures(Retries):
    """What the bot asks of the homeserver, and how many events it has sent since its start."""

    events = 0


@dataclass(frozen=True)
class RoomUpdate:
    """What is new in a room where the bot is."""

    state: list[Json]
    """What the room was before `events`."""
    events: list[Json]
    """What happened there, oldest first; nothing from before the bot joined."""
    complete: bool = True
    """Whether that is all since the last sync."""


@dataclass(frozen=True)
class Batch:
    """What one sync brought."""

    next: str
    """The position after it."""
    joined: Mapping[str, RoomUpdate] = field(default_factory=dict)
    invited: Mapping[str, str] = field(default_factory=dict)
    """Into which rooms the bot is invited, and by whom."""
    left: frozenset[str] = frozenset()
    whole: bool = False
    """Whether `joined` has every room where the bot is, with all that it needs to know of it."""


class Homeserver:
    """An account on a homeserver. Methods that wait raise PlatformError, after a minute Away."""

    def __init__(self, address: str, token: str) -> None:
        self.user = ""
        """The bot's own id, after `login`."""
        self.figures = Figures()
        self._client = AsyncClient(address.rstrip("/"))
        self._client.access_token = token  # it closes only a client that has one
        self._joined: frozenset[str] = frozenset()
        self._few = asyncio.Semaphore(ROOMS)

    async def login(self) -> None:
        """Wait for the homeserver and learn whose the token is. Raises BadToken."""
        while not self.user:
            try:
                self.user = await self._made("user_id", "GET", "account", "whoami")
            except Away as error:
                _log.warning("%s", error)
            except PlatformError as error:
                raise BadToken(str(error)) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def send(self, room: str, type: str, content: Mapping[str, Any], txn: str) -> str:
        """Send an event; its id. Sent again with the same ``txn``, it is the same event."""
        path = ("rooms", room, "send", type, txn)
        event = await self._made("event_id", "PUT", *path, body=content)
        self.figures.events += 1
        return event

    async def redact(self, room: str, event: str, txn: str) -> None:
        """Delete an event."""
        await self._ask("PUT", "rooms", room, "redact", event, txn, body={})
        self.figures.events += 1

    async def event(self, room: str, event: str) -> Json:
        """An event as it was sent; of one that is edited, the first text."""
        return await self._ask("GET", "rooms", room, "event", event)

    async def upload(self, data: bytes, name: str, mime: str) -> str:
        """Upload a file; its address, ``mxc://…``."""
        query = {"filename": name}
        return await self._made("content_uri", "POST", "upload", query=query, body=data, mime=mime)

    async def create_direct(self, user: str, name: str) -> str:
        """Open a room with this user, which nobody else can join, and invite them; its id."""
        created = {DIRECT: user}
        body = {**_DIRECT_ROOM, "name": name, "invite": [user], "creation_content": created}
        before = await self._rooms()
        try:
            return await self._made("room_id", "POST", "createRoom", body=body, twice=False)
        except Away:
            # Made once more, there would be two: maybe it is there.
            for room in await self._rooms() - before:
                if (await self.state(room, "m.room.create")).get(DIRECT) == user:
                    return room
            return await self._made("room_id", "POST", "createRoom", body=body, twice=False)

    async def join(self, room: str, via: str = "") -> None:
        """Join a room, by way of this homeserver. Where the bot is already, it stays."""
        query = {"via": via, "server_name": via} if via else None
        await self._ask("POST", "join", room, query=query, body={})

    async def invite(self, room: str, user: str, *, back: bool = False) -> None:
        """Invite somebody into a room, or take that back."""
        await self._ask("POST", "rooms", room, "kick" if back else "invite", body={"user_id": user})

    async def leave(self, room: str) -> None:
        """Leave a room, or decline an invitation."""
        await self._ask("POST", "rooms", room, "leave", body={})

    async def members(self, room: str) -> list[Json]:
        """The membership of everybody who is in the room, is invited, or ever was."""
        return parts(await self._ask("GET", "rooms", room, "members"), "chunk")

    async def state(self, room: str, type: str) -> Json:
        """What the room's state of this type is, at this moment; empty for none."""
        try:
            return await self._ask("GET", "rooms", room, "state", type, "")
        except Gone:
            return {}

    async def sync(self, since: str | None, *, whole: bool = False) -> Batch:
        """What happened after this position, or where the bot is now if there is none.

        Waits until something happens, for a while. ``whole``: at once, with all that there is to
        know of all rooms. Raises BadToken too.
        """
        whole = whole or since is None
        query = {"filter": json.dumps(_filter()), "full_state": "true" if whole else "false"}
        query |= {"timeout": "0" if whole else f"{POLL_S * 1_000:.0f}"}
        query |= {"since": since} if since is not None else {}
        long = POLL_S + REQUEST_S
        answer = await self._ask("GET", "sync", query=query, timeout=long, key="next_batch")
        rooms = part(answer, "rooms")
        there = part(rooms, "join")
        updates = (self._update(room, found, since) for room, found in there.items())
        joined = dict(zip(there, await asyncio.gather(*updates), strict=True))
        left = frozenset(part(rooms, "leave"))
        self._joined = (frozenset() if whole else self._joined - left) | set(joined)
        following = text_in(answer, "next_batch", LONGEST_TOKEN)
        invited = {room: self._inviter(found) for room, found in part(rooms, "invite").items()}
        return Batch(following, joined, invited, left, whole)

    def _inviter(self, found: object) -> str:
        shown = parts(part(found, "invite_state"), "events")
        mine = [one for one in shown if membership(one)[0] == self.user]
        return id_in(mine[0], "sender", "@") if mine else ""

    async def _update(self, room: str, found: object, since: str | None) -> RoomUpdate:
        state, timeline = parts(part(found, "state"), "events"), part(found, "timeline")
        events, complete = parts(timeline, "events"), True
        if timeline.get("limited") is True and since is not None and not self._joins(events):
            before = text_in(timeline, "prev_batch", LONGEST_TOKEN)
            async with self._few:
                missed = await self._missed(room, before, since)
            state, events = missed.state + state, missed.events + events
            complete = missed.complete
        # What was said before the first start, or before the bot joined, was said to nobody.
        start = len(events) if since is None else max(self._joins(events), default=0)
        state += [one for one in events[:start] if "state_key" in one]
        return RoomUpdate(state, events[start:], complete)

    def _joins(self, events: list[Json]) -> list[int]:
        """Where the bot joins."""
        return [at for at, event in enumerate(events) if joins(event, self.user)]

    async def _missed(self, room: str, before: str, since: str) -> RoomUpdate:
        """What happened between two positions, as far back as `MOST_PAGES`."""
        state: list[Json] = []
        newest_first: list[Json] = []
        complete = False
        query = {"to": since, "dir": "b", "limit": str(PAGE)}
        query["filter"] = json.dumps({"types": _TIMELINE, "lazy_load_members": True})
        for _ in range(MOST_PAGES):
            query["from"] = before
            try:
                page = await self._ask("GET", "rooms", room, "messages", query=query)
            except PlatformError:  # of this room: all others go on, unless nothing can be read
                await self._ask("GET", "account", "whoami")
                break
            chunk = parts(page, "chunk")
            newest_first += chunk
            state += parts(page, "state")
            before = text_in(page, "end", LONGEST_TOKEN)
            if complete := not before or bool(self._joins(chunk)):
                break
        if not complete:
            _log.warning("some of what was said in %s was missed", room)
        return RoomUpdate(state, newest_first[::-1], complete)

    async def _rooms(self) -> set[str]:
        return set(texts(await self._ask("GET", "joined_rooms"), "joined_rooms"))

    async def _made(self, key: str, method: str, *path: str, **how: Any) -> str:
        """What the homeserver calls what was made; ``how`` is for `_ask`."""
        return text_in(await self._ask(method, *path, key=key, **how), key)

    async def _ask(
        self,
        method: str,
        *path: str,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | bytes | None = None,
        mime: str = "application/json",
        timeout: float = REQUEST_S,
        twice: bool = True,
        key: str = "",
    ) -> Json:
        """An answer that has a text under this ``key``. Of ``twice`` see `Retries`."""
        base = "media" if path == ("upload",) else "client"
        address = f"/_matrix/{base}/v3/" + "/".join(quote(one, safe="") for one in path)
        address += f"?{urlencode(query)}" if query else ""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body)
        headers = {"Authorization": f"Bearer {self._client.access_token}", "Content-Type": mime}

        async def ask() -> Json:
            try:
                response = await self._client.send(method, address, data, headers, timeout=timeout)
                answer = object_in(await response.read())
            except (aiohttp.ClientError, OSError) as error:
                raise NoAnswer(f"{type(error).__name__} {error}") from None
            status, said = response.status, answer or {}
            text = f"{status} {text_in(said, 'errcode')} {text_in(said, 'error')}"
            if status == 429:
                header = response.headers.get("Retry-After", "")
                raise Limited(seconds(said.get("retry_after_ms"), header))
            # A proxy's page is no answer.
            if status >= 500 or (answer is None and (status < 300 or status == 404)):
                raise NoAnswer(text)
            if status >= 300:
                raise self._refusal(status, path, text)
            if key and not text_in(said, key):
                raise NoAnswer(f"an answer without {key}")
            return said

        # Each user may be invited less often than the bot may send: no message waits for that.
        kind = path[-1] if path[-1] == "invite" else path[0]
        return await self.figures.until_answered(ask, kind, twice=twice)

    def _refusal(self, status: int, path: tuple[str, ...], text: str) -> Exception:
        if status in (401, 403, 404) and path == ("sync",):
            return BadToken(text)
        elsewhere = path[0] == "rooms" and path[1] not in self._joined
        if status == 404 or (status == 403 and elsewhere):
            return Gone(text)
        return NotAllowed(text) if status in (401, 403) else PlatformError(text)


def _filter() -> Json:
    """What of a sync is read. Of large rooms only those members who say something."""
    none: Json = {"types": []}
    timeline: Json = {"types": _TIMELINE, "limit": PAGE}
    # Redundant: to a bot that was restarted they are not.
    members = {"lazy_load_members": True, "include_redundant_members": True}
    state: Json = {"types": _STATE, **members}
    room = {"timeline": timeline, "state": state, "ephemeral": none, "account_data": none}
    return {"room": room, "presence": none, "account_data": none}
