"""Parses a typed line: a move to send, or a command for the terminal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from bigben_protocol import GameInfo
from bigben_protocol.typed_moves import begins_at_pile, words_after
from bigben_terminal.language import say

Command = Literal[
    "ready", "unready", "house", "start", "rematch", "standings", "leaderboard", "board", "moves",
    "cheer", "hint", "why", "finish", "words", "fairness", "share", "final", "help", "quit",
]  # fmt: skip

_COMMANDS: Final[tuple[Command, ...]] = get_args(Command)
_IN_FULL: Final = "resign"
"""It cannot be taken back, so it may not be abbreviated."""
_SAME: Final[Mapping[str, str]] = {"?": "help", "h": "help", "exit": "quit"}
_TAKES: Final[Mapping[str, int]] = {"why": 2, "share": 1, "house": 1, "cheer": 1}
"""The most words after a command."""


@dataclass(frozen=True, slots=True)
class Send:
    """A move, for the server to judge."""

    move: str


@dataclass(frozen=True, slots=True)
class Do:
    """A command for the terminal."""

    command: Command
    words: tuple[str, ...] = ()
    """What was typed after it."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """The line is neither, or ambiguous."""

    why: str
    """For the player: what is wrong, and what to type."""


def understand(line: str, game: GameInfo) -> Send | Do | Unclear | None:
    """The meaning of a line in this game; None if it is empty.

    ``3 fdn`` and ``turn`` are moves, which the server parses, and ``q`` is the command ``quit``.
    """
    words = line.lower().split()
    if not words:
        return None
    first, rest = _SAME.get(words[0], words[0]), words[1:]
    if begins_at_pile(first, game) and len(rest) <= 1:
        return Send(" ".join(words))
    most = words_after(game)
    fitting = [known for known in (*most, *_COMMANDS) if known.startswith(first)]
    exact = [known for known in fitting if known == first]
    match exact or [known for known in fitting if known != _IN_FULL]:
        case [known] if len(rest) <= most.get(known, _TAKES.get(known, 0)):
            commands = (Do(command, tuple(rest)) for command in _COMMANDS if command == known)
            return next(commands, Send(" ".join((known, *rest))))
        case [_, *_] as several if not rest:
            which = f" {say('or')} ".join(several)
            return Unclear(say("unclear.several", typed=repr(first), commands=which))
        case [] if fitting and not rest:
            return Unclear(say("unclear.in_full", command=_IN_FULL))
        case _:
            return Unclear(say("unclear.neither", typed=repr(" ".join(words)[:40])))
