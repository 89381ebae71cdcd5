"""How races begin and end: ``daily``, ``race``, ``join``, ``leave``, ``rematch``, ``practice``."""

from datetime import timedelta
from typing import get_args

import discord
from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.actions import challenging, joining, practice, races, rooms, variants
from bigben_chat.actions.deadlines import DEADLINES
from bigben_chat.connections.identity import ChatUser
from bigben_chat.platform import Sorry
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands import variant
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import or_last, race_command
from bigben_discord.commands.translator import shared_text, text
from bigben_discord.commands.variant import NameOption
from bigben_protocol import STRENGTHS, Grade


@GROUP.command(name="daily", description=text("command.daily"))
@app_commands.describe(game=text("option.game"), rules=text("option.rules"))
@app_commands.autocomplete(game=variant.games, rules=variant.rules)
async def daily(interaction: BotInteraction, game: NameOption = "", rules: NameOption = "") -> None:
    """Start or continue today's race."""
    async with answering(interaction) as (bot, answer):
        chosen = await variants.variant(bot, answer, game, rules)
        await races.daily(bot, answer, f"daily.{chosen.game}.{chosen.rules}")


@GROUP.command(name="race", description=text("command.race"))
@app_commands.describe(
    game=text("option.game"),
    rules=text("option.rules"),
    minutes=text("option.minutes"),
    who=text("option.who"),
    undo=text("option.undo"),
    deadline=text("option.deadline"),
    winnable=text("option.winnable"),
    grade=text("option.grade"),
    house=text("option.house"),
    opponent=text("option.opponent"),
)
@app_commands.autocomplete(game=variant.games, rules=variant.rules)
@app_commands.choices(
    who=[
        Choice(name=text("who.everybody"), value="everybody"),
        Choice(name=text("who.here"), value="here"),
    ],
    deadline=[Choice(name=text(f"until.{choice}"), value=choice) for choice in DEADLINES],
    grade=[
        Choice(name=shared_text("games", f"grade.{grade}"), value=grade)
        for grade in get_args(Grade)
        if grade
    ],
    house=[Choice(name=text(f"house.{strength}"), value=strength) for strength in STRENGTHS],
)
async def race(
    interaction: BotInteraction,
    game: NameOption = "",
    rules: NameOption = "",
    minutes: app_commands.Range[int, 1, 1440] = rooms.MINUTES,
    who: str = "everybody",
    undo: bool = False,
    deadline: str = "",
    winnable: bool = False,
    grade: str = "",
    house: str = "",
    opponent: discord.User | None = None,
) -> None:
    """Open a room; with a deadline each player starts when they like. Or challenge somebody."""
    async with answering(interaction, "public") as (bot, answer):
        chosen = await variants.variant(bot, answer, game, rules)
        if opponent:
            if opponent.bot:
                raise Sorry(answer.say("challenge.bot"))
            other = ChatUser(opponent.id, opponent.display_name, answer.user.group)
            await challenging.challenge(bot, answer, other, **chosen._asdict())
            return
        await rooms.open_room(
            bot,
            answer,
            game=chosen.game,
            rules=chosen.rules,
            minutes=minutes,
            undo=undo,
            invite_only=who == "here",
            deadline=deadline,
            winnable=winnable,
            grade=grade,
            house=house,
        )


@GROUP.command(name="join", description=text("command.join"))
@app_commands.describe(code=text("option.code"))
async def join(interaction: BotInteraction, code: app_commands.Range[str, 1, 200]) -> None:
    """Take a seat in a race that was opened anywhere."""
    async with answering(interaction) as (bot, answer):
        await joining.join_by_code(bot, answer, code)


race_command("leave", rooms.leave_typed, "race_to_leave")


race_command("rematch", or_last(rooms.rematch), kind="public")


@GROUP.command(name="practice", description=text("command.practice"))
@app_commands.describe(game=text("option.game"), rules=text("option.rules"), day=text("option.day"))
@app_commands.autocomplete(game=variant.games, rules=variant.rules)
async def practice_(
    interaction: BotInteraction,
    game: NameOption = "",
    rules: NameOption = "",
    day: app_commands.Range[str, 10, 10] | None = None,
) -> None:
    """Play alone, with undo."""
    async with answering(interaction) as (bot, answer):
        chosen = await variants.variant(bot, answer, game, rules)
        await practice.practise(bot, answer, game=chosen.game, rules=chosen.rules, day=day or "")


@practice_.autocomplete("day")
async def _days(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """The past days, the latest first."""
    today = interaction.created_at.date()
    days = [str(today - timedelta(days=ago)) for ago in range(1, 366)]
    found = [day for day in days if typed.strip() in day]
    return [Choice(name=day, value=day) for day in found[:25]]
