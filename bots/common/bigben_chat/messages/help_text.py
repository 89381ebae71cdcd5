"""The help, in two pages: a game's goal, how it goes and how its moves are typed; all commands."""

from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import game_name
from bigben_chat.texts import Say
from bigben_protocol import GameInfo


def game_help(game: GameInfo, say: Say) -> Content:
    """How to play this game."""
    goal = [say.game_text(f"game.{game.name}.{part}") for part in ("goal", "how")]
    luck = [] if game.decides else [say.game_text(f"game.{game.name}.luck")]
    moves = [f"`{typed.example}` {say.game_text(typed.says)}" for typed in game.moves]
    played = "\n".join([*goal, *luck, *moves])
    commands = Button(say("button.commands"), id_of("commands", game.name), "primary")
    text = say("help", game=game_name(game.name, say), played=played)
    return Content(text, [[commands]])


def commands_help(game: str, say: Say) -> Content:
    """What can be typed; with a button back to the game of this name."""
    back = Button(say("button.game", game=game_name(game, say)), id_of("game", game))
    return Content(say("help_commands"), [[back]])
