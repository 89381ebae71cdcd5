"""The best move in a position, judged by nothing but what its player sees."""

from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple

from bigben_rules import Move, Position, game_named
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.why import Why
from bigben_solver.sampling import judged
from bigben_solver.solution import Result
from bigben_solver.solving import solve

PLAYOUTS: Final = 120
"""How often the game is played to its end after each move."""
SLOW_PLAYOUTS: Final = 30
"""The same in a game without a fast table of its own."""
NODES: Final = 10_000
"""How many positions are looked at for a line that wins, once no card is hidden."""

ONLY: Final = "It is the only move."
STUCK: Final = "No card can move any more."
TAKE_BACK: Final = "Take the last move back."
WON: Final = "All cards are home."
LUCK: Final = "Nothing is decided in this game."
WINS: Final = "All cards are seen: this wins."
LOST: Final = "All cards are seen, and no line wins any more."


class Hint(NamedTuple):
    """What to do, and why."""

    move: str
    """In the notation of the log, or ``undo``; empty if nothing can be done."""
    why: str
    """Sentences in English."""


def hint(asked: Asked) -> Hint:
    """The best move of a position as its player sees it.

    The answer depends on ``asked`` alone, on every machine, and the work has a limit.
    """
    game, position = game_named(asked.game), asked.seen()
    if not asked.legal:
        if position.won:
            return Hint("", WON)
        return Hint("undo", f"{STUCK} {TAKE_BACK}") if asked.can_undo else Hint("", STUCK)
    why = Why(game, position)
    moves = [position.parse(text) for text in asked.legal]
    if not game.description.decides:
        return _said(position, moves[0], why.action(moves[0]), LUCK)
    if len(moves) == 1:
        return _said(position, moves[0], why.action(moves[0]), ONLY)
    move, ahead = _best(asked, position, moves)
    return _said(position, move, why.action(move), why.reason(move), ahead)


def _said(position: Position, move: Move, *sentences: str) -> Hint:
    return Hint(position.format(move), " ".join(filter(None, sentences)))


def _best(asked: Asked, position: Position, moves: list[Move]) -> tuple[Move, str]:
    """The best of these moves, and what is known about the end of the game."""
    known = ""
    if not asked.hides:
        with suppress(ValueError):  # there is no solver for this game
            result, line = _line(position, moves)
            if line and line[0] in moves:
                ahead = f"All cards are seen: {len(line)} moves win from here."
                return line[0], ahead if len(line) > 1 else WINS
            known = LOST if result == "lost" else ""
    playouts = PLAYOUTS if asked.game == "bigben" else SLOW_PLAYOUTS
    judgements = judged(position, Random(_seed(asked)), playouts=playouts)
    return next(one.move for one in judgements if one.move in moves), known


def _line(position: Position, moves: list[Move]) -> tuple[Result, tuple[Move, ...]]:
    """A line that wins: the shortest that is found after any move, so that hints that are followed
    come to an end although each is found anew."""
    result, line, _ = solve(position, nodes=NODES)
    for move in moves if line else ():
        after, _ = position.apply(move)
        rest = () if after.won else solve(after, nodes=NODES // 10).moves
        if (after.won or rest) and len(rest) + 1 < len(line):
            line = (move, *rest)
    return result, line


def _seed(asked: Asked) -> int:
    """The same for the same position, on every machine."""
    return int.from_bytes(sha256(repr(tuple(asked)).encode()).digest())
