"""The option ``race`` of commands, and its completion: the races that the user is in."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.texts import say_in
from bigben_client import ClientError
from bigben_discord.actions import races
from bigben_discord.boards import current_race
from bigben_discord.boards.current_race import Seated
from bigben_discord.interactions.editable_message import Interaction

COMPLETION_S: Final = 2.0
"""For a completion; it can't be promised, and comes in time or not at all."""

RaceOption: TypeAlias = app_commands.Range[str, 0, 64]
"""A code, or a race's whole name."""


async def races_to_play(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Those in which there is a move to be made."""
    return await _completed(interaction, typed, lambda one: one.playing)


async def races_of_mine(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """All of them, those that are over among them."""
    return await _completed(interaction, typed, lambda one: True)


async def _completed(
    interaction: Interaction, typed: str, wanted: Callable[[Seated], bool]
) -> list[Choice[str]]:
    bot = interaction.client
    try:
        async with (
            asyncio.timeout(COMPLETION_S),
            bot.players.at(races.visitor(interaction)) as player,
        ):
            seated = await current_race.races(bot.memory, player)
    except (ClientError, TimeoutError):
        return []
    found = current_race.choices(
        list(filter(wanted, seated)), typed, say_in(str(interaction.locale))
    )
    return [Choice(name=choice.label, value=choice.value) for choice in found]
