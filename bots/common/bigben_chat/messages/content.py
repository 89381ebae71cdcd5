"""A message as a value: its text, the buttons and menus under it, an attached file.

The id of a button says everything that the button does. So it works as long as its message exists,
even after a restart of the bot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

from bigben_chat.texts import Say
from bigben_chat.tree import Text

PREFIX: Final = "bb"
_SEPARATOR: Final = ":"

Style = Literal["primary", "secondary", "success", "danger"]


@dataclass(frozen=True)
class Button:
    """A button."""

    label: str
    id: str
    style: Style = "secondary"
    disabled: bool = False


@dataclass(frozen=True)
class Option:
    """An option of a menu."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Menu:
    """A menu to choose one option from."""

    placeholder: str
    id: str
    options: Sequence[Option]


Row = Sequence[Button] | Menu
"""Up to five buttons, or one menu."""


@dataclass(frozen=True)
class Attachment:
    """A file under a message."""

    name: str
    data: bytes
    alternative: str = ""
    """The alternative text of a picture."""
    text: Text = ()
    """All that a picture shows, in lines, where the message's own text does not say it."""


@dataclass(frozen=True)
class Content:
    """A message to send, or the new content of one."""

    text: Text
    rows: Sequence[Row] = ()
    attachment: Attachment | None = None
    plain: "Content | None" = None
    """What to send instead if files are not allowed."""
    cards: bool = False
    """Whether it shows cards that its player alone may see."""


def id_of(verb: str, *details: object) -> str:
    """The id of a control: its verb, a key of ``buttons.VERBS``, and the details.

    >>> id_of("join", "K7QPXM")
    'bb:join:K7QPXM'
    """
    written = (str(detail).replace("%", "%25").replace(_SEPARATOR, "%3A") for detail in details)
    return _SEPARATOR.join([PREFIX, verb, *written])


def is_ours(custom_id: str) -> bool:
    """Whether ``id_of`` has made this."""
    return custom_id.startswith(PREFIX + _SEPARATOR)


def read_id(custom_id: str) -> tuple[str, list[str]]:
    """The verb and the details of a control's id.

    >>> read_id(id_of("board", "a:b"))
    ('board', ['a:b'])
    """
    _, verb, *details = custom_id.split(_SEPARATOR)
    return verb, list(map(unquote, details))


def play_here(joins: str, say: Say) -> Button:
    """The button that opens the page in a frame; there one ``joins`` the race of this code."""
    return Button(say.label("button.here"), id_of("here", joins), "primary")
