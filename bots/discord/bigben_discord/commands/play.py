"""The commands of a race in play: ``move``, ``deal``, ``undo``, ``board``, ``resign``."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import playing
from bigben_chat.messages.moves import complete_source, complete_target
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import RaceOption, names_race, race_command
from bigben_discord.commands.translator import text
from bigben_discord.commands.variant import choices
from bigben_discord.interactions.interaction import say_to, user_of


@GROUP.command(name="move", description=text("command.move"))
@app_commands.rename(source="from", target="to")
@app_commands.describe(source=text("option.from"), target=text("option.to"))
@names_race("race_to_play")
async def move(
    interaction: BotInteraction,
    source: app_commands.Range[str, 1, 12],
    target: app_commands.Range[str, 0, 12] = "",
    race: RaceOption = "",
) -> None:
    """Play a card, or a command such as ``turn``."""
    async with answering(interaction) as (bot, answer):
        await playing.play(bot, answer, source, race, target)


@move.autocomplete("source")
async def _sources(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    return await _completed(
        interaction, lambda game, view, say: complete_source(game, view, typed, say)
    )


@move.autocomplete("target")
async def _targets(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    source = getattr(interaction.namespace, "from", None) or ""
    return await _completed(
        interaction, lambda game, view, say: complete_target(game, view, source, typed, say)
    )


race_command(
    "deal", lambda bot, answer, race: playing.play(bot, answer, "deal", race), "race_to_play"
)


race_command(
    "undo", lambda bot, answer, race: playing.play(bot, answer, "undo", race), "race_to_play"
)


race_command("hint", playing.hint, "race_to_play")


@GROUP.command(name="board", description=text("command.board"))
@app_commands.describe(
    look=text("option.look"),
    colours=text("option.colours"),
    hints=text("option.hints"),
    cheers=text("option.cheers"),
)
@names_race()
@app_commands.choices(
    look=[
        Choice(name=text("look.picture"), value="picture"),
        Choice(name=text("look.text"), value="text"),
    ],
    colours=[
        Choice(name=text("colours.four"), value="four"),
        Choice(name=text("colours.two"), value="two"),
    ],
)
async def board(
    interaction: BotInteraction,
    look: str = "",
    colours: str = "",
    hints: bool | None = None,
    cheers: bool | None = None,
    race: RaceOption = "",
) -> None:
    """Show the player's own board. The chosen look stays for later boards."""
    async with answering(interaction) as (bot, answer):
        await playing.board(
            bot,
            answer,
            race,
            text=look == "text" if look else None,
            four_colours=colours == "four" if colours else None,
            hints=hints,
            cheers=cheers,
        )


race_command("resign", playing.resign, "race_to_play")


async def _completed(interaction: BotInteraction, how: playing.Complete) -> list[Choice[str]]:
    bot, user = interaction.client.chat, user_of(interaction)
    race = str(getattr(interaction.namespace, "race", None) or "")
    return choices(await playing.complete(bot, user, race, say_to(interaction), how))
