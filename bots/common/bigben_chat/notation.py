"""How the texts of a language write a tree: ``<b>…</b>`` in a sentence, ``{name}`` for a value.

``<h1>`` to ``<h3>``, ``<small>`` and ``<li>`` are lines; ``<b>``, ``<i>`` and ``<code>`` stand in a
line; ``<link>`` is an address. ``<do>settings reminder:True</do>`` is a command of the bot with an
option, and ``<option>reminder:True</option>`` is the option alone.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from bigben_chat.tree import (
    Code,
    Command,
    Emphasis,
    Heading,
    Item,
    Link,
    Option,
    Part,
    Small,
    Strong,
    Text,
    text,
)

Value: TypeAlias = Part | Text | int
"""What can be filled in."""


class _Hole(NamedTuple):
    name: str


class _Tag(NamedTuple):
    name: str
    inside: "_Template"


_Template: TypeAlias = tuple[str | _Hole | _Tag, ...]
_SIGNS: Final = re.compile(r"<(/?)(\w+)>|{(\w+)}")


def filled(written: str, values: Mapping[str, Value]) -> Text:
    """The tree of a text of the language. Raises KeyError for a value that is missing.

    >>> filled("Press <b>{button}</b>.", {"button": "Ready"})
    ('Press ', Strong(parts=('Ready',)), '.')
    """
    return _filled(_read(written), values)


def plain(parts: Text) -> str:
    """A text for where nothing is formatted, such as a button. Raises TypeError if it is more."""
    return "".join(parts)  # type: ignore[arg-type]  # that is the TypeError


@cache
def _read(written: str) -> _Template:
    return _inside("", _SIGNS.finditer(written), written, 0)[0]


def _inside(
    name: str, signs: Iterator[re.Match[str]], written: str, start: int
) -> tuple[_Template, int]:
    """What is written up to the end of this tag, and where that is."""
    found: list[str | _Hole | _Tag] = []
    for sign in signs:
        found += [words] if (words := written[start : sign.start()]) else []
        closes, tag, hole = sign.groups()
        start = sign.end()
        if hole:
            found.append(_Hole(hole))
        elif not closes:
            inside, start = _inside(tag, signs, written, start)
            found.append(_Tag(tag, inside))
        elif tag == name:
            return tuple(found), start
        else:
            raise ValueError(f"</{tag}> ends nothing in {written!r}")
    if name:
        raise ValueError(f"<{name}> does not end in {written!r}")
    return (*found, *filter(None, [written[start:]])), len(written)


def _filled(template: _Template, values: Mapping[str, Value]) -> Text:
    return text(*(_part(one, values) for one in template))


def _part(one: str | _Hole | _Tag, values: Mapping[str, Value]) -> Part | Text:
    match one:
        case _Hole(name):
            value = values[name]
            return str(value) if isinstance(value, int) else value
        case _Tag(name, inside):
            return _TAGS[name](_filled(inside, values))
        case str():
            return one


def _command(parts: Text) -> Command:
    name, *options = plain(parts).split()
    return Command(name, tuple(map(_option, options)))


def _option(written: str) -> Option:
    name, colon, value = written.partition(":")
    return Option(name, value if colon else None)


_TAGS: Final[Mapping[str, Callable[[Text], Part]]] = {
    "b": Strong,
    "i": Emphasis,
    "small": Small,
    "li": Item,
    "h1": lambda parts: Heading(1, parts),
    "h2": lambda parts: Heading(2, parts),
    "h3": lambda parts: Heading(3, parts),
    "code": lambda parts: Code(plain(parts)),
    "link": lambda parts: Link(plain(parts)),
    "do": _command,
    "option": lambda parts: _option(plain(parts)),
}
