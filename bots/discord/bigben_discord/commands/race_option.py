"""The option ``race`` of commands, and its completion: the races that the user is in."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from discord import app_commands
from discord.app_commands import Choice

from bigben_client import ClientError
from bigben_discord.boards import current_race
from bigben_discord.boards.current_race import Seated
from bigben_discord.client import BotInteraction
from bigben_discord.interactions.interaction import say_to, user_of

COMPLETION_S: Final = 2.0
"""For a completion; it can't be deferred, and comes in time or not at all."""

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
    bot = interaction.client
    try:
        async with (
            asyncio.timeout(COMPLETION_S),
            bot.players.connected(user_of(interaction)) as player,
        ):
            seated = await current_race.races(bot.store, player)
    except (ClientError, TimeoutError):
        return []
    found = current_race.choices(list(filter(wanted, seated)), typed, say_to(interaction))
    return [Choice(name=choice.label[:100], value=choice.value) for choice in found[:25]]
