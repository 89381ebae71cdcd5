"""The help: what can be typed during a race, for any width of the terminal."""

from textwrap import wrap
from typing import Final

from bigben_protocol import GameInfo
from bigben_terminal.language import game_text, say

_WIDEST: Final = 80
_COLUMN: Final = 15
"""The column in which the explanations begin."""
_ALWAYS: Final = ("undo", "resign")
"""Moves in every game."""
_TOPICS: Final = (
    (
        "race",
        (
            *("ready", "unready", "house sharp", "start", "rematch"),
            *("standings", "leaderboard", "cheer well", "fairness", "share"),
        ),
    ),
    (
        "view",
        ("board", "words", "moves", "hint", "why 3 5", "finish", "final", "help, quit"),
    ),
)
"""The other commands by topic, with an example of what follows them."""


def help_lines(game: GameInfo, width: int) -> list[str]:
    """The whole help for this game; no line is longer than ``width``."""
    width = min(width, _WIDEST)
    name, goal = game_text(f"game.{game.name}"), game_text(f"game.{game.name}.goal")
    lines = wrap(f"{name}: {goal}", width)
    if not game.decides:
        lines += wrap(game_text(f"game.{game.name}.luck"), width)
    typed_moves = [(typed.example, game_text(typed.says)) for typed in game.moves]
    for topic, commands in [("moves", _ALWAYS), *_TOPICS]:
        lines.append(say(f"help.{topic}"))
        entries = [
            (typed, say(f"does.{typed.replace(',', '').partition(' ')[0]}")) for typed in commands
        ]
        for typed, meaning in [*(typed_moves if topic == "moves" else ()), *entries]:
            first = f"  {typed:<{_COLUMN - 2}}"
            lines += wrap(meaning, width, initial_indent=first, subsequent_indent=" " * _COLUMN)
    return lines + wrap(say("help.last"), width)
