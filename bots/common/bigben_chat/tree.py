"""What a message says, as a small tree of values, which every platform writes in its own form.

A `Text` is a sequence of parts, with ``\\n`` between lines. A ``str`` is our own words without any
markup. Whatever others wrote is a `Name` or `Quoted`: a platform writes it so that it formats,
mentions and links nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from bigben_chat.store import ChatId


@dataclass(frozen=True)
class Name:
    """A name that somebody has chosen for themselves."""

    text: str


@dataclass(frozen=True)
class Quoted:
    """A sentence of the race server or of its operator."""

    text: str


@dataclass(frozen=True)
class Time:
    """A time that readers see by their own clocks: ``in 3 minutes``, ``8:15``, or with its date."""

    at_ms: int
    """Since 1970."""
    style: Literal["distance", "clock", "date"] = "distance"


@dataclass(frozen=True)
class Code:
    """Something to be typed or copied as it is, in a line."""

    text: str


@dataclass(frozen=True)
class Block:
    """Lines of their own whose letters stand in columns."""

    text: str


@dataclass(frozen=True)
class Link:
    """An address on the web, without a picture of what is there."""

    address: str


@dataclass(frozen=True)
class Option:
    """An option of a command."""

    name: str
    value: str | None = None
    """What to give it: something, where it is empty; None says nothing about that."""

    @property
    def typed(self) -> str:
        """As it is typed."""
        return self.name if self.value is None else f"{self.name}:{self.value}"


@dataclass(frozen=True)
class Command:
    """A command of the bot: ``daily``, ``settings`` with its options."""

    name: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Place:
    """A place where people write to each other, such as a channel."""

    id: ChatId


@dataclass(frozen=True)
class Role:
    """Those who have asked to be told of the daily race."""

    id: ChatId


@dataclass(frozen=True)
class Person:
    """A user of the platform, whom a new message notifies."""

    id: ChatId


@dataclass(frozen=True)
class Written:
    """What the platform has written itself and stored: it stands as it is."""

    text: str


@dataclass(frozen=True)
class Strong:
    """Parts that stand out."""

    parts: "Text"


@dataclass(frozen=True)
class Emphasis:
    """Parts that are said otherwise: what is on a button."""

    parts: "Text"


@dataclass(frozen=True)
class Small:
    """A line that matters less."""

    parts: "Text"


@dataclass(frozen=True)
class Heading:
    """A line above others."""

    level: int
    """1 is the largest."""
    parts: "Text"


@dataclass(frozen=True)
class Item:
    """A line of a list."""

    parts: "Text"


@dataclass(frozen=True)
class Rest:
    """In `Listed.more`: how many are left out."""


@dataclass(frozen=True)
class Listed:
    """The first of some items: as many as the platform's messages have room for, at least one."""

    items: tuple["Text", ...]
    """Those that may be shown; not empty."""
    more: "Text" = ()
    """Said after them where some are left out, with `Rest` in it."""
    total: int = 0
    """How many there are, where ``items`` are not all of them."""
    most: int = 0
    """How many are shown where there is room; 0 for all."""
    always: int | None = None
    """The place of an item that is shown even if it is not among the first."""
    between: str = "\n"

    def shown(self, rows: int) -> "tuple[list[Text], int]":
        """The items that are shown where there is room for so many, and how many are left out."""
        first = min(rows, self.most or rows)
        shown = list(self.items[:first])
        if self.always is not None and self.always >= first:
            shown.append(self.items[self.always])
        return shown, max(self.total, len(self.items)) - len(shown)


Part: TypeAlias = (
    str
    | Name
    | Quoted
    | Time
    | Code
    | Block
    | Link
    | Option
    | Command
    | Place
    | Role
    | Person
    | Written
    | Strong
    | Emphasis
    | Small
    | Heading
    | Item
    | Rest
    | Listed
)
Text: TypeAlias = tuple[Part, ...]
"""Equal texts are equal values. Empty: nothing is said."""
Form = TypeVar("Form")


def text(*parts: Part | Text) -> Text:
    """These parts, one after the other."""
    return joined(parts)


def lines(*rows: Part | Text) -> Text:
    """Each in a line of its own; an empty one is an empty line."""
    return joined(rows, "\n")


def joined(parts: Iterable[Part | Text], between: str = "") -> Text:
    """The parts with this between them."""
    found: list[Part] = []
    for number, part in enumerate(parts):
        if number and between:
            found.append(between)
        found += part if isinstance(part, tuple) else [part]
    return tuple(found)


def every(text: Text) -> Iterator[Part]:
    """All parts, also those inside others."""
    for part in text:
        yield part
        if isinstance(part, Strong | Emphasis | Small | Heading | Item):
            yield from every(part.parts)


def fitted(text: Text, write: Callable[[int], Form], fits: Callable[[Form], bool]) -> Form:
    """What ``write`` makes of the text, with as many rows of each list as fit, at least one."""
    rows = max((len(part.items) for part in every(text) if isinstance(part, Listed)), default=1)
    while not fits(form := write(rows)) and rows > 1:
        rows -= 1
    return form
