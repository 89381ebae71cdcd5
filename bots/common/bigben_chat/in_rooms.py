"""Answers on a platform of rooms, where a bot sends and edits by itself, whenever it likes.

What a user alone may see goes to a room of the bot's and theirs, which the platform finds; its
buttons are pressed there, and still act in the place where it was asked for. So no answer is
deferred, no permission ends, and every message can be edited for ever.
"""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final, NamedTuple, Protocol

from bigben_chat.connections.identity import ChatUser
from bigben_chat.happenings import Asked, Reacted, Said
from bigben_chat.limit import holding, paused
from bigben_chat.messages.content import Content
from bigben_chat.messages.formatting import race_name
from bigben_chat.platform import Gone, Kind, NotAllowed, Sorry
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Text


class RoomPlatform(Protocol):
    """What such a platform does. All that wait raise PlatformError.

    ``once`` names what is sent: sent again so, it is no second message.
    """

    @property
    def edits_pictures(self) -> bool:
        """As of `Platform`. If not, an edit that has another picture is made as text."""
        ...

    async def post(
        self, room: str, content: Content, once: str = "", *, reply_to: str = ""
    ) -> "RoomMessage":
        """A new message for all."""
        ...

    async def post_to(
        self, user: str, content: Content, once: str = "", place: str = ""
    ) -> "RoomMessage":
        """A new message for this user alone, who asked for it in this place."""
        ...

    async def change(
        self, there: "RoomMessage", content: Content, once: str = "", *, keep_picture: bool = False
    ) -> None:
        """Edit a message; Gone if one for a user alone could be seen by others."""
        ...

    def answered_elsewhere(self, said: Said) -> None:
        """Show under a command that its answer is in the user's own room."""
        ...

    def free(self, reacted: Reacted) -> None:
        """Take a reaction away, so that its user can press the same button again."""
        ...


REACTION: Final = timedelta(seconds=1)
"""What a person needs at least to type something after they have seen a message."""


def shown_at(begun: datetime) -> datetime:
    """Since when users have seen what the bot began to send then, and has just sent.

    They may see it before the bot hears so, and long after it began where it was told to wait.
    """
    return max(begun, datetime.now(UTC) - REACTION)


