"""The homeserver, as the bot talks to it. Only this module imports nio.

nio carries the requests. Its readers of events are not used: one event that they do not expect
would cost all that came with it.
"""

import asyncio
import json
import logging
import secrets
from collections import defaultdict
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import aiohttp
from nio import AsyncClient, AsyncClientConfig

from bigben_chat.platform import Away, Gone, NotAllowed, PlatformError
from bigben_matrix.happenings import Event, membership, part, parts, text_in

_log = logging.getLogger(__name__)

PATIENCE_S: Final = 60.0
"""How long a homeserver that can't be reached is tried again before a request fails."""
REQUEST_S: Final = 30.0
POLL_S: Final = 30.0
"""How long the homeserver may wait for something to happen."""
FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 10.0
USUAL_LIMIT_MS: Final = 5_000
"""The pause after a 429 that names none."""
LONGEST_LIMIT_S: Final = 600.0
LONGEST_TOKEN: Final = 4_096
PAGE: Final = 100
MOST_PAGES: Final = 10
"""What was missed in a room beyond these pages of `PAGE` events stays missed."""

_STATE: Final = [
    "m.room.create",
    "m.room.member",
    "m.room.power_levels",
    "m.room.encryption",
    "m.room.name",
    "m.room.tombstone",
]
_TIMELINE: Final = [*_STATE, "m.room.message", "m.reaction", "m.room.redaction"]
_FILTER: Final = {
    "presence": {"types": []},
    "account_data": {"types": []},
    "room": {
        "account_data": {"types": []},
        "ephemeral": {"types": []},
        # Of large rooms only those members who say something.
        "state": {"types": _STATE, "lazy_load_members": True},
        "timeline": {"types": _TIMELINE, "limit": PAGE},
    },
}
DIRECT: Final = "bigben.direct"
"""In the first event of a room that the bot opened: for whom."""


class BadToken(Exception):
    """The homeserver does not take the access token, or is none."""


@dataclass
class Figures:
    """What the bot has done to the homeserver since its start."""

    events: int = 0
    """Sent, edits and reactions included."""
    edits: int = 0
    uploads: int = 0
    limited: int = 0
    """Answers that asked the bot to wait."""
    retries: int = 0
    """Requests that were sent once more after an error or a lost connection."""


@dataclass(frozen=True)
class RoomUpdate:
    """What is new in a room where the bot is."""

    state: list[Event]
    """What the room was before `events`."""
    events: list[Event]
    """What happened there, oldest first; nothing from before the bot joined."""
    complete: bool = True
    """Whether that is all since the last sync."""


@dataclass(frozen=True)
class Batch:
    """What one sync brought."""

    next: str
    """The position after it."""
    joined: Mapping[str, RoomUpdate] = field(default_factory=dict)
    invited: Mapping[str, list[Event]] = field(default_factory=dict)
    """The part of their state that is shown to the invited."""
    left: frozenset[str] = frozenset()
    whole: bool = False
    """Whether `joined` has every room where the bot is, with all that it needs to know of it."""


