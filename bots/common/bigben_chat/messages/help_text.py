"""The help: a game's goal, how it goes and how its moves are typed; and all commands."""

from bigben_chat.messages.formatting import game_name
from bigben_chat.texts import Say
from bigben_protocol import GameInfo


def help_text(game: GameInfo, say: Say) -> str:
    """How to play this game, and what can be typed."""
    goal = [say.game_text(f"game.{game.name}.{part}") for part in ("goal", "how")]
    luck = [] if game.decides else [say.game_text(f"game.{game.name}.luck")]
    moves = [f"`{typed.example}` {say.game_text(typed.says)}" for typed in game.moves]
    played = "\n".join([*goal, *luck, *moves])
    return say("help", game=game_name(game.name, say), played=played)
