"""The group of all commands."""

from typing import Final

from discord import app_commands

from bigben_discord.commands.translator import text

GROUP: Final = app_commands.Group(name="bigben", description=text("command.bigben"))
