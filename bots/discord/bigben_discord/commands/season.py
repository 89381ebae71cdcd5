"""``/bigben season …``: a club's season, its table and what its organisers change."""

from collections.abc import Callable
from typing import Final, get_args

import discord
from discord import app_commands
from discord.app_commands import AppCommandChannel, Choice

from bigben_chat.actions import season_changes, seasons
from bigben_chat.platform import Sorry
from bigben_discord.client import BotInteraction, answering
from bigben_discord.commands import variant
from bigben_discord.commands.group import GROUP
from bigben_discord.commands.race_option import Callback
from bigben_discord.commands.settings import PostChannel, zones
from bigben_discord.commands.translator import shared_text, text
from bigben_discord.commands.variant import NameOption
from bigben_discord.interactions.interaction import user_of
from bigben_protocol import Grade
from bigben_protocol.seasons import (
    AddMember,
    EndSeason,
    LeaveSeason,
    NameOrganiser,
)

SEASON: Final = app_commands.Group(name="season", description=text("command.season"), parent=GROUP)
SeasonOption = app_commands.Range[str, 0, 16]
PlayerOption = app_commands.Range[str, 1, 100]
WordsOption = app_commands.Range[str, 1, 200]
"""A reason."""
WeekOption = app_commands.Range[int, 1, 26]
TimeOption = app_commands.Range[str, 0, 20]
_GRADES: Final = [
    Choice(name=shared_text("games", f"grade.{grade}"), value=grade)
    for grade in get_args(Grade)
    if grade
]
_SCALES: Final = [Choice(name=text(f"scale.{scale}"), value=scale) for scale in ("place", "share")]


