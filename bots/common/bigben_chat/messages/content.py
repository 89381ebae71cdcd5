"""A message as a value: its text, the buttons and menus under it, an attached file.

The id of a button says all that the button does, so that it works for as long as its message is
there, also after a restart of the bot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

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
    """What can be chosen in a menu."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Menu:
    """A menu to choose one option from; 25 at most."""

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


@dataclass(frozen=True)
class Content:
    """A message: what to send, or what to change one to."""

    text: str
    rows: Sequence[Row] = ()
    attachment: Attachment | None = None
    plain: "Content | None" = None
    """What to send instead where no files may be sent."""


def id_of(verb: str, *details: object) -> str:
    """The id of a control: what it does, to what. ``verb`` is a key of ``buttons.VERBS``.

    >>> id_of("join", "K7QPXM")
    'bb:join:K7QPXM'
    """
    return _SEPARATOR.join([PREFIX, verb, *map(str, details)])


def is_ours(custom_id: str) -> bool:
    """Whether ``id_of`` has made this."""
    return custom_id.startswith(PREFIX + _SEPARATOR)


def read_id(custom_id: str) -> tuple[str, list[str]]:
    """The verb and the details of a control's id."""
    _, verb, *details = custom_id.split(_SEPARATOR)
    return verb, details
