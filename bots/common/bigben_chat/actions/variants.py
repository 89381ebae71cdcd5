"""A game and its rules as a user typed them, out of those that the race server has."""

from typing import NamedTuple

from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser
from bigben_chat.games import KnownGames, has_rules
from bigben_chat.messages.formatting import game_name, rules_name
from bigben_chat.messages.moves import Choice
from bigben_chat.platform import Answer, Sorry
from bigben_chat.records import STANDARD, group_record
from bigben_chat.store import ChatId
from bigben_chat.texts import Say


class Variant(NamedTuple):
    """A game and its rules."""

    game: str
    rules: str


async def variant(bot: Chat, answer: Answer, game: str, rules: str) -> Variant:
    """What was typed, or else what this group plays. Raises Sorry, which says what there is."""
    say, usual = answer.say, usual_variant(bot, answer.user.group)
    if not (game.strip() or rules.strip()):
        return usual
    games = await known(bot, answer.user)
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


async def known(bot: Chat, user: ChatUser) -> KnownGames:
    """The games of the server. Raises ClientError."""
    if not bot.games:
        # Before the bot's own connection is there, the user's brings them.
        async with bot.players.connected(user):
            pass
    return bot.games


def usual_variant(bot: Chat, group: ChatId) -> Variant:
    """What this group plays."""
    usual = group_record(bot.store, group)
    return Variant(usual.game, usual.rules)


def complete_game(bot: Chat, typed: str, say: Say) -> list[Choice]:
    """The games that what was typed may mean."""
    return _choices({game.name: game_name(game.name, say) for game in bot.games}, typed)


def complete_rules(bot: Chat, group: ChatId, game: str, typed: str, say: Say) -> list[Choice]:
    """The same of the rules of the game that was typed, or of the group's."""
    try:
        chosen = _meant(game, bot.games, say) if game else usual_variant(bot, group).game
    except Sorry:
        return []
    presets = bot.games[chosen].presets if chosen in bot.games else ()
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


def _choices(names: dict[str, str], typed: str) -> list[Choice]:
    wanted = typed.strip().casefold()
    return [
        Choice(name, key) for key, name in names.items() if wanted in f"{key} {name}".casefold()
    ]
