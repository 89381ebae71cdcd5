"""The best move in a position, judged by nothing but what its player sees and has seen.

Hints that are followed come to an end: each brings the game nearer to it, although each is found
anew.
"""

from typing import Final, NamedTuple

from bigben_rules import Move, Position, bigben, clock_kind, game_named, germanclock
from bigben_solver.hints import one_pack
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.plans import next_of
from bigben_solver.hints.why import Why
from bigben_solver.solution import Result

ONLY: Final = "It is the only move."
STUCK: Final = "No card can move any more."
DEAD: Final = "No more cards can come home."
TAKE_BACK: Final = "You can take moves back and try another way."
WON: Final = "All cards are home."
LUCK: Final = "Nothing is decided in this game."
KNOWN: Final = "You have seen the whole stock: this brings {} cards home."
AHEAD: Final = "All cards are seen: {} moves win from here."
WINS: Final = "All cards are seen: this wins."
LOST: Final = "All cards are seen, and no line wins any more."


class Hint(NamedTuple):
    """What to do, and why."""

    move: str
    """In the notation of the log; empty if nothing brings the game nearer to its end."""
    why: str
    """Sentences in English."""


def hint(asked: Asked) -> Hint:
    """The best move of a position as its player sees it.

    The answer depends on ``asked`` alone, on every machine, and the work has a limit.
    """
    game, position = game_named(asked.game), asked.seen()
    if not asked.legal:
        return Hint("", WON) if position.won else _over(asked, STUCK)
    why = Why(game, position, tried=asked.hides and isinstance(position, bigben.Position))
    moves = [position.parse(text) for text in asked.legal]
    if not game.description.decides:
        return _said(position, moves[0], why.action(moves[0]), LUCK)
    match position:
        case clock_kind.Position():
            move, known = one_pack.exchanged(position), ""
        case germanclock.Position() if asked.hides:
            move, known = moves[0], ""  # to play a card that fits is nearly never wrong
        case germanclock.Position():
            move, home = one_pack.in_known_order(position)
            known = KNOWN.format(home) if len(moves) > 1 else ""
        case _:
            way, result = next_of(position, asked.then())
            if way is None:
                return _over(asked, DEAD)
            move, known = way.move, _known(result, way.left)
    reason = ONLY if len(moves) == 1 else why.reason(move)
    return _said(position, move, why.action(move), reason, known)


def _said(position: Position, move: Move, *sentences: str) -> Hint:
    return Hint(position.format(move), " ".join(filter(None, sentences)))


def _over(asked: Asked, why: str) -> Hint:
    """Nothing can be done, but perhaps another way was better."""
    return Hint("", f"{why} {TAKE_BACK}" if asked.can_undo else why)


def _known(result: Result, left: int) -> str:
    """What is known about the end of the game, which a win reaches after ``left`` moves."""
    if result == "lost":
        return LOST
    if result == "unknown":
        return ""
    return AHEAD.format(left) if left > 1 else WINS
