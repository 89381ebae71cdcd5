"""``/bigben standings``, ``share``, ``leaderboard``, ``stats``, ``verify`` and ``analyse``."""

from typing import cast, get_args

import discord
from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import analysing, leaderboards, playing, sharing, variants, verification
from bigben_chat.boards import current_race
from bigben_chat.messages.leaderboards import BoardPage
from bigben_chat.platform import Sorry
from bigben_discord.client import BotInteraction
from bigben_discord.commands import variant
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import RaceOption, races_of_mine
from bigben_discord.commands.translator import shared_text, text
from bigben_discord.commands.variant import NameOption
from bigben_discord.interactions.interaction import user_of
from bigben_protocol import PERIODS, By, Period


@GROUP.command(name="standings", description=text("command.standings"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def standings(interaction: BotInteraction, race: RaceOption = "") -> None:
    """The places in the user's race."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await leaderboards.standings(
            bot.chat, answer, playing.typed_or_last(bot.chat, answer, race)
        )


@GROUP.command(name="share", description=text("command.share"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def share(interaction: BotInteraction, race: RaceOption = "") -> None:
    """The result of the user's game, as a text without cards."""
    bot = interaction.client
    async with (
        bot.answers.to(interaction) as answer,
        bot.chat.players.connected(user_of(interaction)) as player,
    ):
        chosen = await current_race.named(bot.chat.store, answer, player, race)
        await sharing.text(bot.chat, answer, player, chosen)


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
    by=[Choice(name=text(f"by.{by}"), value=by) for by in get_args(By)],
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
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        if group == "here" and not interaction.guild_id:
            raise Sorry(answer.say("wrong.no_guild"))
        chosen = await variants.variant(bot.chat, answer, game, rules)
        wanted = BoardPage(cast(Period, scope), group == "here", *chosen, by=cast(By, by))
        await leaderboards.leaderboard(bot.chat, answer, wanted)


@GROUP.command(name="stats", description=text("command.stats"))
@app_commands.describe(player=text("option.player"))
async def stats(interaction: BotInteraction, player: discord.User | None = None) -> None:
    """What a player has done."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await leaderboards.profile(bot.chat, answer, player.id if player else interaction.user.id)


@GROUP.command(name="verify", description=text("command.verify"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def verify(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Whether a race was dealt as was promised."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await verification.verify(bot.chat, answer, playing.typed_or_last(bot.chat, answer, race))


@GROUP.command(name="analyse", description=text("command.analyse"))
@app_commands.describe(race=text("option.race"))
@app_commands.autocomplete(race=races_of_mine)
async def analyse(interaction: BotInteraction, race: RaceOption = "") -> None:
    """How a closed race was played: winning chances, costly moves, skill and luck."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await analysing.analyse(bot.chat, answer, playing.typed_or_last(bot.chat, answer, race))
