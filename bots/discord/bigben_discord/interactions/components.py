"""The rows and files of a message in the form that discord.py takes."""

from io import BytesIO
from typing import Final

import discord

from bigben_chat.messages.content import Button, Content, Menu

LONGEST_ALT: Final = 1024
"""The most letters of an alternative text."""


def files_of(content: Content) -> list[discord.File]:
    """What is attached, as new objects: discord.py reads each of them once."""
    if (file := content.attachment) is None:
        return []
    said = file.alternative
    if len(said) > LONGEST_ALT:
        said = said[: LONGEST_ALT - 1] + "…"
    return [discord.File(BytesIO(file.data), file.name, description=said or None)]


def view_of(content: Content) -> discord.ui.View:
    """The buttons and menus. discord.py need not remember them: their ids say everything."""
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(content.rows):
        if isinstance(row, Menu):
            view.add_item(_select(row, number))
        else:
            for button in row:
                view.add_item(_button(button, number))
    view.stop()
    return view


def _button(button: Button, row: int) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(
        label=button.label[:80],
        custom_id=button.id,
        style=discord.ButtonStyle[button.style],
        disabled=button.disabled,
        row=row,
    )


def _select(menu: Menu, row: int) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(
            label=option.label[:100], value=option.value, description=option.detail[:100] or None
        )
        for option in menu.options[:25]
    ]
    return discord.ui.Select(
        placeholder=menu.placeholder[:150], custom_id=menu.id, options=options, row=row
    )
