"""``/bigben cheer``: calls one of five things to all who play or watch in a room."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import cheering
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import RaceOption, names_race
from bigben_discord.commands.translator import shared_text, text
from bigben_protocol import CHEERS


@GROUP.command(name="cheer", description=text("command.cheer"))
@app_commands.describe(cheer=text("option.cheer"))
@app_commands.choices(
    cheer=[Choice(name=shared_text("cheers", f"cheer.{one}"), value=one) for one in CHEERS]
)
@names_race()
async def cheer(interaction: BotInteraction, cheer: str, race: RaceOption = "") -> None:
    """Call it; the others see it on their boards, and the player is told so."""
    async with answering(interaction) as (bot, answer):
        await cheering.cheer(bot, answer, cheer, race)
