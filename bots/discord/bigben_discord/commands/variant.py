"""The options ``game`` and ``rules``, and their completion."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import variants
from bigben_chat.messages import moves
from bigben_discord.client import BotInteraction
from bigben_discord.interactions.interaction import say_to

NameOption = app_commands.Range[str, 0, 64]
"""The name of a game or of rules."""


async def games(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the name of a game."""
    return choices(variants.complete_game(interaction.client.chat, typed, say_to(interaction)))


async def rules(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the rules of the game that was typed, or of the guild's."""
    bot, group = interaction.client.chat, interaction.guild_id or 0
    game = str(getattr(interaction.namespace, "game", None) or "")
    return choices(variants.complete_rules(bot, group, game, typed, say_to(interaction)))


def choices(found: list[moves.Choice]) -> list[Choice[str]]:
    """What is suggested, as far as Discord takes it."""
    return [Choice(name=one.label[:100], value=one.value) for one in found[:25]]
