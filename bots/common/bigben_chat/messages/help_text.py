"""The help, in two pages: a game's goal, how it goes and how its moves are typed; all commands."""

from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import game_name
from bigben_chat.texts import Say
from bigben_chat.tree import Code, lines, text
from bigben_protocol import GameInfo


def game_help(game: GameInfo, say: Say) -> Content:
    """How to play this game."""
    goal = [say.game_text(f"game.{game.name}.{part}") for part in ("goal", "how")]
    luck = [] if game.decides else [say.game_text(f"game.{game.name}.luck")]
    moves = [text(Code(typed.example), f" {say.game_text(typed.says)}") for typed in game.moves]
    played = lines(*goal, *luck, *moves)
    commands = Button(say.label("button.commands"), id_of("commands", game.name), "primary")
    return Content(say("help", game=game_name(game.name, say), played=played), [[commands]])


def commands_help(game: str, say: Say) -> Content:
    """What can be typed; with a button back to the game of this name."""
    back = Button(say.label("button.game", game=game_name(game, say)), id_of("game", game))
    return Content(say("help_commands"), [[back]])


def welcoming(say: Say) -> Content:
    """What the bot is, for a group that has added it, and three buttons to begin with."""
    buttons = [
        Button(say.label("button.learn_it"), id_of("learn"), "primary"),
        Button(say.label("button.todays"), id_of("play", "daily"), "success"),
        Button(say.label("button.open"), id_of("open")),
    ]
    return Content(say("welcome"), [buttons])
