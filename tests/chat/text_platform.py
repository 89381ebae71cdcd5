"""A chat platform of plain text, in memory: commands begin with ``!``, and choices are numbered."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from tests.discord.standin.changes import Changes

from bigben_chat import records, refusals, tree
from bigben_chat.actions.buttons import VERBS, Pressed
from bigben_chat.chat import Chat, Pace
from bigben_chat.connections.identity import ChatUser, Issuer
from bigben_chat.messages.content import Content, Menu, read_id
from bigben_chat.metrics import counted
from bigben_chat.platform import Gone, Kind, Sorry
from bigben_chat.records import PendingBoard, PlaceRecord, Post
from bigben_chat.settings import BotSettings
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import Say, say_in
from bigben_chat.tree import Part, Text
from bigben_chat.typed.reading import understood

GROUP = "friends"
KEY = "a key that the server and the bot of the tests share"


@dataclass
class Message:
    """A message that somebody sees."""

    id: str
    place: ChatId
    content: Content
    only_for: ChatId | None = None

    @property
    def text(self) -> str:
        """The message with its choices."""
        choices = [f"[{number}] {label}" for number, label in enumerate(self.labels, 1)]
        return "\n".join([written(self.content.text), *choices])

    @property
    def labels(self) -> list[str]:
        """What can be chosen."""
        return [label for label, _, _ in self._choices]

    def choice(self, label: str) -> tuple[str, str]:
        """The id of a control and the value that is chosen."""
        return next((id, value) for named, id, value in self._choices if label in named)

    @property
    def _choices(self) -> list[tuple[str, str, str]]:
        found = []
        for row in self.content.rows:
            if isinstance(row, Menu):
                found += [(option.label, row.id, option.value) for option in row.options]
            else:
                found += [(one.label, one.id, "") for one in row]
        return found


class TextPlatform:
    """All messages; implements `Platform`."""

    def __init__(self) -> None:
        self._sent: dict[str, ChatId] = {}
        """By their nonces."""
        self.messages: dict[ChatId, Message] = {}
        self.opens_frames = self.has_roles = False
        self.connected = True
        self.edits_pictures = True
        self.edits_posts = True
        self.edited: list[ChatId] = []
        """The messages that were edited, each time."""
        self.changes = Changes()

    def public(self, place: ChatId) -> list[Message]:
        """What everybody sees there."""
        return [m for m in self.messages.values() if m.place == place and m.only_for is None]

    def put(self, place: ChatId, content: Content, only_for: ChatId | None = None) -> Message:
        """A new message."""
        message = Message(f"${len(self.messages)}", place, content, only_for)
        self.messages[message.id] = message
        self.changes.notify()
        return message

    async def send(
        self, place: ChatId, content: Content, *, nonce: str = "", rings: ChatId = 0
    ) -> ChatId:
        if nonce not in self._sent:
            message = self.put(place, content).id
            self._sent |= {nonce: message} if nonce else {}
            return message
        return self._sent[nonce]

    async def edit(self, place: ChatId, message: ChatId, content: Content) -> None:
        if message not in self.messages:
            raise Gone("no such message")
        self.messages[message].content = content
        self.edited.append(message)
        self.changes.notify()

    async def delete(self, place: ChatId, message: ChatId) -> None:
        del self.messages[message]

    async def tell(self, user: ChatId, content: Content, *, nonce: str = "") -> None:
        self.put(user, content, user)

    async def user(self, place: ChatId, typed: str) -> ChatUser | None:
        """Everybody has a name, and only the bot can't be called."""
        return ChatUser(typed.strip("*").lower(), typed, GROUP) if typed != "bot" else None

    def written(self, text: Text) -> str:
        return written(text)

    def reopened(self, board: PendingBoard) -> "TextSent":
        return TextSent(self, self.messages[board.message])

    def group_name(self, group: ChatId) -> str:
        return str(group)

    def group_locale(self, group: ChatId) -> str:
        return "en"

    def manager_of(self, group: ChatId, record: PlaceRecord) -> ChatId:
        return record.by


