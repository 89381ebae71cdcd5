"""The options ``game`` and ``rules``: what the race server has, by its names in every language."""

from typing import NamedTuple

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat.games import KnownGames, has_rules
from bigben_chat.messages.formatting import STANDARD, game_name, rules_name
from bigben_chat.texts import Say
from bigben_discord.client import BotInteraction
from bigben_discord.interactions.answer import Sorry
from bigben_discord.interactions.interaction import say_to, user_of
from bigben_discord.records import Guild

NameOption = app_commands.Range[str, 0, 64]
"""The name of a game or of rules."""
_MOST = 25
"""The most suggestions on Discord."""


class Variant(NamedTuple):
    """A game and its rules."""

    game: str
    rules: str


async def variant(interaction: BotInteraction, game: str, rules: str, say: Say) -> Variant:
    """What was typed, or else what this guild plays. Raises Sorry, which says what there is."""
    usual = usual_variant(interaction)
    if not (game.strip() or rules.strip()):
        return usual
    games = await known(interaction)
    chosen = _meant(game if game.strip() else usual.game, games, say)
    if not rules.strip():
        return usual if chosen == usual.game else Variant(chosen, STANDARD)
    presets = {name: rules_name(chosen, name, say) for name in games[chosen].presets}
    found = _named(rules, presets)
    if found is None and has_rules(games[chosen], rules.strip()):
        found = rules.strip()
    if found is None:
        there = ", ".join(presets.values())
        raise Sorry(say("wrong.rules", game=game_name(chosen, say), rules=there))
    return Variant(chosen, found)


async def known(interaction: BotInteraction) -> KnownGames:
    """The games of the server. Raises ClientError."""
    bot = interaction.client
    if not bot.games:
        # Before the bot's own connection is there, the user's brings them.
        async with bot.players.connected(user_of(interaction)):
            pass
    return bot.games


def usual_variant(interaction: BotInteraction) -> Variant:
    """What this guild plays."""
    guild = interaction.client.store.get("guild", interaction.guild_id or 0, Guild) or Guild()
    return Variant(guild.game, guild.rules)


async def games(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the name of a game."""
    say = say_to(interaction)
    names = {game.name: game_name(game.name, say) for game in interaction.client.games}
    return _choices(names, typed)


async def rules(interaction: BotInteraction, typed: str) -> list[Choice[str]]:
    """Complete the rules of the game that was typed, or of the guild's."""
    say, known = say_to(interaction), interaction.client.games
    game = str(getattr(interaction.namespace, "game", None) or "")
    try:
        chosen = _meant(game, known, say) if game else usual_variant(interaction).game
    except Sorry:
        return []
    presets = known[chosen].presets if chosen in known else ()
    return _choices({name: rules_name(chosen, name, say) for name in presets}, typed)


def _meant(typed: str, games: KnownGames, say: Say) -> str:
    """The game that was typed, by its name in either form. Raises Sorry."""
    names = {game.name: game_name(game.name, say) for game in games}
    found = _named(typed, names)
    if found is None:
        raise Sorry(say("wrong.game", games=", ".join(names.values())))
    return found


def _named(typed: str, names: dict[str, str]) -> str | None:
    wanted = typed.strip().casefold()
    return next((key for key, name in names.items() if wanted in (key, name.casefold())), None)


def _choices(names: dict[str, str], typed: str) -> list[Choice[str]]:
    wanted = typed.strip().casefold()
    found = [(key, name) for key, name in names.items() if wanted in f"{key} {name}".casefold()]
    return [Choice(name=name[:100], value=key) for key, name in found[:_MOST]]
