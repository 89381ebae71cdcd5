"""How Discord writes a text: its Markdown, its mentions and times, and at most 2,000 letters."""

import re
import unicodedata
from functools import partial
from typing import Final, assert_never

import discord

from bigben_chat.tree import (
    Block,
    Code,
    Command,
    Emphasis,
    Heading,
    Item,
    Link,
    Listed,
    Name,
    Option,
    Part,
    Person,
    Place,
    Quoted,
    Rest,
    Role,
    Small,
    Strong,
    Text,
    Time,
    Written,
    every,
    fitted,
)

LONGEST: Final = 2000
"""The most letters of a message."""
_MARKDOWN: Final = re.compile(r"[_\\~|*`]|^>(?:>>)?\s|\[.+\]\(.+\)|^#{1,3}|^\s*-", re.MULTILINE)
_MENTION: Final = re.compile(r"@(everyone|here|[!&]?[0-9]{17,20})")
_STYLES: Final = {"distance": "R", "clock": "t", "date": "f"}


def markdown(text: Text) -> str:
    """The text in Markdown, with as many rows of what it lists as a message has room for.

    Names that consist of signs become twice as long when they are escaped.
    """
    return fitted(
        text, lambda rows: _written(text, rows).strip(), lambda written: len(written) <= LONGEST
    )


def rings(text: Text) -> discord.AllowedMentions:
    """Whom a new message with this text notifies: the persons in it, and nobody else."""
    users = [discord.Object(part.id) for part in every(text) if isinstance(part, Person)]
    none = discord.AllowedMentions.none()
    return discord.AllowedMentions(everyone=False, roles=False, users=users) if users else none


def escaped_name(text: str) -> str:
    """A display name, escaped so that it formats, mentions and links nothing.

    >>> print(escaped_name("*Ada* @here"))
    \\*Ada\\* @​here
    """
    escaped = _MARKDOWN.sub(r"\\\g<0>", text.replace("://", ":\u200b//"))
    # Channels, times, commands and emojis are written in angle brackets.
    escaped = _MENTION.sub("@\u200b\\1", escaped.replace("<", "\\<"))
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return f"\u2068{escaped}\u2069"  # Written from the right, it turns nothing around it.
    return escaped


def _written(text: Text, rows: int, rest: int = 0) -> str:
    return "".join(_part(part, rows, rest) for part in text)


def _part(part: Part, rows: int, rest: int) -> str:
    inside = partial(_written, rows=rows, rest=rest)
    match part:
        case str(words) | Written(words):
            return words
        case Name(name):
            return escaped_name(name)
        case Quoted(sentence):
            return discord.utils.escape_mentions(discord.utils.escape_markdown(sentence))
        case Time(at_ms, style):
            return f"<t:{at_ms // 1000}:{_STYLES[style]}>"
        case Code(code):
            return f"`{code}`"
        case Block(code):
            # Names in it may have backticks, and three of them would end it.
            return "```\n{}\n```".format(code.replace("`", "`\u200b"))
        case Link(address):
            return f"<{address}>"
        case Option():
            return f"`{part.typed}`"
        case Command(name, options):
            return f"`{' '.join(['/bigben', name, *(option.typed for option in options)])}`"
        case Place(channel):
            return f"<#{channel}>"
        case Person(user):
            return f"<@{user}>"
        case Role(role):
            return f"<@&{role}>"
        case Strong(parts):
            return f"**{inside(parts)}**"
        case Emphasis(parts):
            return f"*{inside(parts)}*"
        case Small(parts):
            return f"-# {inside(parts)}"
        case Heading(level, parts):
            return f"{'#' * level} {inside(parts)}"
        case Item(parts):
            return f"- {inside(parts)}"
        case Rest():
            return str(rest)
        case Listed():
            return _listed(part, rows)
        case _:
            assert_never(part)


def _listed(listed: Listed, rows: int) -> str:
    shown, rest = listed.shown(rows)
    written = listed.between.join(_written(item, rows) for item in shown)
    return written + (_written(listed.more, rows, rest) if rest else "")