@dataclass(frozen=True)
class RoomMessage:
    """A message that the bot has sent; implements `Sent`."""

    platform: RoomPlatform
    room: str
    id: str
    only_for: str
    """The user who alone may see it; empty for a public message."""
    shown_at: datetime
    place: str = ""
    """Where a private one was asked for."""
    editable_until: datetime | None = None
    editable: bool = True

    @property
    def private(self) -> bool:
        """Whether only its user sees it."""
        return bool(self.only_for)

    @property
    def token(self) -> tuple[str, ChatId]:
        """Its room, and its place."""
        return self.room, self.place

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when that was done. Raises PlatformError."""
        begun = datetime.now(UTC)
        await self.platform.change(self, content)
        return shown_at(begun)

    async def follow_up(self, content: Content) -> "RoomMessage":
        """One more message for all. Raises PlatformError."""
        return await self.platform.post(self.room, content)


class PressedMessage(NamedTuple):
    """The message to which somebody reacted."""

    only_for: str
    has_picture: bool
    place: str
    """Where it was asked for; of others its room."""


class RoomAnswer:
    """The answer to a command or a reaction; implements `Answer`.

    Where its user has no room of their own, it says so where they have asked; where it may not
    write, it says so in theirs.

    What it sends is named after the request, so a request that runs twice sends nothing twice.
    """

    posts_here = True
    edits_posts = False
    editable_until: datetime | None = None

    def __init__(
        self,
        platform: RoomPlatform,
        request: Asked,
        taken: float,
        user: ChatUser,
        say: Say,
        kind: Kind,
        limit: asyncio.Timeout,
        pressed: PressedMessage | None = None,
        *,
        instead: str = "",
    ) -> None:
        """``taken``: when the bot heard of it, in seconds since 1970.

        ``limit`` is on the race server's time; ``pressed`` is None of a command. ``instead``: what
        is said in place of an answer, which may have begun before.
        """
        self.about = ""
        self.say = say
        self.kind: Kind = kind
        self.user = user
        self.place: ChatId = pressed.place if pressed else request.room
        # By the bot's clock, as what is shown: users' servers have others.
        self.asked_at = datetime.fromtimestamp(taken, UTC)
        self.pressed: ChatId | None = None if isinstance(request, Said) else request.target
        self.pressed_private = pressed is not None and bool(pressed.only_for)
        self.pressed_picture = pressed is not None and pressed.has_picture
        self.group_locale = "" if user.group else say.language
        self._platform = platform
        self._request = request
        self._limit = limit
        self._names = (f"{request.event}-{instead}{number}" for number in count())
        self._elsewhere = False
        self._stays = False
        """Whether the message whose button was pressed is an old one from now on."""

    async def show(self, content: Content, *, keep_picture: bool = False) -> RoomMessage:
        """Answer with this message. ``keep_picture``: the edited message keeps its picture."""
        async with self.unhurried():
            if self.kind == "change" and self.pressed:
                return await self._change(content, keep_picture=keep_picture)
            return await self._new(content, private=self.kind != "public")

    async def leave_as_it_is(self) -> RoomMessage:
        """Answer a reaction to a message that shows the result, or will soon."""
        return self._message()

    async def open_frame(self) -> str:
        """There are none. Raises Sorry."""
        raise Sorry(self.say("wrong.no_frame"))

    async def tell(self, text: Text) -> None:
        """Say something to the user alone; of a command that all see, as a reply to it."""
        async with self.unhurried():
            try:
                if self.kind == "public" and isinstance(self._request, Said):
                    with suppress(NotAllowed):
                        await self._reply(text)
                        return
                await self._new(Content(text), private=True)
            except Sorry as error:
                await self._reply(error.text)

    async def say_sorry(self, text: Text) -> None:
        """Say what went wrong, and in which race if the player can't see that."""
        if self.about:
            text = self.say("about", race=race_name(self.about, self.say), text=text)
        await self.tell(text)

    async def follow_up(self, content: Content, *, private: bool) -> RoomMessage:
        """One more message, after the first."""
        async with self.unhurried():
            return await self._new(content, private=private)

    def alone(self, lock: asyncio.Lock) -> AbstractAsyncContextManager[None]:
        """Hold the lock. The wait is no time of the race server."""
        return holding(lock, self._limit)

    def unhurried(self) -> AbstractAsyncContextManager[None]:
        """While a picture is made or sent, the time limit for the server does not run."""
        return paused(self._limit)

    def done(self) -> None:
        """Nothing more is answered: free the button, or say where the answer is."""
        alone = self.pressed_private or not self.user.group
        if isinstance(self._request, Reacted) and alone and not self._stays:
            self._platform.free(self._request)
        if isinstance(self._request, Said) and self._elsewhere:
            self._platform.answered_elsewhere(self._request)

    async def _change(self, content: Content, *, keep_picture: bool) -> RoomMessage:
        there, once, begun = self._message(), next(self._names), datetime.now(UTC)
        if content.attachment and self.pressed_picture and not self._platform.edits_pictures:
            self._stays = True
            return await self._new(content, private=there.private)
        try:
            await self._platform.change(there, content, once, keep_picture=keep_picture)
        except Gone:
            return await self._new(content, private=there.private)
        return replace(there, shown_at=shown_at(begun))

    async def _new(self, content: Content, *, private: bool) -> RoomMessage:
        once = next(self._names)
        if not private:
            try:
                return await self._platform.post(str(self.place), content, once)
            except NotAllowed as error:
                raise Sorry(self.say("wrong.not_here")) from error
        user, place = str(self.user.id), str(self.place)
        try:
            sent = await self._platform.post_to(user, content, once, place)
        except (NotAllowed, Gone) as error:
            raise Sorry(self.say("wrong.no_direct")) from error
        self._elsewhere |= sent.room != self._request.room
        return sent

    async def _reply(self, text: Text) -> None:
        request, once = self._request, next(self._names)
        await self._platform.post(request.room, Content(text), once, reply_to=request.event)

    def _message(self) -> RoomMessage:
        """The message to which the user reacted, as it is from now on."""
        alone = (str(self.user.id), str(self.place)) if self.pressed_private else ("", "")
        room, message = self._request.room, str(self.pressed)
        return RoomMessage(self._platform, room, message, alone[0], datetime.now(UTC), alone[1])
