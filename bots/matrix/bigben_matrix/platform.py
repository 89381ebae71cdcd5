"""What the bot sends on Matrix, and the one door through which private messages go.

A private message is sent or edited only while nobody but the bot and its user is in the room: a
card that others could see would be theirs too.
"""

import logging
import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from secrets import token_hex
from typing import Final
from urllib.parse import unquote

from bigben_chat.budget import BudgetedEdits
from bigben_chat.connections.identity import ChatUser
from bigben_chat.happenings import Reacted, Said, Unreacted
from bigben_chat.html import Writer
from bigben_chat.in_rooms import PressedMessage, RoomMessage, shown_at
from bigben_chat.later import Later
from bigben_chat.messages import signs
from bigben_chat.messages.content import Content
from bigben_chat.messages.signs import Used
from bigben_chat.metrics import MESSAGES
from bigben_chat.platform import Gone, NotAllowed, PlatformError
from bigben_chat.records import PendingBoard, PlaceRecord, group_record, player_record, zone_named
from bigben_chat.store import ChatId, Store
from bigben_chat.tree import Text, lines
from bigben_chat.untrusted import part, text_in
from bigben_matrix import events
from bigben_matrix.events import MESSAGE, ONLY_FOR, PLACE, REACTION, Event, Uploaded
from bigben_matrix.happenings import COMMAND
from bigben_matrix.homeserver import Homeserver
from bigben_matrix.rooms import Rooms

_log = logging.getLogger(__name__)

MOST_KNOWN: Final = 2000
"""The most messages of which the newest content is remembered; of others it is fetched."""
_USER: Final = re.compile(r"@[!-9;-~]+:[\w.:\[\]-]+", re.ASCII)
ANSWERED: Final = "📨"
TRIES: Final = 3
"""How often a private message looks for a room in which nobody else is."""


