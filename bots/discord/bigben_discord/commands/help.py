"""``/bigben help`` and ``/bigben link``."""

from bigben_discord import telling
from bigben_discord.actions.races import visitor
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.translator import text
from bigben_discord.controls import Content
from bigben_discord.interactions.answers import answering
from bigben_discord.interactions.editable_message import Interaction


@GROUP.command(name="help", description=text("command.help"))
async def help_(interaction: Interaction) -> None:
    """The game and the commands, shortly."""
    async with answering(interaction) as answer:
        await answer.show(Content(answer.say("help")))


@GROUP.command(name="link", description=text("command.link"))
async def link(interaction: Interaction) -> None:
    """Carry the player to the browser or the terminal."""
    async with answering(interaction) as answer:
        bot = interaction.client
        async with bot.players.at(visitor(interaction)) as player:
            once = await player.client.link()
        said = answer.say(
            "link_browser" if bot.settings.browsers else "link",
            page=bot.settings.page,
            token=once.token,
            at=telling.moment(once.expires_at),
        )
        await answer.show(Content(said))
