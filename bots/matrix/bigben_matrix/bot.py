"""The bot on Matrix: what it does about everything that happens in its rooms."""

import asyncio
import logging
import re
from typing import Final

from bigben_chat import obeying
from bigben_chat.budget import BudgetedEdits
from bigben_chat.chat import Chat, Pace
from bigben_chat.happenings import (
    Asked,
    Encrypted,
    Happening,
    Joined,
    Left,
    Reacted,
    Redacted,
    Removed,
    Said,
    Unreacted,
    Upgraded,
)
from bigben_chat.in_rooms import PressedMessage, RoomAnswer
from bigben_chat.messages import signs
from bigben_chat.messages.content import Content
from bigben_chat.posts.first_words import first_words
from bigben_chat.records import say_of
from bigben_chat.requests import Request
from bigben_chat.store import Store
from bigben_matrix.config import Settings
from bigben_matrix.homeserver import Homeserver
from bigben_matrix.inbox import Inbox
from bigben_matrix.platform import MatrixPlatform
from bigben_matrix.rooms import Rooms

_log = logging.getLogger(__name__)
_CALLED: Final = re.compile(r"\A\s*!(?:bigben|bb)(?:[\s,:]+|$)", re.IGNORECASE)
"""How a message begins that is for the bot; in a direct room every message is."""
LONGEST_ID: Final = 100
"""The most letters of a user's id: the race server takes no longer ones."""
EVERY: Final = 5
"""Ticks between two edits in a room. As often Synapse fills a user's bucket by one event."""
BURST: Final = 10
"""Events that Synapse takes at once."""


class BigBenMatrix:
    """Big Ben on Matrix."""

    def __init__(self, settings: Settings, store: Store, pace: Pace | None = None) -> None:
        self._pace = pace = pace or Pace()
        self._store = store
        self.homeserver = Homeserver(settings.homeserver, settings.token)
        self.rooms = Rooms(self.homeserver, store)
        figures = self.homeserver.figures
        rate = BudgetedEdits(EVERY * pace.tick, BURST, lambda: (figures.events, figures.limited))
        self.platform = MatrixPlatform(self.homeserver, self.rooms, rate, store)
        self.chat = Chat(settings, store, self.platform, rate, pace)
        self._inbox = Inbox(
            self.homeserver, self.rooms, store, self._see_to, self._wanted, pace.now
        )

    async def run(self) -> None:
        """Be on Matrix until cancelled. Raises BadToken, and others in a group."""
        try:
            await self.homeserver.login()
            _log.info("on Matrix as %s", self.homeserver.user)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self.chat.run(self.homeserver.user))
                tasks.create_task(self._inbox.follow())
        finally:
            await self.chat.close()
            await self.platform.later.close()
            await self.homeserver.close()

    def _wanted(self, what: Happening) -> bool:
        """Whether the bot has anything to do about this."""
        match what:
            case Said():
                return bool(_CALLED.match(what.text) or self.rooms.direct_user(what.room))
            case Reacted(room, target=target):
                return signs.is_sign(what.key) and self.platform.may_be_pressed(room, target)
            case _:
                return True

    async def _see_to(self, request: Request, again: bool) -> None:
        """Do what the bot does about this. Raises PlatformError."""
        match what := request.what:
            case Said() | Reacted() | Unreacted():
                refused = request.refused or ("wrong.interrupted" if again else "")
                await self._obey(what, request.taken, refused)
            case Redacted(room=room, target=target):
                self.platform.deleted(room, target)
                await self.chat.posts.deleted(room, target)
            case Encrypted(room):
                say = say_of(self._store, "", self.rooms.record(room).group)
                content = Content(say("wrong.encrypted"))
                await self.platform.post(room, content, f"encrypted-{room}")
            case Joined(room):
                record = self.rooms.record(room)
                silent = record.direct or record.encrypted
                if not silent and (words := first_words(self._store, record.group)):
                    await self.platform.post(room, words, f"welcome-{record.group}")
            case Left(room) if not self.rooms.direct_user(room):
                if len(await self.rooms.members(room)) == 1:  # the bot itself
                    await self.homeserver.leave(room)
            case Removed(room):
                self.chat.posts.left(room)
            case Upgraded(room, into):
                await self.chat.moved(room, into)
            case _:
                pass

    async def _obey(self, what: Asked, taken: float, refused: str) -> None:
        """Answer a command or a reaction; ``refused``: say only this. Raises PlatformError."""
        pressed: PressedMessage | None = None
        if isinstance(what, Said):
            kind, do = obeying.typing(_CALLED.sub("", what.text, 1))
        else:
            if (found := await self.platform.used(what)) is None:
                return
            used, pressed = found
            there, stays = isinstance(what, Reacted), not self.rooms.direct_user(what.room)
            if (pressing := obeying.pressing(used, there=there, stays=stays)) is None:
                return
            kind, do = pressing
        if len(what.sender) > LONGEST_ID:
            refused = "wrong.long_id"
        place = pressed.place if pressed else what.room
        user = self.rooms.user(place, what.sender, what.name)
        say = say_of(self._store, user.id, user.group)
        limit = asyncio.timeout(self._pace.server_patience)
        answer = RoomAnswer(
            self.platform, what, taken, user, say, kind, limit, pressed, instead=refused
        )
        do = obeying.refusing(refused) if refused else do
        await obeying.obey(self.chat, answer, do, limit)
