"""A command as a value: its name, its options, and the action that it calls."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser
from bigben_chat.platform import Answer, Sorry
from bigben_chat.tree import Quoted
from bigben_protocol import texts

OptionKind: TypeAlias = Literal[
    "word", "words", "person", "number", "yes", "choice", "game", "rules", "day", "time", "moment",
    "zone",
]  # fmt: skip
"""``words`` are all that follow, ``person`` is a user of the platform, ``yes`` is yes or no."""
Where: TypeAlias = Literal["direct", "here"]
"""Where the answer goes: to the user alone, or to the place where it was typed.

Whatever may show own cards, or is about nobody else, goes to the user alone.
"""
Value: TypeAlias = str | int | bool
LONGEST: Final = 64
"""The most letters of most values."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values that an option may have, and the text that names it."""

    value: str
    key: str = ""
    table: str = "chat"
    name: str = ""
    """Where it has the same name in all languages."""

    def label(self, language: str) -> str:
        """What it is called."""
        return self.name or str(texts.of(self.table, language)[self.key])


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command."""

    name: str
    kind: OptionKind = "word"
    described: str = ""
    """The end of the key of its description, where that is not its name."""
    required: bool = False
    choices: tuple[Choice, ...] = ()
    least: int = 1
    most: int = 1440
    """Of a number."""
    longest: int = LONGEST
    by_name: bool = False
    """Whether a value that may be anything is this option's only after its name."""

    @property
    def key(self) -> str:
        """The key of its description."""
        return f"option.{self.described or self.name.replace('-', '_')}"


class Given:
    """The values of options that were typed, or chosen where a platform lets users choose."""

    def __init__(
        self, values: Mapping[str, Value], people: Mapping[str, ChatUser] = MappingProxyType({})
    ) -> None:
        self.values = values
        self.people = people
        """Users who were chosen."""

    def text(self, name: str) -> str:
        """Empty if it was not typed."""
        return str(self.values.get(name, ""))

    def number(self, name: str) -> int | None:
        """None if it was not typed."""
        found = self.values.get(name)
        return int(found) if found is not None else None

    def yes(self, name: str) -> bool | None:
        """None if it was not typed."""
        found = self.values.get(name)
        return bool(found) if found is not None else None

    async def person(self, chat: Chat, answer: Answer, name: str) -> ChatUser | None:
        """The user of the platform who is meant; None for none. Raises Sorry for a stranger."""
        typed = self.text(name)
        if name in self.people or not typed:
            return self.people.get(name)
        found = await chat.platform.user(answer.place, typed)
        if found is None:
            raise Sorry(answer.say("typed.nobody", typed=Quoted(typed)))
        return found


@dataclass(frozen=True, slots=True)
class Command:
    """What can be typed, and what it does."""

    name: str
    """One word, or two: ``season table``."""
    do: Callable[[Chat, Answer, Given], Awaitable[None]]
    options: tuple[Option, ...] = ()
    where: Where = "direct"
    in_full: bool = False
    """Whether it may not be abbreviated: what it does can't be taken back."""
    described: str = ""
    """The end of the key of its description, where that is not its name."""

    @property
    def key(self) -> str:
        """The key of its description."""
        return f"command.{self.described or self.name}"
