"""What stands under a message: buttons and menus as values, and as discord.py wants them.

Everything a button needs to know stands in its id, so that it works for as long as its message is
there, whatever has become of the bot in the meantime.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Literal

import discord

PREFIX: Final = "bb"
_SEPARATOR: Final = ":"

Style = Literal["primary", "secondary", "success", "danger"]


@dataclass(frozen=True)
class Tap:
    """A button."""

    label: str
    id: str
    style: Style = "secondary"
    disabled: bool = False


@dataclass(frozen=True)
class Line:
    """What can be chosen in a menu."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Menu:
    """A menu to choose one line from; 25 at most."""

    placeholder: str
    id: str
    lines: Sequence[Line]


Row = Sequence[Tap] | Menu
"""Up to five buttons, or one menu."""


@dataclass(frozen=True)
class Attached:
    """A file under a message."""

    name: str
    data: bytes
    words: str = ""
    """What a picture shows, for who can't see it."""


@dataclass(frozen=True)
class Content:
    """A message, as it is to be."""

    text: str
    rows: Sequence[Row] = ()
    attached: Attached | None = None
    plain: "Content | None" = None
    """What to send instead where no files may be sent."""

    @property
    def view(self) -> discord.ui.View:
        """The rows for discord.py."""
        return view_of(self.rows)

    @property
    def files(self) -> list[discord.File]:
        """What is attached, for discord.py; a new one each time, since it is read once."""
        if (file := self.attached) is None:
            return []
        return [discord.File(BytesIO(file.data), file.name, description=file.words or None)]


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


def view_of(rows: Sequence[Row]) -> discord.ui.View:
    """The rows for discord.py, which is not to remember them: their ids say everything."""
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Menu):
            view.add_item(_select(row, number))
        else:
            for tap in row:
                view.add_item(_button(tap, number))
    view.stop()
    return view


def _button(tap: Tap, row: int) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(
        label=tap.label[:80],
        custom_id=tap.id,
        style=discord.ButtonStyle[tap.style],
        disabled=tap.disabled,
        row=row,
    )


def _select(menu: Menu, row: int) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(
            label=line.label[:100], value=line.value, description=line.detail[:100] or None
        )
        for line in menu.lines[:25]
    ]
    return discord.ui.Select(
        placeholder=menu.placeholder[:150], custom_id=menu.id, options=options, row=row
    )
