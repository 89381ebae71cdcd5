"""What a chat platform implements, and all that the core knows of it.

A platform answers what users ask (`Answer`), sends and edits messages by itself (`Platform`), and
says how often it lets messages be edited (`EditRate`). It writes a `Content` in its own form.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Literal, Protocol

from bigben_chat.connections.identity import ChatUser
from bigben_chat.messages.content import Content
from bigben_chat.records import PendingBoard, PlaceRecord, Post
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Text

Kind = Literal["private", "public", "change"]
"""A new message that only its user sees, one that all see, or an edit of the control's message."""


class Sorry(Exception):
    """A request can't be granted."""

    def __init__(self, text: Text) -> None:
        """``text`` is a sentence for the user."""
        super().__init__(text)
        self.text = text


class PlatformError(Exception):
    """The platform did not do what was asked."""


class NotAllowed(PlatformError):
    """The bot may not do this there."""


class Gone(PlatformError):
    """The message, or its place, is no longer there."""


class Ended(PlatformError):
    """The message was sent as an answer, and its time for edits is over."""


class Away(PlatformError):
    """The platform can't be reached, or can't do it now: worth another try."""


class Sent(Protocol):
    """A message that was sent as an answer, and for a while can be edited as one."""

    @property
    def id(self) -> ChatId: ...
    @property
    def private(self) -> bool:
        """Whether only its user sees it. A platform may enforce this."""
        ...

    @property
    def shown_at(self) -> datetime:
        """When the platform showed it so, by its own clock."""
        ...

    @property
    def editable_until(self) -> datetime | None:
        """None: for ever."""
        ...

    @property
    def editable(self) -> bool:
        """Whether that is still to come."""
        ...

    @property
    def token(self) -> tuple[str, ChatId]:
        """With which it can be edited after a restart too; see `PendingBoard`."""
        ...

    async def edit(self, content: Content) -> datetime:
        """Edit the message so; when the platform did. Raises PlatformError."""
        ...

    async def follow_up(self, content: Content) -> "Sent":
        """One more message for all, with the same permission. Raises PlatformError."""
        ...


class Answer(Protocol):
    """The answer to one request: a command that was typed, or a control that was used.

    It comes once and in time, whatever the platform asks for. Exceptions of the platform that
    its methods raise are not for the core to catch.
    """

    about: str
    """The race that a typed command is about; error messages name it."""
    say: Say
    """The language of the user."""
    kind: Kind
    user: ChatUser
    """The user who asks, and in which group."""
    place: ChatId
    """Where they ask, such as a channel."""
    asked_at: datetime
    """By the platform's clock."""
    pressed: ChatId | None
    """The message whose control was used; None of a command."""
    pressed_private: bool
    """Whether only this user sees that message."""
    pressed_picture: bool
    """Whether that message has a picture."""
    posts_here: bool
    """Whether the bot can write there by itself, too: not where it is a guest."""
    edits_posts: bool
    """Whether the answer to a post's control is an edit of the post, at once. Otherwise the post
    is edited as soon as `EditRate` allows."""
    group_locale: str
    """The language that the platform says the group has."""

    @property
    def editable_until(self) -> datetime | None:
        """How long the messages of this answer can be edited; None: for ever."""
        ...

    async def show(self, content: Content, *, keep_picture: bool = False) -> Sent:
        """Answer with this message. ``keep_picture``: the edited message keeps its picture."""
        ...

    async def leave_as_it_is(self) -> Sent:
        """Answer a control whose message already shows the result."""
        ...

    async def open_frame(self) -> str:
        """Open the page in a frame for the user, where the platform `opens_frames`.

        The id of the instance: those who open it in the same place may share one. Raises Sorry.
        """
        ...

    async def tell(self, text: Text) -> None:
        """Say something to the user alone; messages that are there stay as they are."""
        ...

    async def say_sorry(self, text: Text) -> None:
        """Say what went wrong, and in which race if the player can't see that."""
        ...

    async def follow_up(self, content: Content, *, private: bool) -> Sent:
        """One more message, after the first."""
        ...

    def alone(self, lock: asyncio.Lock) -> AbstractAsyncContextManager[None]:
        """Hold the lock. The wait is no time of the race server."""
        ...

    def unhurried(self) -> AbstractAsyncContextManager[None]:
        """While a picture is made or sent, the time limit for the server does not run."""
        ...


class Platform(Protocol):
    """What the bot does by its own permission. All methods that wait raise PlatformError."""

    has_roles: bool
    """Whether members can take a role, and a message can notify all who have it."""

    @property
    def connected(self) -> bool:
        """Whether the bot hears what happens on the platform now, as far as it knows."""
        ...

    @property
    def opens_frames(self) -> bool:
        """Whether users can open the page in a frame of the platform's, and are known there."""
        ...

    @property
    def edits_pictures(self) -> bool:
        """Whether people see the new picture of an edited message in place of the old one.

        If not, a race has its picture at its end alone.
        """
        ...

    async def send(
        self, place: ChatId, content: Content, *, nonce: str = "", rings: ChatId = 0
    ) -> ChatId:
        """A new message; its id. Sent again with the same ``nonce`` soon, it is not sent twice.

        It notifies those with the role ``rings``, and nobody else.
        """
        ...

    async def edit(self, place: ChatId, message: ChatId, content: Content) -> None: ...
    async def delete(self, place: ChatId, message: ChatId) -> None: ...
    async def tell(self, user: ChatId, content: Content, *, nonce: str = "") -> None:
        """Write to the user directly; of ``nonce`` see `send`."""
        ...

    async def user(self, place: ChatId, typed: str) -> ChatUser | None:
        """Whom a name or an id means that was typed there; None for nobody who can play.

        Without a meaning on a platform where users are chosen and not typed.
        """
        ...

    def written(self, text: Text) -> str:
        """The text in the platform's own form, to be stored; see `tree.Written`."""
        ...

    def reopened(self, board: PendingBoard) -> Sent:
        """A message that an earlier run of the bot sent as an answer."""
        ...

    def group_name(self, group: ChatId) -> str: ...
    def group_locale(self, group: ChatId) -> str:
        """As in `Answer.group_locale`; empty where the bot can't know."""
        ...

    def manager_of(self, group: ChatId, record: PlaceRecord) -> ChatId:
        """The user to tell that a post fails there; 0 for nobody."""
        ...


class EditRate(Protocol):
    """How often the platform lets posts be edited."""

    async def close(self) -> None:
        """Edit nothing from now on."""
        ...

    async def passed(self, of: ChatId) -> None:
        """Wait until one more message may be edited; the limit is on all of them together.

        ``of``: the player who asks for it, or the place. None may hold up the others.
        """
        ...

    def ask(self, post: Post, job: Callable[[], Awaitable[None]], *, refused: bool) -> None:
        """Have the post edited soon. Asked again before that, it is edited once.

        ``refused``: its last edit was refused.
        """
        ...
