"""The commands of the core's table as Discord takes them, all in one group."""

from collections.abc import Mapping
from dataclasses import replace
from inspect import Parameter, Signature
from typing import Any, Final

import discord
from discord import app_commands

from bigben_chat.connections.identity import ChatUser
from bigben_chat.platform import Answer, Kind, Sorry
from bigben_chat.typed.command import Command, Given, Option
from bigben_chat.typed.commands import COMMANDS, explain
from bigben_chat.typed.reading import command_named
from bigben_chat.typed.shared_options import GAME
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands.option import option
from bigben_discord.commands.settings import SEASON_POST, SETTINGS
from bigben_discord.commands.translator import text

GROUP: Final = app_commands.Group(name="bigben", description=text("command.bigben"))
SEASON: Final = app_commands.Group(name="season", description=text("command.season"), parent=GROUP)
_GROUPS: Final = {"": GROUP, "season": SEASON}
_OTHERWISE: Final[Mapping[str, Command | None]] = {
    # Discord lists the commands itself.
    "help": Command("help", explain, (GAME,)),
    "join": replace(command_named("join"), options=(Option("code", required=True, longest=200),)),
    # Buttons and the menu of a lobby.
    **dict.fromkeys(("ready", "unready", "start", "house")),
    # Discord says what its users speak.
    "language": None,
    "settings": SETTINGS,
    "season post": SEASON_POST,
}
"""What is otherwise on Discord; None for what is not there."""
_PUBLIC: Final = ("race", "rematch")
"""Answered for all in the channel to see."""


def _add(command: Command) -> None:
    """Add a command of the table to its group."""
    group, _, name = command.name.rpartition(" ")
    options = {one.name.replace("-", "_") + "_": one for one in command.options}

    async def do(interaction: BotInteraction, /, **values: Any) -> None:  # as Discord sent them
        kind: Kind = "public" if command.name in _PUBLIC else "private"
        async with answering(interaction, kind) as (bot, answer):
            given = {one.name: values[at] for at, one in options.items()}
            await command.do(bot, answer, _given(given, answer))

    parameters = [Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD)]
    for at, one in options.items():
        default = Parameter.empty if one.required else None
        parameters.append(
            Parameter(at, Parameter.KEYWORD_ONLY, default=default, annotation=option(one))
        )
    # From which discord.py takes the options.
    vars(do)["__signature__"] = Signature(parameters)
    app_commands.rename(**{at: one.name for at, one in options.items()})(do)
    app_commands.describe(**{at: text(one.key) for at, one in options.items()})(do)
    _GROUPS[group].command(name=name, description=text(command.key))(do)


def _given(values: Mapping[str, Any], answer: Answer) -> Given:
    """The values that were given (Any: as Discord sent them). Raises Sorry for a bot."""
    people, typed = {}, {}
    for name, value in values.items():
        if isinstance(value, discord.User | discord.Member):
            if name == "opponent" and value.bot:
                raise Sorry(answer.say("challenge.bot"))
            people[name] = ChatUser(value.id, value.display_name, answer.user.group)
        elif value is not None:  # Of a channel or role its id.
            typed[name] = getattr(value, "id", value)
    return Given(typed, people)


for _command in COMMANDS:
    if (_here := _OTHERWISE.get(_command.name, _command)) is not None:
        _add(_here)
