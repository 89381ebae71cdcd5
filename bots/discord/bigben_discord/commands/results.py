"""``/bigben standings``, ``leaderboard``, ``stats`` and ``verify``."""

from typing import cast, get_args

import discord
from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.messages.leaderboards import BoardPage
from bigben_discord.actions import leaderboards, verification
from bigben_discord.boards import current_race
from bigben_discord.client import BotClient, BotInteraction
from bigben_discord.commands.group import GROUP, RULES
from bigben_discord.commands.race_option import RaceOption, races_of_mine
from bigben_discord.commands.races import usual_rules
from bigben_discord.commands.translator import text
from bigben_discord.interactions.answer import Answer, Sorry
from bigben_protocol import By, Period


@GROUP.command(name="standings", description=text("command.standings"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def standings(interaction: BotInteraction, race: RaceOption = "") -> None:
    """The places in the user's race."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await leaderboards.standings(bot, answer, _typed_or_last(bot, answer, race))


@GROUP.command(name="leaderboard", description=text("command.leaderboard"))
@app_commands.describe(
    scope=text("option.scope"),
    group=text("option.group"),
    rules=text("option.rules"),
    by=text("option.by"),
)
@app_commands.choices(
    scope=[Choice(name=text(f"scope.{scope}"), value=scope) for scope in get_args(Period)],
    group=[
        Choice(name=text("group.everybody"), value="everybody"),
        Choice(name=text("group.here"), value="here"),
    ],
    rules=RULES,
    by=[Choice(name=text(f"by.{by}"), value=by) for by in get_args(By)],
)
async def leaderboard(
    interaction: BotInteraction,
    scope: str = "daily",
    group: str = "",
    rules: str = "",
    by: str = "points",
) -> None:
    """A leaderboard, page by page."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        if group == "here" and not interaction.guild_id:
            raise Sorry(answer.say("wrong.no_guild"))
        chosen = rules or usual_rules(interaction)
        wanted = BoardPage(cast(Period, scope), group == "here", chosen, by=cast(By, by))
        await leaderboards.leaderboard(bot, answer, wanted)


@GROUP.command(name="stats", description=text("command.stats"))
@app_commands.describe(player=text("option.player"))
async def stats(interaction: BotInteraction, player: discord.User | None = None) -> None:
    """What a player has done."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await leaderboards.profile(bot, answer, player.id if player else interaction.user.id)


@GROUP.command(name="verify", description=text("command.verify"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def verify(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Whether a race was dealt as was promised."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await verification.verify(bot, answer, _typed_or_last(bot, answer, race))


def _typed_or_last(bot: BotClient, answer: Answer, typed: str) -> str:
    """The race that was typed, or the one that the user joined or saw last. Raises Sorry."""
    user = answer.interaction.user.id
    return typed.strip() or current_race.last(bot.store, user, answer.say)
