"""Parses a typed line: a move to send, or a command for the terminal."""

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

Command = Literal[
    "ready", "unready", "start", "rematch", "standings", "leaderboard",
    "board", "moves", "words", "fairness", "help", "quit",
]  # fmt: skip

_COMMANDS: Final[tuple[Command, ...]] = get_args(Command)
_MOVES: Final = ("refill", "turn", "deal", "undo", "resign")
_IN_FULL: Final = "resign"
"""It cannot be taken back, so it may not be abbreviated."""
_MOVE: Final = re.compile(r"\d|w(aste)?([\df]|$)")
"""How a move of the game begins: with a fan or the waste. The server parses the rest."""


@dataclass(frozen=True, slots=True)
class Send:
    """A move, for the server to judge."""

    move: str


@dataclass(frozen=True, slots=True)
class Do:
    """A command for the terminal."""

    command: Command


@dataclass(frozen=True, slots=True)
class Unclear:
    """The line is neither, or ambiguous."""

    why: str
    """For the player: what is wrong, and what to type."""


def understand(line: str) -> Send | Do | Unclear | None:
    """The meaning of a line; None if it is empty.

    >>> understand("3 fdn"), understand("q"), understand("  ")
    (Send(move='3 fdn'), Do(command='quit'), None)
    """
    words = line.lower().split()
    if not words:
        return None
    first, shown = words[0], " ".join(words)[:40]
    if _MOVE.match(first) and len(words) <= 2:
        return Send(" ".join(words))
    if len(words) == 1:
        return _word({"?": "help", "exit": "quit"}.get(first, first))
    return Unclear(f"{shown!r} is neither a move nor a command; type help for a list.")


def _word(word: str) -> Send | Do | Unclear:
    fitting = [known for known in (*_MOVES, *_COMMANDS) if known.startswith(word)]
    exact = [known for known in fitting if known == word]
    match exact or [known for known in fitting if known != _IN_FULL]:
        case [known]:
            return next((Do(command) for command in _COMMANDS if command == known), Send(known))
        case [_, *_] as several:
            return Unclear(f"{word!r} could be {' or '.join(several)}; type a little more.")
        case _ if fitting:
            return Unclear(f"Type {_IN_FULL} in full to give up.")
        case _:
            return Unclear(f"{word[:40]!r} is neither a move nor a command; type help for a list.")
