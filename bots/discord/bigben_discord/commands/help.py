"""``/bigben help``, ``learn``, ``link`` and ``forget-me``."""

from discord import app_commands

from bigben_chat.actions import forgetting, learning, linking, variants
from bigben_chat.messages.help_text import game_help
from bigben_discord.client import BotInteraction
from bigben_discord.commands import variant
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.translator import text
from bigben_discord.commands.variant import NameOption


@GROUP.command(name="help", description=text("command.help"))
@app_commands.describe(game=text("option.game"))
@app_commands.autocomplete(game=variant.games)
async def help_(interaction: BotInteraction, game: NameOption = "") -> None:
    """Explain a game and the commands in short."""
    async with interaction.client.answers.to(interaction) as answer:
        bot = interaction.client.chat
        chosen = await variants.variant(bot, answer, game, "")
        games = await variants.known(bot, answer.user)
        await answer.show(game_help(games[chosen.game], answer.say))


@GROUP.command(name="learn", description=text("command.learn"))
async def learn(interaction: BotInteraction) -> None:
    """Begin the guided practice game."""
    async with interaction.client.answers.to(interaction) as answer:
        await learning.begin(interaction.client.chat, answer)


@GROUP.command(name="link", description=text("command.link"))
async def link(interaction: BotInteraction) -> None:
    """Give a link with which the player continues in a browser or a terminal."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await linking.link(bot.chat, answer)


@GROUP.command(name="forget-me", description=text("command.forget-me"))
async def forget_me(interaction: BotInteraction) -> None:
    """Delete what the bot stores of the user, after it has asked."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await forgetting.ask(bot.chat, answer)
