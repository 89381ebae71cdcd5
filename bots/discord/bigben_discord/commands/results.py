"""``/bigben standings``, ``leaderboard``, ``stats`` and ``verify``."""

from typing import cast, get_args

import discord
from discord import app_commands
from discord.app_commands import Choice

from bigben_discord.actions import leaderboards, verification
from bigben_discord.actions.leaderboards import Wanted
from bigben_discord.boards import current_race
from bigben_discord.commands.group import GROUP, RULES
from bigben_discord.commands.race_option import RaceOption, races_of_mine
from bigben_discord.commands.races import usual_rules
from bigben_discord.commands.translator import text
from bigben_discord.interactions.answers import Sorry, answering
from bigben_discord.interactions.editable_message import Interaction
from bigben_protocol import By, Period


@GROUP.command(name="standings", description=text("command.standings"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def standings(interaction: Interaction, race: RaceOption = "") -> None:
    """The places in the user's race."""
    async with answering(interaction) as answer:
        await leaderboards.standings(answer, race.strip() or current_race.last(interaction))


@GROUP.command(name="leaderboard", description=text("command.leaderboard"))
@app_commands.describe(
    scope=text("option.scope"),
    group=text("option.group"),
    rules=text("option.rules"),
    by=text("option.by"),
)
@app_commands.choices(
    scope=[
        Choice(name=text(f"scope.{scope}"), value=scope)
        for scope in ("daily", "weekly", "monthly", "all-time")
    ],
    group=[
        Choice(name=text("group.everybody"), value="everybody"),
        Choice(name=text("group.here"), value="here"),
    ],
    rules=RULES,
    by=[Choice(name=text(f"by.{by}"), value=by) for by in get_args(By)],
)
async def leaderboard(
    interaction: Interaction,
    scope: str = "daily",
    group: str = "",
    rules: str = "",
    by: str = "points",
) -> None:
    """A leaderboard, page by page."""
    async with answering(interaction) as answer:
        if group == "here" and not interaction.guild_id:
            raise Sorry(answer.say("wrong.no_guild"))
        chosen = rules or usual_rules(interaction)
        wanted = Wanted(cast(Period, scope), group == "here", chosen, by=cast(By, by))
        await leaderboards.leaderboard(answer, wanted)


@GROUP.command(name="stats", description=text("command.stats"))
@app_commands.describe(player=text("option.player"))
async def stats(interaction: Interaction, player: discord.User | None = None) -> None:
    """What a player has done."""
    async with answering(interaction) as answer:
        await leaderboards.profile(answer, player.id if player else interaction.user.id)


@GROUP.command(name="verify", description=text("command.verify"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def verify(interaction: Interaction, race: RaceOption = "") -> None:
    """Whether a race was dealt as was promised."""
    async with answering(interaction) as answer:
        await verification.verify(answer, race.strip() or current_race.last(interaction))
