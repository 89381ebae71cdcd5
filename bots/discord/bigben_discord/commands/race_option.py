"""The option ``race`` of commands, and its completion: the races that the user is in."""

from collections.abc import Callable
from typing import TypeAlias

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import playing
from bigben_chat.boards.current_race import Seated
from bigben_discord.client import BotInteraction
from bigben_discord.commands.variant import choices
from bigben_discord.interactions.interaction import say_to, user_of

RaceOption: TypeAlias = app_commands.Range[str, 0, 64]
"""A code, or a race's whole name."""


async def races_to_play(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the races in which the user can play."""
    return await _completed(interaction, typed, lambda one: one.playing)


async def races_to_leave(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the races in which the user has a seat and no cards yet."""
    return await _completed(interaction, typed, lambda one: one.waiting)


async def races_of_mine(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete all races of the user, also those that are over."""
    return await _completed(interaction, typed, lambda one: True)


async def _completed(
    interaction: BotInteraction, typed: str, wanted: Callable[[Seated], bool]
) -> list[Choice[str]]:
    bot, user = interaction.client.chat, user_of(interaction)
    return choices(await playing.complete_race(bot, user, typed, say_to(interaction), wanted))
