"""What Discord suggests while the value of an option is typed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from functools import cache, partial
from typing import Final, TypeAlias
from zoneinfo import available_timezones

from discord.app_commands import Choice

from bigben_chat.actions import playing, seasons, variants
from bigben_chat.boards.current_race import Seated
from bigben_chat.messages import moves
from bigben_discord.client import BotInteraction
from bigben_discord.interactions.interaction import say_to, user_of

Complete: TypeAlias = Callable[[BotInteraction, str], Awaitable[list[Choice[str]]]]


async def _games(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the name of a game."""
    return _shown(variants.complete_game(interaction.client.chat, typed, say_to(interaction)))


async def _rules(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the rules of the game that was typed, or of the guild's."""
    bot, group, game = interaction.client.chat, interaction.guild_id or 0, _typed(interaction)
    return _shown(variants.complete_rules(bot, group, game("game"), typed, say_to(interaction)))


async def _zones(_: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the name of a time zone."""
    wanted = typed.casefold().replace(" ", "_")
    known = await asyncio.to_thread(all_zones)  # The first time it reads hundreds of files.
    return _themselves(zone for zone in known if wanted in zone.casefold())


@cache
def all_zones() -> list[str]:
    """The names of all time zones, in order."""
    return sorted(available_timezones())


async def _seasons(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the user's seasons."""
    return _shown(await seasons.complete(interaction.client.chat, user_of(interaction), typed))


async def _days(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """The past days, the latest first."""
    today = interaction.created_at.date()
    days = (str(today - timedelta(days=ago)) for ago in range(1, 366))
    return _themselves(day for day in days if typed.strip() in day)


async def _players(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Those in the table of the season that was typed, or of the group's."""
    bot, user, season = interaction.client.chat, user_of(interaction), _typed(interaction)
    return _shown(await seasons.complete_player(bot, user, season("season"), typed))


async def _races(
    wanted: Callable[[Seated], bool], interaction: BotInteraction, typed: str
) -> list[Choice[str]]:
    """Those of the user's races that are wanted."""
    bot, user, say = interaction.client.chat, user_of(interaction), say_to(interaction)
    return _shown(await playing.complete_race(bot, user, typed, say, wanted))


async def _sources(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    return await _on_board(
        interaction, lambda game, view, say: moves.complete_source(game, view, typed, say)
    )


async def _targets(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    source = _typed(interaction)("from")
    return await _on_board(
        interaction, lambda game, view, say: moves.complete_target(game, view, source, typed, say)
    )


async def _on_board(interaction: BotInteraction, how: playing.Complete) -> list[Choice[str]]:
    bot, user, race = interaction.client.chat, user_of(interaction), _typed(interaction)("race")
    return _shown(await playing.complete(bot, user, race, say_to(interaction), how))


def _typed(interaction: BotInteraction) -> Callable[[str], str]:
    """The value of another option of the command, as far as it has been typed."""
    return lambda option: str(getattr(interaction.namespace, option, None) or "")


def _shown(found: Iterable[moves.Choice]) -> list[Choice[str]]:
    """As many as Discord takes."""
    return [Choice(name=one.label[:100], value=one.value) for one in found][:25]


def _themselves(values: Iterable[str]) -> list[Choice[str]]:
    return _shown(moves.Choice(value, value) for value in values)


OF: Final[Mapping[str, Complete]] = {
    "option.game": _games,
    "option.season_game": _games,
    "option.rules": _rules,
    "option.season_rules": _rules,
    "option.timezone": _zones,
    "option.day": _days,
    "option.season": _seasons,
    "option.entry": _players,
    "option.race": partial(_races, lambda one: True),
    "option.race_to_play": partial(_races, lambda one: one.playing),
    "option.race_to_leave": partial(_races, lambda one: one.waiting),
    "option.from": _sources,
    "option.to": _targets,
}
"""Options that are completed, by the keys of their descriptions."""
