"""Everything that can be typed, as one table of values."""

from typing import Final

from bigben_chat.actions import variants
from bigben_chat.chat import Chat
from bigben_chat.messages.help_text import game_help
from bigben_chat.platform import Answer
from bigben_chat.typed import help_text, people, play, races, results, season
from bigben_chat.typed.command import Command, Given, Option
from bigben_chat.typed.shared_options import GAME


async def explain(chat: Chat, answer: Answer, given: Given) -> None:
    """How to play the game that was typed, or that this group plays."""
    chosen = await variants.variant(chat, answer, given.text("game"), "")
    games = await variants.known(chat, answer.user)
    await answer.show(game_help(games[chosen.game], answer.say))


async def _help(chat: Chat, answer: Answer, given: Given) -> None:
    """How to play a game, or what can be typed: all of it, or one command."""
    if given.text("game"):
        await explain(chat, answer, given)
        return
    usual = variants.usual_variant(chat, answer.user.group).game
    await answer.show(help_text.commands(COMMANDS, given.text("command"), usual, answer.say))


COMMANDS: Final = (
    *races.COMMANDS,
    *play.COMMANDS,
    *results.COMMANDS,
    *season.COMMANDS,
    *people.COMMANDS,
    Command("help", _help, (GAME, Option("command", "words"))),
)
