"""``/bigben help`` and ``/bigben link``."""

from bigben_chat.messages import formatting
from bigben_chat.messages.content import Content
from bigben_discord.client import BotInteraction
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.translator import text
from bigben_discord.interactions.interaction import user_of


@GROUP.command(name="help", description=text("command.help"))
async def help_(interaction: BotInteraction) -> None:
    """Explain the game and the commands in short."""
    async with interaction.client.answers.to(interaction) as answer:
        await answer.show(Content(answer.say("help")))


@GROUP.command(name="link", description=text("command.link"))
async def link(interaction: BotInteraction) -> None:
    """Give a link with which the player continues in a browser or a terminal."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        async with bot.players.connected(user_of(interaction)) as player:
            once = await player.client.link()
        said = answer.say(
            "link_browser" if bot.settings.browsers else "link",
            page=bot.settings.page,
            token=once.token,
            at=formatting.moment(once.expires_at),
        )
        await answer.show(Content(said))
