"""The commands of a race in play: ``move``, ``deal``, ``undo``, ``board``, ``resign``."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import playing
from bigben_chat.messages.moves import complete_source, complete_target
from bigben_discord.client import BotInteraction
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import RaceOption, races_of_mine, races_to_play
from bigben_discord.commands.translator import text
from bigben_discord.commands.variant import choices
from bigben_discord.interactions.interaction import say_to, user_of


@GROUP.command(name="move", description=text("command.move"))
@app_commands.rename(source="from", target="to")
@app_commands.describe(
    source=text("option.from"), target=text("option.to"), race=text("option.race_to_play")
)
@app_commands.autocomplete(race=races_to_play)
async def move(
    interaction: BotInteraction,
    source: app_commands.Range[str, 1, 12],
    target: app_commands.Range[str, 0, 12] = "",
    race: RaceOption = "",
) -> None:
    """Play a card, or a command such as ``turn``."""
    await _play(interaction, source, race, target)


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


@GROUP.command(name="deal", description=text("command.deal"))
@app_commands.describe(race=text("option.race_to_play"))
@app_commands.autocomplete(race=races_to_play)
async def deal(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Deal, turn, refill or redeal, whichever the game has now."""
    await _play(interaction, "deal", race)


@GROUP.command(name="undo", description=text("command.undo"))
@app_commands.describe(race=text("option.race_to_play"))
@app_commands.autocomplete(race=races_to_play)
async def undo(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Take the last move back."""
    await _play(interaction, "undo", race)


@GROUP.command(name="hint", description=text("command.hint"))
@app_commands.describe(race=text("option.race_to_play"))
@app_commands.autocomplete(race=races_to_play)
async def hint(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Say what is best on the board of a practice game, and why."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await playing.hint(bot.chat, answer, race)


@GROUP.command(name="board", description=text("command.board"))
@app_commands.describe(
    look=text("option.look"),
    colours=text("option.colours"),
    hints=text("option.hints"),
    cheers=text("option.cheers"),
    race=text("option.race"),
)
@app_commands.autocomplete(race=races_of_mine)
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
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await playing.board(
            bot.chat,
            answer,
            race,
            text=look == "text" if look else None,
            four_colours=colours == "four" if colours else None,
            hints=hints,
            cheers=cheers,
        )


@GROUP.command(name="resign", description=text("command.resign"))
@app_commands.describe(race=text("option.race_to_play"))
@app_commands.autocomplete(race=races_to_play)
async def resign(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Give up; the bot asks first whether the player is sure."""
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await playing.resign(bot.chat, answer, race)


async def _play(interaction: BotInteraction, source: str, race: str, target: str = "") -> None:
    bot = interaction.client
    async with bot.answers.to(interaction) as answer:
        await playing.play(bot.chat, answer, source, race, target)


async def _completed(interaction: BotInteraction, how: playing.Complete) -> list[Choice[str]]:
    bot, user = interaction.client.chat, user_of(interaction)
    race = str(getattr(interaction.namespace, "race", None) or "")
    return choices(await playing.complete(bot, user, race, say_to(interaction), how))
