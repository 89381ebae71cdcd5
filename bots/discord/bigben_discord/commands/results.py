"""``/bigben standings``, ``share``, ``leaderboard``, ``stats``, ``verify`` and ``analyse``."""

from typing import cast

import discord
from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import analysing, leaderboards, sharing, variants, verification
from bigben_chat.messages.leaderboards import BoardPage
from bigben_chat.platform import Sorry
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands import variant
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import or_last, race_command
from bigben_discord.commands.translator import shared_text, text
from bigben_discord.commands.variant import NameOption
from bigben_protocol import PERIODS, By, Period

race_command("standings", or_last(leaderboards.standings))


race_command("share", sharing.text)


@GROUP.command(name="leaderboard", description=text("command.leaderboard"))
@app_commands.describe(
    scope=text("option.scope"),
    group=text("option.group"),
    game=text("option.game"),
    rules=text("option.rules"),
    by=text("option.by"),
)
@app_commands.autocomplete(game=variant.games, rules=variant.rules)
@app_commands.choices(
    scope=[
        Choice(name=shared_text("periods", f"period.{scope}"), value=scope) for scope in PERIODS
    ],
    group=[
        Choice(name=text("group.everybody"), value="everybody"),
        Choice(name=text("group.here"), value="here"),
    ],
    by=[
        Choice(name=text("boards.score"), value="points"),
        Choice(name=text("player.rating"), value="rating"),
    ],
)
async def leaderboard(
    interaction: BotInteraction,
    scope: str = "daily",
    group: str = "",
    game: NameOption = "",
    rules: NameOption = "",
    by: str = "points",
) -> None:
    """A leaderboard, page by page."""
    async with answering(interaction) as (bot, answer):
        if group == "here" and not interaction.guild_id:
            raise Sorry(answer.say("wrong.no_guild"))
        chosen = await variants.variant(bot, answer, game, rules)
        wanted = BoardPage(cast(Period, scope), group == "here", *chosen, by=cast(By, by))
        await leaderboards.leaderboard(bot, answer, wanted)


@GROUP.command(name="stats", description=text("command.stats"))
@app_commands.describe(player=text("option.player"))
async def stats(interaction: BotInteraction, player: discord.User | None = None) -> None:
    """What a player has done."""
    async with answering(interaction) as (bot, answer):
        await leaderboards.profile(bot, answer, player.id if player else interaction.user.id)


race_command("verify", or_last(verification.verify))


race_command("analyse", or_last(analysing.analyse))
