"""The commands of a race in play: ``move``, ``deal``, ``undo``, ``board``, ``resign``."""

import asyncio
from collections.abc import Callable

import msgspec
from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.messages import moves
from bigben_chat.messages.moves import complete_source, complete_target
from bigben_chat.records import PlayerRecord
from bigben_chat.texts import Say
from bigben_client import ClientError
from bigben_discord.actions import practice
from bigben_discord.boards import current_race
from bigben_discord.client import BotInteraction
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import (
    COMPLETION_S,
    RaceOption,
    races_of_mine,
    races_to_play,
)
from bigben_discord.commands.translator import text
from bigben_discord.interactions.answer import Sorry
from bigben_discord.interactions.interaction import say_to, user_of
from bigben_protocol import GameInfo, View


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
        async with bot.players.connected(user_of(interaction)) as player:
            chosen = await current_race.to_play(bot.store, answer, player, race)
        if chosen is not None:
            await practice.hint(bot, answer, chosen)


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
    bot, user = interaction.client, interaction.user.id
    async with bot.answers.to(interaction) as answer:
        before = bot.store.get("player", user, PlayerRecord) or PlayerRecord()
        after = msgspec.structs.replace(
            before,
            text=look == "text" if look else before.text,
            four_colours=colours == "four" if colours else before.four_colours,
            hints=before.hints if hints is None else hints,
            cheers=before.cheers if cheers is None else cheers,
        )
        if after != before:
            bot.store.put("player", user, after)
        async with bot.players.connected(user_of(interaction)) as player:
            chosen = await current_race.named(bot.store, answer, player, race)
            room = await player.room(chosen)
            there = await bot.posts.is_there(interaction.channel_id or 0, room)
            try:
                await bot.boards.show(answer, player, chosen)
            except Sorry as sorry:
                if there:
                    raise
                await answer.say_sorry(sorry.text)
            if not there:
                await bot.posts.bring_back(answer, room)


@GROUP.command(name="resign", description=text("command.resign"))
@app_commands.describe(race=text("option.race_to_play"))
@app_commands.autocomplete(race=races_to_play)
async def resign(interaction: BotInteraction, race: RaceOption = "") -> None:
    """Give up; the bot asks first whether the player is sure."""
    bot = interaction.client
    async with (
        bot.answers.to(interaction) as answer,
        bot.players.connected(user_of(interaction)) as player,
    ):
        wanted = race or current_race.seen(bot.store, player.user)
        chosen = await current_race.named(bot.store, answer, player, wanted)
        await bot.boards.ask_if_sure(answer, player, chosen)


async def _play(interaction: BotInteraction, source: str, race: str, target: str = "") -> None:
    """Play in the race that was typed, or on the board that the user saw last."""
    bot = interaction.client
    async with (
        bot.answers.to(interaction) as answer,
        bot.players.connected(user_of(interaction)) as player,
    ):
        chosen = await current_race.to_play(bot.store, answer, player, race)
        if chosen is not None:
            source = moves.read_source(player.game(chosen), source)
            typed = f"{source} {target.lower()}".strip()
            await bot.boards.play_typed(answer, player, chosen, typed)


async def _completed(
    interaction: BotInteraction, complete: Callable[[GameInfo, View, Say], list[moves.Choice]]
) -> list[Choice[str]]:
    """Complete what was typed so far; nothing where there is no board to complete from."""
    bot = interaction.client
    try:
        async with (
            asyncio.timeout(COMPLETION_S),
            bot.players.connected(user_of(interaction)) as player,
        ):
            typed = str(getattr(interaction.namespace, "race", None) or "")
            seen = current_race.seen(bot.store, player.user)
            race = (await player.room(typed)).race if typed else seen
            view = await player.view(race) if race else None
            game = player.game(race) if view else None
    except (ClientError, TimeoutError):
        view = game = None
    choices = complete(game, view, say_to(interaction)) if game and view else []
    return [Choice(name=choice.label[:100], value=choice.value) for choice in choices[:25]]
