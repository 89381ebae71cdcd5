"""``/bigben cheer``: calls one of five things to all who play or watch in a room."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.tree import text as text_of
from bigben_discord.boards import current_race
from bigben_discord.client import BotInteraction
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import RaceOption, races_of_mine
from bigben_discord.commands.translator import cheer_text, text
from bigben_discord.interactions.answer import Sorry
from bigben_discord.interactions.interaction import user_of
from bigben_protocol import CHEERS, Cheered
from bigben_protocol.cheer_lines import cheer_lines


@GROUP.command(name="cheer", description=text("command.cheer"))
@app_commands.describe(cheer=text("option.cheer"), race=text("option.race"))
@app_commands.choices(cheer=[Choice(name=cheer_text(one), value=one) for one in CHEERS])
@app_commands.autocomplete(race=races_of_mine)
async def cheer(interaction: BotInteraction, cheer: str, race: RaceOption = "") -> None:
    """Call it; the others see it on their boards, and the player is told so."""
    bot = interaction.client
    async with (
        bot.answers.to(interaction) as answer,
        bot.players.connected(user_of(interaction)) as player,
    ):
        if not player.client.cheers:
            raise Sorry(answer.say("wrong.no_cheers"))
        chosen = await current_race.named(bot.store, answer, player, race)
        await player.client.cheer(chosen, cheer)
        own = [Cheered(cheer, player.id)]
        (line,) = cheer_lines(own, {}, player.id, answer.say.language)
        await answer.tell(text_of("💬 ", line))
