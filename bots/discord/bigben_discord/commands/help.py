"""``/bigben help``, ``learn``, ``link`` and ``forget-me``."""

from collections.abc import Awaitable, Callable

from discord import app_commands

from bigben_chat.actions import forgetting, learning, linking, variants
from bigben_chat.chat import Chat
from bigben_chat.messages.help_text import game_help
from bigben_chat.platform import Answer
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands import variant
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.translator import text
from bigben_discord.commands.variant import NameOption


@GROUP.command(name="help", description=text("command.help"))
@app_commands.describe(game=text("option.game"))
@app_commands.autocomplete(game=variant.games)
async def help_(interaction: BotInteraction, game: NameOption = "") -> None:
    """Explain a game and the commands in short."""
    async with answering(interaction) as (bot, answer):
        chosen = await variants.variant(bot, answer, game, "")
        games = await variants.known(bot, answer.user)
        await answer.show(game_help(games[chosen.game], answer.say))


def _command(name: str, act: Callable[[Chat, Answer], Awaitable[None]]) -> None:
    """Add a command without options."""

    @GROUP.command(name=name, description=text(f"command.{name}"))
    async def command(interaction: BotInteraction) -> None:
        async with answering(interaction) as (bot, answer):
            await act(bot, answer)


_command("learn", learning.begin)
_command("link", linking.link)
_command("forget-me", forgetting.ask)
