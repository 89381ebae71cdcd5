"""``/bigben season post``: its option is a channel, which only Discord has."""

from discord import app_commands
from discord.app_commands import AppCommandChannel

from bigben_chat.actions import seasons
from bigben_chat.platform import Sorry
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands import completions
from bigben_discord.commands.settings import PostChannel
from bigben_discord.commands.table import SEASON
from bigben_discord.commands.translator import text


@SEASON.command(name="post", description=text("command.season_post"))
@app_commands.describe(channel=text("option.season_channel"), season=text("option.season"))
@app_commands.autocomplete(season=completions.named_seasons)
async def post(
    interaction: BotInteraction,
    channel: app_commands.Transform[AppCommandChannel, PostChannel] | None = None,
    season: app_commands.Range[str, 0, 64] = "",
) -> None:
    """Post its news there, or nowhere."""
    async with answering(interaction) as (bot, answer):
        if channel is not None and not answer.posts_here:
            raise Sorry(answer.say("wrong.guest"))
        await seasons.post_in(bot, answer, season, channel.id if channel else 0)
