"""Controls as signs, for a platform where users react to messages with emojis.

A message carries what its signs do in its own content. So they work as long as it exists, even
after a restart of the bot, as the ids of buttons do elsewhere.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from bigben_chat.messages.content import Content, Menu, is_ours, read_id
from bigben_chat.tree import Name, Small, Text, joined, text

_SIGNS: Final = {
    "accept": "✅",
    "begin": "▶️",
    "board": "🎴",
    "commands": "📖",
    "deal": "🃏",
    "decline": "❌",
    "delete-season": "✅",
    "forget:no": "❌",
    "forget:yes": "✅",
    "game": "🎲",
    "giveup": "✅",
    "go": "✅",
    "help": "❓",
    "hint": "💡",
    "join": "➕",
    "learn": "🎓",
    "leave": "🚪",
    "lesson": "▶️",
    "look:picture": "🖼️",
    "look:text": "📝",
    "open": "🆕",
    "play": "▶️",
    "practice": "🎯",
    "ready": "✅",
    "refresh": "🎴",
    "rematch": "🔁",
    "resign": "🏳️",
    "season": "🏆",
    "share": "📣",
    "standings": "📊",
    "start": "🏁",
    "stay": "❌",
    "undo": "↩️",
    "verify": "🔍",
    "wish": "🔔",
}
"""The sign of a verb, or of a verb and its first detail. A sign that is taken, as well as any other
verb, has a number instead."""
_ARROWS: Final = {"◀": "◀️", "▶": "▶️"}
"""Labels that are signs themselves."""
_NUMBERS: Final = tuple(f"{number}\ufe0f\u20e3" for number in range(1, 10))
_OFFERED: Final = frozenset({
    "accept", "begin", "deal", "decline", "forget", "giveup", "go", "join", "lesson", "play",
    "ready", "stay", "undo",
})  # fmt: skip
"""The bot reacts with these itself, so that one tap is enough; others are used less often."""
MOST_OFFERED: Final = 4
_TYPED: Final = frozenset({"from", "to"})
"""Menus without signs: a move is typed."""


class Control(NamedTuple):
    """What a reaction with this sign does."""

    sign: str
    label: str
    id: str
    value: str = ""
    """What it chooses, of a menu."""


class Used(NamedTuple):
    """A control that somebody has used."""

    verb: str
    details: list[str]
    value: str


def controls(content: Content) -> list[Control]:
    """The controls of a message; those beyond the numbers are left out."""
    found: list[Control] = []
    numbers = iter(_NUMBERS)
    for id, value, label in _choices(content):
        taken = {control.sign for control in found}
        sign = _ARROWS.get(label) or _sign(id)
        if not sign or sign in taken:
            sign = next(numbers, "")
        if sign:
            found.append(Control(sign, label, id, value))
    return found


def legend(shown: Collection[Control]) -> Text:
    """The line under the text that says what the signs do; empty for none."""
    said = [text(one.sign, *_named(one)) for one in shown]
    return (Small(joined(said, " · ")),) if said else ()


def written(shown: Collection[Control]) -> dict[str, str]:
    """What the signs do, for the message to carry."""
    return {one.sign: f"{one.id}\n{one.value}" if one.value else one.id for one in shown}


def offered(there: Mapping[str, str]) -> list[str]:
    """The signs with which the bot reacts itself."""
    signs = [sign for sign, id in there.items() if read_id(id)[0] in _OFFERED]
    return signs[:MOST_OFFERED]


def is_sign(key: str) -> bool:
    """Whether a reaction with this key can press anything."""
    return _bare(key) in _ALL


def used(there: Mapping[str, str], key: str) -> Used | None:
    """What a reaction with this key presses; None if it is none of the message's signs."""
    for sign, id in there.items():
        if _bare(sign) == _bare(key) and is_ours(id):
            id, _, value = id.partition("\n")
            return Used(*read_id(id), value)
    return None


def _choices(content: Content) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for row in content.rows:
        if not isinstance(row, Menu):
            found += [(button.id, "", button.label) for button in row if not button.disabled]
        elif read_id(row.id)[0] not in _TYPED:
            found += [(row.id, option.value, option.label) for option in row.options]
    return found


def _sign(id: str) -> str:
    verb, details = read_id(id)
    exact = _SIGNS.get(":".join([verb, *details[:1]]))
    return exact or _SIGNS.get(verb, "")


def _named(control: Control) -> Text:
    """Its label, where that says more than the sign."""
    if control.label in (*_ARROWS, "?"):
        return ()
    return text(" ", Name(control.label))


def _bare(sign: str) -> str:
    """Without the mark that asks for a picture: clients add and drop it as they like."""
    return sign.replace("\ufe0f", "")


_ALL: Final = frozenset(map(_bare, (*_SIGNS.values(), *_ARROWS.values(), *_NUMBERS)))