class AtOnce:
    """Posts are edited as soon as they should be; implements `EditRate`."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def passed(self, of: ChatId) -> None:
        pass

    def ask(self, post: Post, job: Callable[[], Awaitable[None]], *, refused: bool) -> None:
        async def run() -> None:
            await job()

        self._tasks.add(asyncio.create_task(run()))


@dataclass(frozen=True)
class TextSent:
    """A message that can always be edited; implements `Sent`."""

    platform: TextPlatform
    message: Message
    shown_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    editable: bool = True

    @property
    def id(self) -> ChatId:
        return self.message.id

    @property
    def private(self) -> bool:
        return self.message.only_for is not None

    @property
    def editable_until(self) -> None:
        return None

    @property
    def token(self) -> tuple[str, ChatId]:
        return "", 0

    async def edit(self, content: Content) -> datetime:
        await self.platform.edit(self.message.place, self.id, content)
        return datetime.now(UTC)

    async def follow_up(self, content: Content) -> "TextSent":
        return TextSent(self.platform, self.platform.put(self.message.place, content))


class TextAnswer:
    """Implements `Answer`: every answer is a message, and nothing hurries."""

    def __init__(
        self,
        platform: TextPlatform,
        user: ChatUser,
        place: ChatId,
        locale: str,
        kind: Kind,
        control: Message | None = None,
    ) -> None:
        self.about = ""
        self.editable_until = None
        self.say: Say = say_in(locale)
        self.kind: Kind = kind
        self.user = user
        self.place: ChatId = place
        self.asked_at = datetime.now(UTC)
        self.group_locale = "en"
        self.pressed: ChatId | None = control.id if control else None
        self.pressed_private = control is not None and control.only_for is not None
        self.pressed_picture = control is not None and control.content.attachment is not None
        self.posts_here = True
        self.edits_posts = platform.edits_posts
        self.shown: Message | None = None
        self._platform = platform
        self._control = control

    async def show(self, content: Content, *, keep_picture: bool = False) -> TextSent:
        if self.kind == "change" and self._control is not None:
            self._control.content = content
            self._platform.changes.notify()
            return self._sent(self._control)
        alone = self.user.id if self.kind == "private" else None
        return self._sent(self._platform.put(self.place, content, alone))

    async def leave_as_it_is(self) -> TextSent:
        assert self._control is not None
        return self._sent(self._control)

    async def open_frame(self) -> str:
        raise AssertionError("text has no frames")

    async def tell(self, text: Text) -> None:
        self._sent(self._platform.put(self.place, Content(text), self.user.id))

    async def say_sorry(self, text: Text) -> None:
        await self.tell(text)

    async def follow_up(self, content: Content, *, private: bool) -> TextSent:
        alone = self.user.id if private else None
        return TextSent(self._platform, self._platform.put(self.place, content, alone))

    @asynccontextmanager
    async def alone(self, lock: asyncio.Lock) -> AsyncIterator[None]:
        async with lock:
            yield

    @asynccontextmanager
    async def unhurried(self) -> AsyncIterator[None]:
        yield

    def _sent(self, message: Message) -> TextSent:
        self.shown = message
        return TextSent(self._platform, message)


@dataclass(frozen=True)
class Writer:
    """A person who writes in the one place of a group."""

    chat: Chat
    platform: TextPlatform
    name: str
    locale: str = "en"
    place: str = GROUP
    manages: bool = False

    @property
    def user(self) -> ChatUser:
        """Who they are to the bot."""
        return ChatUser(self.name.strip("*").lower(), self.name, GROUP, self.manages)

    async def types(
        self, doing: Callable[[Chat, TextAnswer], Awaitable[None]], kind: Kind = "private"
    ) -> Message:
        """Type a command that does this: what is shown."""
        return await self._answered(doing, kind, None)

    async def marks(
        self, message: Message, doing: Callable[[Chat, TextAnswer], Awaitable[None]]
    ) -> Message:
        """Put a mark under a message, or take it away, which does this: what is shown."""
        return await self._answered(doing, "change", message)

    async def says(self, line: str) -> Message:
        """Type a line: what is shown."""
        say = records.say_of(self.chat.store, self.user.id, GROUP)
        try:
            asked = await understood(self.chat, self.user, line, say)
        except Sorry as sorry:
            return self.platform.put(self.place, Content(sorry.text), self.user.id)
        kind: Kind = "public" if asked.command.where == "here" else "private"
        return await self._answered(asked.do, kind, None)

    async def chooses(self, message: Message, label: str) -> Message:
        """Choose what is under a message: what is shown."""
        control, value = message.choice(label)
        word, details = read_id(control)
        verb = VERBS[word]
        return await self._answered(
            lambda chat, answer: verb.do(Pressed(chat, answer, details, value)), verb.kind, message
        )

    async def _answered(
        self,
        doing: Callable[[Chat, TextAnswer], Awaitable[None]],
        kind: Kind,
        control: Message | None,
    ) -> Message:
        own = records.player_record(self.chat.store, self.user.id).language
        locale = own or self.locale
        answer = TextAnswer(self.platform, self.user, self.place, locale, kind, control)
        try:
            with counted(answer):
                await doing(self.chat, answer)
        except Exception as error:
            await answer.say_sorry(refusals.sentence(error, answer.say))
        assert answer.shown is not None
        return answer.shown


@asynccontextmanager
async def text_bot(server: str, folder: Path) -> AsyncIterator[tuple[Chat, TextPlatform]]:
    """A bot of that platform, whose issuer is called text."""
    platform = TextPlatform()
    settings = BotSettings(server=server, issuer=Issuer("text", KEY), data=folder, page="")
    store = Store(settings.store)
    one = Chat(settings, store, platform, AtOnce(), Pace(tick=0.01))
    async with asyncio.TaskGroup() as tasks:
        running = [
            tasks.create_task(one.feed.run("bot")),
            tasks.create_task(one.daily_posts.poster.run()),
        ]
        yield one, platform
        await one.close()
        for task in running:
            task.cancel()
    store.close()


def written(text: Text) -> str:
    """The text without any markup."""
    return "".join(map(_part, text)).strip()


def _part(part: Part) -> str:
    match part:
        case str(words) | tree.Written(words) | tree.Name(words) | tree.Quoted(words):
            return words
        case tree.Code(words) | tree.Block(words) | tree.Link(words):
            return words
        case tree.Time(at_ms):
            return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat()
        case tree.Option(name, value):
            return f"{name}={value}" if value else name
        case tree.Command(name, options):
            return " ".join([f"!{name}", *map(_part, options)])
        case tree.Place(id) | tree.Role(id) | tree.Person(id):
            return str(id)
        case tree.Strong(parts) | tree.Emphasis(parts) | tree.Small(parts):
            return "".join(map(_part, parts))
        case tree.Heading(_, parts):
            return f"== {''.join(map(_part, parts))} =="
        case tree.Item(parts):
            return f"• {''.join(map(_part, parts))}"
        case tree.Rest():
            return "some"
        case tree.Listed():
            items = part.between.join(written(item) for item in part.items)
            return items + (written(part.more) if part.total > len(part.items) else "")
        case _:
            assert_never(part)
