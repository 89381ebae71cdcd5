"""The group of all commands, and the choices that several commands share."""

from typing import Final

from discord import app_commands

from bigben_chat.texts import DEFAULT, languages
from bigben_discord.commands.translator import text

GROUP: Final = app_commands.Group(name="bigben", description=text("command.bigben"))

RULES: Final = [
    app_commands.Choice(name=text(f"rules.{rules}"), value=rules)
    for rules in languages()[DEFAULT].table("rules")
]
"""Whatever has a name in the texts."""
