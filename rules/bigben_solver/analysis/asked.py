"""One question that an analysis asks: everything slow, as values that another process can answer.

A position whose cards are not all known is asked about as its player saw it, so no answer can
depend on the hidden order.
"""

from random import Random
from typing import Literal, NamedTuple

from bigben_rules import Position, game_named
from bigben_solver import solve
from bigben_solver.choosing import written
from bigben_solver.sampling import estimated, judged

Kind = Literal["judge", "solve", "play"]


class Question(NamedTuple):
    """``judge``: what each legal move is worth. ``solve``: whether the position can be won.
    ``play``: what a simple player makes of it, after ``first`` if that is a move."""

    kind: Kind
    position: str
    """In the game's text form; with an unknown stock unless it is to be solved."""
    seed: int
    """Questions with the same unseen cards, seed and effort are answered with the same shuffles."""
    effort: int
    """Playouts of each move; nodes of the solver."""
    done: int = 0
    """How much of the analysis was done before, of ``of``."""
    of: int = 1
    first: str = ""
    """In the notation of the log; empty if the simple player begins."""


class Choice(NamedTuple):
    """A move in the notation of the log, and what it is worth."""

    move: str
    chance: float
    home: float


Answer = tuple[Choice, ...]
"""To ``judge``, every legal move, the best first. To ``solve``, the moves of a line that wins, or
nothing if none was found. To ``play``, one choice."""


def answered(question: Question) -> Answer:
    """The answer, which is the same on every machine."""
    game = game_named(question.position.split(" ", 1)[0])
    position: Position = game.read(question.position)
    if question.kind == "solve":
        found = solve(position, nodes=question.effort, seed=question.seed)
        won = found.result == "won"
        return tuple(Choice(t, 1.0, 0.0) for t in written(position, found.moves)) if won else ()
    rng = Random(question.seed)
    if question.kind == "play":
        move = position.parse(question.first) if question.first else None
        worth = estimated(position, rng, playouts=question.effort, first=move)
        return (Choice(question.first, worth.chance, worth.home),)
    found_moves = judged(position, rng, playouts=question.effort)
    return tuple(Choice(position.format(one.move), one.chance, one.home) for one in found_moves)