class Homeserver:
    """An account on a homeserver. Every request is tried again until it is answered, or `Away`."""

    def __init__(self, address: str, token: str, *, patience: float = PATIENCE_S) -> None:
        self.user = ""
        self.figures = Figures()
        self._patience = patience
        self._headers = {"Authorization": f"Bearer {token}"}
        self._client = AsyncClient(
            address.rstrip("/"), config=AsyncClientConfig(request_timeout=REQUEST_S)
        )
        self._client.access_token = token  # it closes only a client that has one
        self._joined: set[str] = set()
        # Requests that were told to wait are sent one after another: all at once they would
        # only be told so again.
        self._lines: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def login(self) -> None:
        """Wait for the homeserver and learn whose the token is. Raises BadToken."""
        while not self.user:
            try:
                self.user = text_in(await self._ask("GET", "account", "whoami"), "user_id")
            except Away as error:
                _log.warning("%s", error)
            except PlatformError as error:
                raise BadToken(str(error)) from None
            else:
                if not self.user:
                    raise BadToken(f"{self._client.homeserver} is no Matrix homeserver")

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def send(self, room: str, type: str, content: Mapping[str, Any], txn: str) -> str:
        """Send an event; its id. Sent again with the same ``txn``, it is the same event."""
        answer = await self._ask("PUT", "rooms", room, "send", type, txn, body=content)
        self.figures.events += 1
        self.figures.edits += part(content, "m.relates_to").get("rel_type") == "m.replace"
        return _named(answer, "event_id")

    async def redact(self, room: str, event: str, txn: str) -> None:
        """Delete an event."""
        await self._ask("PUT", "rooms", room, "redact", event, txn, body={})

    async def event(self, room: str, event: str) -> Event:
        """An event as it was sent; of one that is edited, the first text."""
        return await self._ask("GET", "rooms", room, "event", event)

    async def upload(self, data: bytes, name: str, mime: str) -> str:
        """Upload a file; its address, ``mxc://…``."""
        query = {"filename": name}
        answer = await self._ask("POST", "upload", query=query, body=data, mime=mime)
        self.figures.uploads += 1
        return _named(answer, "content_uri")

    async def create_direct(self, user: str, name: str) -> str:
        """Open a room with this user and invite them; its id.

        It is not encrypted, and nobody but the bot can invite. What is said there is shown to
        those who were invited at that time.
        """
        body = {
            "preset": "private_chat",
            "name": name,
            "is_direct": True,
            "invite": [user],
            "creation_content": {DIRECT: user, "bigben.mark": (mark := secrets.token_hex(8))},
            "initial_state": [
                {
                    "type": "m.room.history_visibility",
                    # Not "joined": the first board is there before its player.
                    "content": {"history_visibility": "invited"},
                },
                {"type": "m.room.guest_access", "content": {"guest_access": "forbidden"}},
            ],
            "power_level_content_override": {
                "events": {"m.room.name": 100, "m.room.encryption": 100},
                "events_default": 0,
                "invite": 100,
                "state_default": 100,
                "users_default": 0,
            },
        }
        before = await self._rooms()
        try:
            answer = await self._ask("POST", "createRoom", body=body, again=False)
        except Away:
            # Made once more, it would be two rooms: it may be there.
            for room in await self._rooms() - before:
                if await self._mark(room) == mark:
                    return room
            answer = await self._ask("POST", "createRoom", body=body, again=False)
        return _named(answer, "room_id")

    async def join(self, room: str, servers: list[str] | None = None) -> None:
        """Join a room, by way of one of these servers. Where the bot is already, it stays."""
        query = [("via", one) for one in servers or []] + [
            ("server_name", one) for one in servers or []
        ]
        await self._ask("POST", "join", room, query=query, body={})

    async def leave(self, room: str) -> None:
        """Leave a room, or decline an invitation."""
        await self._ask("POST", "rooms", room, "leave", body={})

    async def members(self, room: str) -> list[Event]:
        """The membership of everybody who is in the room, is invited, or ever was."""
        return parts(await self._ask("GET", "rooms", room, "members"), "chunk")

    async def is_encrypted(self, room: str) -> bool:
        """Whether the room is encrypted, at this moment."""
        try:
            await self._ask("GET", "rooms", room, "state", "m.room.encryption", "")
        except Gone:
            return False
        return True

    async def put_account_data(self, type: str, content: Mapping[str, Any]) -> None:
        """Store what the bot's account has under this type."""
        await self._ask("PUT", "user", self.user, "account_data", type, body=content)

    async def sync(self, since: str | None, *, whole: bool = False) -> Batch:
        """What happened after this position, or where the bot is now if there is none.

        Waits until something happens, for a while. ``whole``: with all that there is to know of
        all rooms, at once. Raises BadToken.
        """
        query = {"filter": json.dumps(_FILTER), "timeout": str(int(POLL_S * 1_000))}
        if since is not None:
            query["since"] = since
        if whole or since is None:
            query |= {"full_state": "true", "timeout": "0"}
        answer = await self._ask("GET", "sync", query=query, timeout=POLL_S + REQUEST_S)
        if not (following := text_in(answer, "next_batch", LONGEST_TOKEN)):
            raise PlatformError("a sync without a position")
        rooms = part(answer, "rooms")
        joined = {
            room: await self._update(room, found, since)
            for room, found in part(rooms, "join").items()
        }
        invited = {
            room: parts(part(found, "invite_state"), "events")
            for room, found in part(rooms, "invite").items()
        }
        left = frozenset(part(rooms, "leave"))
        whole = whole or since is None
        self._joined = (set() if whole else self._joined - left) | set(joined)
        return Batch(following, joined, invited, left, whole)

    async def _update(self, room: str, found: object, since: str | None) -> RoomUpdate:
        state = parts(part(found, "state"), "events")
        timeline = part(found, "timeline")
        events, complete = parts(timeline, "events"), True
        if timeline.get("limited") is True and since is not None and not self._joins(events):
            before = text_in(timeline, "prev_batch", LONGEST_TOKEN)
            missed, complete = await self._missed(room, before, since)
            events = missed + events
        # What was said before the first start, or before the bot joined, was said to nobody.
        start = len(events) if since is None else max(self._joins(events), default=0)
        state += [one for one in events[:start] if "state_key" in one]
        return RoomUpdate(state, events[start:], complete)

    def _joins(self, events: list[Event]) -> list[int]:
        """Where the bot joins. Its new name or picture is no join."""
        read = [membership(one) for one in events]
        return [
            at
            for at, (user, before, now) in enumerate(read)
            if user == self.user and now == "join" != before
        ]

    async def _missed(self, room: str, before: str, since: str) -> tuple[list[Event], bool]:
        """What happened between two positions, oldest first, and whether it is all of it."""
        newest_first: list[Event] = []
        query = {"to": since, "dir": "b", "limit": str(PAGE)}
        query["filter"] = json.dumps({"types": _TIMELINE})
        for _ in range(MOST_PAGES):
            try:
                page = await self._ask(
                    "GET", "rooms", room, "messages", query=query | {"from": before}
                )
            except (NotAllowed, Gone):
                break
            chunk = parts(page, "chunk")
            newest_first += chunk
            before = text_in(page, "end", LONGEST_TOKEN)
            if not before or self._joins(chunk):
                return newest_first[::-1], True
        _log.warning("some of what was said in %s was missed", room)
        return newest_first[::-1], False

    async def _rooms(self) -> set[str]:
        answer = await self._ask("GET", "joined_rooms")
        rooms = answer.get("joined_rooms")
        return {one for one in rooms if isinstance(one, str)} if isinstance(rooms, list) else set()

    async def _mark(self, room: str) -> str:
        created = await self._ask("GET", "rooms", room, "state", "m.room.create", "")
        return text_in(created, "bigben.mark")

    async def _ask(
        self,
        method: str,
        *path: str,
        query: Mapping[str, str] | list[tuple[str, str]] | None = None,
        body: Mapping[str, Any] | bytes | None = None,
        mime: str = "application/json",
        timeout: float = REQUEST_S,
        again: bool = True,
    ) -> Event:
        """The homeserver's answer. Not ``again``: only if it was not done for sure."""
        base = "media" if path == ("upload",) else "client"
        address = f"/_matrix/{base}/v3/" + "/".join(quote(one, safe="") for one in path)
        address += f"?{urlencode(query)}" if query else ""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body)
        headers = self._headers | {"Content-Type": mime}
        clock = asyncio.get_running_loop().time
        give_up, pause = clock() + self._patience, FIRST_PAUSE_S
        limited_until = clock() + LONGEST_LIMIT_S
        async with AsyncExitStack() as line:
            in_line = False
            while True:
                status, retry_after, answer = 0, "", None
                try:
                    response = await self._client.send(
                        method, address, data, headers, timeout=timeout
                    )
                    status, retry_after = response.status, response.headers.get("Retry-After", "")
                    answer = _read(await response.read())
                    trouble = f"{status} {text_in(answer or {}, 'error')}"
                except (aiohttp.ClientError, OSError) as error:
                    status, trouble = 0, f"{type(error).__name__} {error}"
                if 200 <= status < 300:
                    if answer is not None:
                        return answer
                    status = 0  # a proxy's page
                if status == 429:
                    self.figures.limited += 1
                    ready = clock() + _retry_after(answer, retry_after)
                    if ready > limited_until:
                        raise Away(f"the homeserver asks to wait too long: {trouble}")
                    if not in_line:
                        await line.enter_async_context(self._lines[path[0]])
                        in_line = True
                    give_up = max(ready, clock()) + self._patience
                elif status == 0 or status >= 500:
                    ready, pause = clock() + pause, min(pause * 2, LONGEST_PAUSE_S)
                    if not again or ready > give_up:
                        raise Away(f"the homeserver can't be reached: {trouble}")
                else:
                    raise self._refusal(status, path, answer)
                self.figures.retries += 1
                await asyncio.sleep(max(ready - clock(), 0))

    def _refusal(self, status: int, path: tuple[str, ...], answer: Event | None) -> Exception:
        answer = answer or {}
        code, said = text_in(answer, "errcode"), text_in(answer, "error")
        text = f"{status} {code}: {said}"
        if status == 401 and path == ("sync",):
            return BadToken(text)
        elsewhere = path[0] == "rooms" and path[1] not in self._joined
        if status == 404 or (status == 403 and elsewhere):
            return Gone(text)
        return NotAllowed(text) if status in (401, 403) else PlatformError(text)


def _read(data: bytes) -> Event | None:
    """An answer; None of what is none, such as a proxy's page."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _named(answer: Event, key: str) -> str:
    """The id of what was made. Raises PlatformError."""
    if not (found := text_in(answer, key)):
        raise PlatformError(f"an answer without {key}")
    return found


def _retry_after(answer: Event | None, header: str) -> float:
    """How many seconds to wait after a 429."""
    wait = (answer or {}).get("retry_after_ms")
    if isinstance(wait, int | float) and wait > 0:
        return wait / 1_000
    return float(header) if header.isdecimal() else USUAL_LIMIT_MS / 1_000
