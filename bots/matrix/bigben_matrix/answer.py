"""The answer to one request of a user: a new message, or an edit of the one they reacted to."""

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from itertools import count
from typing import Final

from bigben_chat.connections.identity import ChatUser
from bigben_chat.happenings import Reacted, Said, Unreacted
from bigben_chat.limit import holding, paused
from bigben_chat.messages.content import Content
from bigben_chat.messages.formatting import race_name
from bigben_chat.platform import Gone, Kind, Sorry
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Text
from bigben_matrix import events
from bigben_matrix.events import Event
from bigben_matrix.platform import MatrixPlatform, MatrixSent

ANSWERED: Final = "📨"
"""The bot's reaction to what it has answered in the user's direct room."""


class MatrixAnswer:
    """The answer to a command or a reaction. Its events are sent once, however often it runs."""

    edits_posts = False
    editable_until: datetime | None = None

    def __init__(
        self,
        platform: MatrixPlatform,
        request: Said | Reacted | Unreacted,
        taken: float,
        user: ChatUser,
        say: Say,
        kind: Kind,
        limit: asyncio.Timeout,
        pressed: Event | None = None,
    ) -> None:
        """``taken``: when the bot heard of it, in seconds since 1970.

        ``limit`` is on the race server's time; ``pressed``: what the message shows now.
        """
        self.about = ""
        self.say = say
        self.kind: Kind = kind
        self.user = user
        self.place: ChatId = request.room
        # By the bot's clock, as what is shown: users' homeservers have others.
        self.asked_at = datetime.fromtimestamp(taken, UTC)
        self.pressed: ChatId | None = None if isinstance(request, Said) else request.target
        self.pressed_private = bool(pressed and pressed.get(events.ONLY_FOR))
        self.pressed_picture = pressed is not None and events.file_of(pressed) is not None
        self.group_locale = "" if user.group else say.language
        self._platform = platform
        self._request = request
        self._limit = limit
        self._pressed = pressed
        self._transactions = (f"{request.event}-{number}" for number in count())
        self._elsewhere = False

    async def show(self, content: Content, *, keep_picture: bool = False) -> MatrixSent:
        """Answer with this message. ``keep_picture``: the edited message keeps its picture."""
        async with self.unhurried():
            if self.kind == "change" and self._pressed is not None:
                return await self._change(content, self._pressed, keep_picture=keep_picture)
            return await self._new(content, private=self.kind != "public")

    async def leave_as_it_is(self) -> MatrixSent:
        """Answer a reaction to a message that shows the result, or will soon."""
        return self._sent()

    async def open_frame(self) -> str:
        """Matrix has none. Raises Sorry."""
        raise Sorry(self.say("wrong.no_frame"))

    async def tell(self, text: Text) -> None:
        """Say something to the user alone; of a command that all see, as a reply to it."""
        async with self.unhurried():
            if self.kind == "public" and isinstance(self._request, Said):
                to, transaction = self._request.event, next(self._transactions)
                await self._platform.post(
                    self._request.room, Content(text), transaction, reply_to=to
                )
            else:
                await self._new(Content(text), private=True)

    async def say_sorry(self, text: Text) -> None:
        """Say what went wrong, and in which race if the player can't see that."""
        if self.about:
            text = self.say("about", race=race_name(self.about, self.say), text=text)
        await self.tell(text)

    async def follow_up(self, content: Content, *, private: bool) -> MatrixSent:
        """One more message, after the first."""
        async with self.unhurried():
            return await self._new(content, private=private)

    def alone(self, lock: asyncio.Lock) -> AbstractAsyncContextManager[None]:
        """Hold the lock. The wait is no server time: the holder may be sending a picture."""
        return holding(lock, self._limit)

    def unhurried(self) -> AbstractAsyncContextManager[None]:
        """While a picture is made or sent, the time limit for the server does not run."""
        return paused(self._limit)

    def done(self) -> None:
        """Nothing more is answered: free the button, or say where the answer is."""
        reactions, request = self._platform.reactions, self._request
        if isinstance(request, Reacted) and not self.user.group:
            reactions.take_back(request.room, request.event)
        if isinstance(request, Said) and self._elsewhere:
            reactions.add(request.room, request.event, ANSWERED)

    async def _change(self, content: Content, before: Event, *, keep_picture: bool) -> MatrixSent:
        room, sent = self._request.room, self._sent()
        keep = events.file_of(before) if keep_picture else None
        transaction = next(self._transactions)
        try:
            await self._platform.change(
                room, sent.id, content, only_for=sent.only_for, transaction=transaction, keep=keep
            )
        except Gone:
            return await self._new(content, private=sent.private)
        return sent

    async def _new(self, content: Content, *, private: bool) -> MatrixSent:
        transaction = next(self._transactions)
        if not private:
            return await self._platform.post(self._request.room, content, transaction)
        sent = await self._platform.post_to(str(self.user.id), content, transaction)
        self._elsewhere |= sent.room != self._request.room
        return sent

    def _sent(self) -> MatrixSent:
        """The message that was reacted to, as it is from now on."""
        assert not isinstance(self._request, Said), "only reactions have a message"
        only_for = str(self.user.id) if self.pressed_private else ""
        room, target = self._request.room, self._request.target
        return MatrixSent(self._platform, room, target, only_for, datetime.now(UTC))