async def _seasons(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    bot = interaction.client.chat
    return variant.choices(await seasons.complete(bot, user_of(interaction), typed))


async def _players(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    bot, season = interaction.client.chat, getattr(interaction.namespace, "season", "") or ""
    found = await seasons.complete_player(bot, user_of(interaction), season, typed)
    return variant.choices(found)


def _described(**options: str) -> Callable[[Callback], Callback]:
    """Describe the options of a command by their texts, the season as its last one."""
    described = {name: text(f"option.{key}") for name, key in options.items()}

    def decorate(command: Callback) -> Callback:
        app_commands.autocomplete(season=_seasons)(command)
        return app_commands.describe(season=text("option.season"), **described)(command)

    return decorate


async def _change(interaction: BotInteraction, season: str, make: season_changes.Wanted) -> None:
    async with answering(interaction) as (bot, answer):
        await seasons.change(bot, answer, season, make)


@SEASON.command(name="table", description=text("command.season_table"))
@_described()
async def table(interaction: BotInteraction, season: SeasonOption = "") -> None:
    """The table, and the week that is open."""
    async with answering(interaction) as (bot, answer):
        await seasons.show(bot, answer, season)


_PLAN: Final = {
    "first_day": "first_day",
    "weeks": "weeks",
    "timezone": "timezone",
    "opens": "opens",
    "closes": "closes",
    "game": "season_game",
    "rules": "season_rules",
    "grade": "season_grade",
    "counted": "counted",
    "minutes": "season_minutes",
    "points": "points",
    "verified": "verified",
}
"""The options of a plan, and the texts that describe them."""


@SEASON.command(name="new", description=text("command.season_new"))
@app_commands.describe(**{name: text(f"option.{key}") for name, key in _PLAN.items()})
@app_commands.describe(name=text("option.season_name"))
@app_commands.rename(first_day="first-day")
@app_commands.autocomplete(game=variant.games, rules=variant.rules, timezone=zones)
@app_commands.choices(grade=_GRADES, points=_SCALES)
async def new(
    interaction: BotInteraction,
    name: app_commands.Range[str, 1, 50],
    first_day: app_commands.Range[str, 10, 10] | None = None,
    weeks: WeekOption | None = None,
    timezone: app_commands.Range[str, 1, 50] | None = None,
    opens: TimeOption = "",
    closes: TimeOption = "",
    game: NameOption = "",
    rules: NameOption = "",
    grade: str = "",
    counted: WeekOption | None = None,
    minutes: app_commands.Range[int, 1, 1440] | None = None,
    points: str = "",
    verified: bool | None = None,
) -> None:
    """Make a season of this guild; its news come here."""
    async with answering(interaction) as (bot, answer):
        place = answer.place if interaction.is_guild_integration() else 0
        await season_changes.make(
            bot, answer, name, place, first_day=first_day, weeks=weeks, zone=timezone,
            opens=opens, closes=closes, game=game, rules=rules, grade=grade, counted=counted,
            minutes=minutes, scale=points, verified=verified,
        )  # fmt: skip


@SEASON.command(name="change", description=text("command.season_change"))
@_described(name="season_name", **_PLAN)
@app_commands.rename(first_day="first-day")
@app_commands.autocomplete(game=variant.games, rules=variant.rules, timezone=zones)
@app_commands.choices(grade=_GRADES, points=_SCALES)
async def change(
    interaction: BotInteraction,
    name: app_commands.Range[str, 1, 50] | None = None,
    first_day: app_commands.Range[str, 10, 10] | None = None,
    weeks: WeekOption | None = None,
    timezone: app_commands.Range[str, 1, 50] | None = None,
    opens: TimeOption = "",
    closes: TimeOption = "",
    game: NameOption = "",
    rules: NameOption = "",
    grade: str = "",
    counted: WeekOption | None = None,
    minutes: app_commands.Range[int, 1, 1440] | None = None,
    points: str = "",
    verified: bool | None = None,
    season: SeasonOption = "",
) -> None:
    """Change the plan, before the first week opens."""
    async with answering(interaction) as (bot, answer):
        await season_changes.replan(
            bot, answer, season, name=name, first_day=first_day, weeks=weeks, zone=timezone,
            opens=opens, closes=closes, game=game, rules=rules, grade=grade, counted=counted,
            minutes=minutes, scale=points, verified=verified,
        )  # fmt: skip


@SEASON.command(name="week", description=text("command.season_week"))
@_described(
    week="week", opens="at", closes="until", game="season_game", rules="season_rules",
    grade="season_grade", minutes="season_minutes",
)  # fmt: skip
@app_commands.autocomplete(game=variant.games, rules=variant.rules)
@app_commands.choices(grade=_GRADES)
async def week_(
    interaction: BotInteraction,
    week: WeekOption,
    opens: TimeOption = "",
    closes: TimeOption = "",
    game: NameOption = "",
    rules: NameOption = "",
    grade: str = "",
    minutes: app_commands.Range[int, 0, 1440] = 0,
    season: SeasonOption = "",
) -> None:
    """Move a week that is to come, or change what it plays."""
    async with answering(interaction) as (bot, answer):
        await season_changes.change_week(
            bot, answer, season, week, opens=opens, closes=closes, game=game, rules=rules,
            grade=grade, minutes=minutes,
        )  # fmt: skip


@SEASON.command(name="void", description=text("command.season_void"))
@_described(week="week", reason="reason", opens="again", closes="until")
async def void(
    interaction: BotInteraction,
    week: WeekOption,
    reason: WordsOption,
    opens: TimeOption = "",
    closes: TimeOption = "",
    season: SeasonOption = "",
) -> None:
    """Let a week count for nothing; with times, play another deal."""
    await _change(interaction, season, season_changes.voided(week, reason, opens, closes))


@SEASON.command(name="take-out", description=text("command.season_take_out"))
@_described(week="week", player="entry", reason="reason")
@app_commands.autocomplete(player=_players)
async def take_out(
    interaction: BotInteraction,
    week: WeekOption,
    player: PlayerOption,
    reason: WordsOption,
    season: SeasonOption = "",
) -> None:
    """Take a player's result out of a week."""
    await _change(interaction, season, season_changes.taken_out(week, player, reason))


@SEASON.command(name="put-back", description=text("command.season_put_back"))
@_described(week="week", player="entry")
@app_commands.autocomplete(player=_players)
async def put_back(
    interaction: BotInteraction, week: WeekOption, player: PlayerOption, season: SeasonOption = ""
) -> None:
    """Let it count again."""
    await _change(interaction, season, season_changes.put_back(week, player))


@SEASON.command(name="member", description=text("command.season_member"))
@_described(user="member")
async def member(
    interaction: BotInteraction, user: discord.User, season: SeasonOption = ""
) -> None:
    """Let somebody race who is not in the group."""
    player = interaction.client.chat.issuer.player(user.id)
    await _change(interaction, season, lambda *_: AddMember(player))


@SEASON.command(name="organiser", description=text("command.season_organiser"))
@_described(user="member", no_more="no_more")
@app_commands.rename(no_more="no-more")
async def organiser(
    interaction: BotInteraction,
    user: discord.User,
    no_more: bool = False,
    season: SeasonOption = "",
) -> None:
    """Name an organiser, or one no more."""
    player = interaction.client.chat.issuer.player(user.id)
    await _change(interaction, season, lambda *_: NameOrganiser(player, no_more))


@SEASON.command(name="leave", description=text("command.season_leave"))
@_described()
async def leave(interaction: BotInteraction, season: SeasonOption = "") -> None:
    """Leave it, as any member."""
    await _change(interaction, season, lambda *_: LeaveSeason())


@SEASON.command(name="end", description=text("command.season_end"))
@_described(reason="reason")
async def end(
    interaction: BotInteraction, reason: WordsOption | None = None, season: SeasonOption = ""
) -> None:
    """Open no more weeks."""
    await _change(interaction, season, lambda *_: EndSeason(reason or ""))


@SEASON.command(name="delete", description=text("command.season_delete"))
@_described()
async def delete(interaction: BotInteraction, season: SeasonOption = "") -> None:
    """Delete it for good, after a question."""
    async with answering(interaction) as (bot, answer):
        await seasons.ask_to_delete(bot, answer, season)


@SEASON.command(name="post", description=text("command.season_post"))
@_described(channel="season_channel")
async def post(
    interaction: BotInteraction,
    channel: app_commands.Transform[AppCommandChannel, PostChannel] | None = None,
    season: SeasonOption = "",
) -> None:
    """Post its news there, or nowhere."""
    async with answering(interaction) as (bot, answer):
        if channel is not None and not interaction.is_guild_integration():
            raise Sorry(answer.say("wrong.guest"))
        await seasons.post_in(bot, answer, season, channel.id if channel else 0)