class MatrixPlatform:
    """Messages in rooms and to users, and what the bot knows of rooms."""

    opens_frames = has_roles = False
    # Element goes on showing the first picture of a message until its room is opened again.
    edits_pictures = False

    def __init__(
        self, homeserver: Homeserver, rooms: Rooms, rate: BudgetedEdits, store: Store
    ) -> None:
        """The caller closes `later`."""
        self.later = Later()
        self._homeserver = homeserver
        self._rooms = rooms
        self._rate = rate
        self._store = store
        self._known: OrderedDict[tuple[str, str], Event] = OrderedDict()

    # As the core asks

    @property
    def connected(self) -> bool:
        """Whether the homeserver answered the last request."""
        return self._homeserver.figures.reached

    async def send(
        self, place: ChatId, content: Content, *, nonce: str = "", rings: ChatId = 0
    ) -> ChatId:
        """A new message in a room. Raises PlatformError."""
        return (await self.post(str(place), content, nonce and f"nonce-{nonce}")).id

    async def edit(self, place: ChatId, message: ChatId, content: Content) -> None:
        """Edit a public message. Raises PlatformError."""
        public = RoomMessage(self, str(place), str(message), "", datetime.now(UTC))
        await self.change(public, content)

    async def delete(self, place: ChatId, message: ChatId) -> None:
        """Redact a message. Raises PlatformError."""
        await self._homeserver.redact(str(place), str(message), f"delete-{message}")

    async def tell(self, user: ChatId, content: Content, *, nonce: str = "") -> None:
        """Send a direct message, which notifies its reader. Raises PlatformError."""
        await self.post_to(str(user), content, nonce and f"nonce-{nonce}", notifies=True)

    async def user(self, place: ChatId, typed: str) -> ChatUser | None:
        """The member whom an id, a link or a name that no other has means. Raises PlatformError."""
        user = wanted = unquote(typed.rpartition("/#/")[2]).strip()
        members = await self._rooms.members(str(place))
        # A member who is called like somebody's id is not meant by it.
        if not _USER.fullmatch(wanted):
            found = [one for one, name in members.items() if name.casefold() == wanted.casefold()]
            user = found[0] if len(found) == 1 else ""
        if not _USER.fullmatch(user) or user == self._homeserver.user or user not in members:
            return None
        return self._rooms.user(str(place), user, members[user])

    def written(self, text: Text) -> str:
        """Both forms of the text."""
        return self._writer("", "").stored(text)

    def reopened(self, board: PendingBoard) -> RoomMessage:
        """The message in its room."""
        now = datetime.now(UTC)
        user, place = str(board.user), str(board.interaction)
        return RoomMessage(self, board.token, str(board.message), user, now, place)

    def group_name(self, group: ChatId) -> str:
        """What the group's room is called."""
        return self._rooms.group_name(str(group)) or str(group)

    def group_locale(self, group: ChatId) -> str:
        """Rooms have no language."""
        return ""

    def manager_of(self, group: ChatId, record: PlaceRecord) -> ChatId:
        """The user who chose the place, or who may do most in the room."""
        return record.by or self._rooms.manager(str(group)) or 0

    # As answers need it

    async def post(
        self, room: str, content: Content, once: str = "", *, reply_to: str = ""
    ) -> RoomMessage:
        """A new public message. Raises PlatformError."""
        assert not content.cards, "cards are for their player alone"
        content, file = await self._uploaded(content)
        event = events.message(content, file, self._writer(room, ""))
        event = events.reply(event, reply_to) if reply_to else event
        return await self._post(room, event, once)

    async def post_to(
        self, user: str, content: Content, once: str = "", place: str = "", notifies: bool = False
    ) -> RoomMessage:
        """A new message for this user alone. Raises PlatformError."""
        content, file = await self._uploaded(content)
        for _ in range(TRIES):
            room = await self._rooms.direct(user)
            writer = self._writer(room, user)
            event = events.message(content, file, writer, user, place, notifies=notifies)
            if await self._rooms.is_private(room, user):
                return await self._post(room, event, once)
        raise Gone("somebody else is in every room with this user")

    async def change(
        self, there: RoomMessage, content: Content, once: str = "", *, keep_picture: bool = False
    ) -> None:
        """Edit a message, unless it says just that. Raises PlatformError.

        Gone if a private one is no longer private.
        """
        room, message, only_for = there.room, there.id, there.only_for
        assert only_for or not content.cards, "cards are for their player alone"
        before = self._known.get((room, message))
        if before is None and (keep_picture or content.attachment):
            before = await self._shown(room, message)
        picture = events.file_of(before or {})
        content, file = await self._uploaded(_as_text(content) if picture else content)
        writer = self._writer(room, only_for)
        kept = picture if keep_picture else file
        event = events.message(content, kept, writer, only_for, there.place)
        if before == {}:
            raise Gone("the message was deleted")
        if only_for and not await self._rooms.is_private(room, only_for):
            raise Gone("somebody else is in the room")
        if event == before:
            return
        await self._send(room, events.edit(message, event), once)
        self._remember(room, message, event)
        self._offer(room, message, event, events.controls_of(before or {}))

    def answered_elsewhere(self, said: Said) -> None:
        """React to a command whose answer is in the user's own room."""
        self.later.put(said.room, partial(self._react, said.room, said.event, ANSWERED))

    def free(self, reacted: Reacted) -> None:
        """Redact a reaction, so that its user can press the same button again."""
        room, event = reacted.room, reacted.event
        self.later.put(room, partial(self._homeserver.redact, room, event, f"free-{event}"))

    def may_be_pressed(self, room: str, message: str) -> bool:
        """Whether the message may have buttons: of those not seen yet, nobody knows."""
        return self._known.get((room, message)) != {}

    async def used(self, reacted: Reacted | Unreacted) -> tuple[Used, PressedMessage] | None:
        """What the reaction presses, and under which message; None if it presses nothing.

        Raises PlatformError.
        """
        try:
            event = await self._shown(reacted.room, reacted.target)
        except (Gone, NotAllowed):
            return None
        found = signs.used(events.controls_of(event), reacted.key)
        only_for = event.get(ONLY_FOR, "")
        if found is None or only_for not in ("", reacted.sender):
            return None
        place = text_in(event, PLACE)
        place = self._rooms.record(place).into or place
        if not await self._rooms.is_member(place, reacted.sender):
            place = reacted.room
        return found, PressedMessage(only_for, events.file_of(event) is not None, place)

    async def _shown(self, room: str, message: str) -> Event:
        """What a message shows now; nothing if it is none of the bot's."""
        if (known := self._known.get((room, message))) is not None:
            return known
        found = await self._homeserver.event(room, message)
        event: Event = {}
        if found.get("sender") == self._homeserver.user and found.get("type") == MESSAGE:
            newest = part(part(part(found, "unsigned"), "m.relations"), "m.replace")
            event = dict(part(part(newest, "content"), "m.new_content") or part(found, "content"))
        self._remember(room, message, event)
        return event

    def deleted(self, room: str, message: str) -> None:
        """Somebody has deleted this message: it is edited no more."""
        self._remember(room, message, {})

    async def _post(self, room: str, event: Event, once: str) -> RoomMessage:
        begun = datetime.now(UTC)
        sent = await self._send(room, event, once)
        self._remember(room, sent, event)
        self._offer(room, sent, event, {})
        user, place = event.get(ONLY_FOR, ""), event.get(PLACE, "")
        return RoomMessage(self, room, sent, user, shown_at(begun), place)

    async def _send(self, room: str, event: Event, once: str) -> str:
        sent = await self._homeserver.send(room, MESSAGE, event, once or token_hex())
        MESSAGES.labels("edited" if "m.new_content" in event else "sent").inc()
        return sent

    async def _uploaded(self, content: Content) -> tuple[Content, Uploaded | None]:
        """The message and its file on the homeserver, or what is sent without one."""
        if (file := content.attachment) is None:
            return content, None
        try:
            url = await self._homeserver.upload(file.data, file.name, events.mime_of(file))
        except PlatformError as error:
            if content.plain is None:
                raise
            _log.warning("A file could not be uploaded: %s", error)
            return _as_text(content), None
        return content, events.uploaded(file, url)

    def _writer(self, room: str, user: str) -> Writer:
        """For the room's group; for a user alone, as in the group in which they played last."""
        groups = player_record(self._store, user).groups if user else ()
        group = groups[0] if groups else self._rooms.record(room).group
        zone = zone_named(group_record(self._store, group).zone)
        return Writer(COMMAND, events.address, events.LONGEST, zone, datetime.now(UTC))

    def _offer(self, room: str, message: str, event: Event, before: Mapping[str, str]) -> None:
        """React as most users will, so that one tap is enough; not where others would wait."""
        there, now = signs.offered(before), signs.offered(events.controls_of(event))
        for sign in now:
            if sign not in there:
                self.later.put(room, partial(self._react, room, message, sign, if_spare=True))
        # Once taken back, none can be given again: it would be the same event.
        for sign in [] if now else there:
            self.later.put(room, partial(self._withdraw, room, message, sign))

    async def _react(self, room: str, message: str, sign: str, *, if_spare: bool = False) -> str:
        if if_spare and not self._rate.has_spare():
            return ""
        content = events.reaction(message, sign)
        return await self._homeserver.send(room, REACTION, content, f"{message}-{sign}")

    async def _withdraw(self, room: str, message: str, sign: str) -> None:
        """Take the bot's own reaction back: sent again, it is the same event."""
        if own := await self._react(room, message, sign, if_spare=True):
            await self._homeserver.redact(room, own, f"free-{own}")

    def _remember(self, room: str, message: str, event: Event) -> None:
        self._known[room, message] = event
        self._known.move_to_end((room, message))
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


def _as_text(content: Content) -> Content:
    """The message without its file, but with all that the picture shows."""
    if content.attachment is None:
        return content
    return replace(content, text=lines(content.text, content.attachment.text), attachment=None)
