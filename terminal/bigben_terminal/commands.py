"""What a typed line means: a move to send, or a word for the terminal itself. Does nothing."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Command = Literal[
    "ready", "unready", "start", "rematch", "standings", "leaderboard",
    "board", "moves", "words", "help", "quit",
]  # fmt: skip

_COMMANDS: Final[tuple[Command, ...]] = get_args(Command)
_MOVES: Final = ("refill", "turn", "deal", "undo", "resign")
_IN_FULL: Final = "resign"
"""It cannot be taken back, so half of it is not enough."""

HELP: Final = """\
A move    3 fdn    the top of fan 3 to its foundation (3 f9: to the one at nine)
          3 5      the top of fan 3 on fan 5, which holds three cards or more
          w fdn, w 5   the same from the waste
          deal     a refill if a fan is short, else a turn (refill, turn: that one)
          undo     take a move back, where the race allows it
          resign   give up; to be typed in full
The race  ready    live: ready for the start. Daily: show the cards, start my clock
          unready, start (the host, with those who are ready), rematch
          standings, leaderboard (of today)
The view  board, words (the position in words), moves (the legal ones), help, quit
Any beginning that leaves no doubt will do: l for leaderboard, q for quit."""


@dataclass(frozen=True, slots=True)
class Send:
    """A move, for the server to judge."""

    move: str


@dataclass(frozen=True, slots=True)
class Do:
    """A word for the terminal."""

    command: Command


@dataclass(frozen=True, slots=True)
class Unclear:
    """Neither, or several things."""

    why: str
    """For the player: what is wrong, what to type."""


def understand(line: str) -> Send | Do | Unclear | None:
    """What the player wants; None for an empty line.

    >>> understand("3 fdn"), understand("q"), understand("  ")
    (Send(move='3 fdn'), Do(command='quit'), None)
    """
    words = line.lower().split()
    if not words:
        return None
    first, shown = words[0], " ".join(words)[:40]
    if len(words) == 1 and not first.isdecimal():
        return _word({"?": "help", "exit": "quit"}.get(first, first))
    if len(words) == 2 and (first.isdecimal() or first in ("w", "waste")):
        return Send(" ".join(words))
    if first.isdecimal():
        return Unclear(f"Where does the top of fan {first} go? Write {first} fdn, or {first} 5.")
    return Unclear(f"{shown!r} is neither a move nor a command; write help for a list.")


def _word(word: str) -> Send | Do | Unclear:
    if word in ("w", "waste"):
        return Unclear("Where does the waste's top go? Write w fdn, or w 5.")
    fitting = [known for known in (*_MOVES, *_COMMANDS) if known.startswith(word)]
    exact = [known for known in fitting if known == word]
    match exact or [known for known in fitting if known != _IN_FULL]:
        case [known]:
            return next((Do(command) for command in _COMMANDS if command == known), Send(known))
        case [_, *_] as several:
            return Unclear(f"{word!r} could be {' or '.join(several)}; write a little more.")
        case _ if fitting:
            return Unclear(f"Write {_IN_FULL} in full to give up.")
        case _:
            return Unclear(f"{word[:40]!r} is neither a move nor a command; write help for a list.")
