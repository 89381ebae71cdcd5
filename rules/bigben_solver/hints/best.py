"""The best move in a position, judged by nothing but what its player sees and has seen.

Hints that are followed come to an end: each brings the game nearer to it, although each is found
anew.
"""

from typing import Final, NamedTuple

from bigben_rules import Move, Position, Sentence, bigben, clock_kind, game_named, germanclock
from bigben_rules.sentence import sentence
from bigben_solver.hints import one_pack
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.plans import next_of
from bigben_solver.hints.why import Why
from bigben_solver.solution import Result

ONLY: Final = sentence("hint.only")
STUCK: Final = sentence("hint.stuck")
DEAD: Final = sentence("hint.dead")
TAKE_BACK: Final = sentence("hint.take_back")
WON: Final = sentence("hint.won")
LUCK: Final = sentence("hint.luck_alone")
WINS: Final = sentence("hint.wins")
LOST: Final = sentence("hint.lost")


class Hint(NamedTuple):
    """What to do, and why."""

    move: str
    """In the notation of the log; empty if nothing brings the game nearer to its end."""
    why: tuple[Sentence, ...]
    """One after the other."""


def hint(asked: Asked) -> Hint:
    """The best move of a position as its player sees it.

    The answer depends on ``asked`` alone, on every machine, and the work has a limit.
    """
    game, position = game_named(asked.game), asked.seen()
    if not asked.legal:
        return Hint("", (WON,)) if position.won else _over(asked, STUCK)
    why = Why(game, position, tried=asked.hides and isinstance(position, bigben.Position))
    moves = [position.parse(text) for text in asked.legal]
    if not game.description.decides:
        return _said(position, moves[0], why.action(moves[0]), LUCK)
    match position:
        case clock_kind.Position():
            move, known = one_pack.exchanged(position), None
        case germanclock.Position() if asked.hides:
            move, known = moves[0], None  # to play a card that fits is nearly never wrong
        case germanclock.Position():
            move, home = one_pack.in_known_order(position)
            known = sentence("hint.known", cards=home) if len(moves) > 1 else None
        case _:
            way, result = next_of(position, asked.then())
            if way is None:
                return _over(asked, DEAD)
            move, known = way.move, _known(result, way.left)
    reason = ONLY if len(moves) == 1 else why.reason(move)
    return _said(position, move, why.action(move), reason, known)


def _said(position: Position, move: Move, *said: Sentence | None) -> Hint:
    return Hint(position.format(move), tuple(filter(None, said)))


def _over(asked: Asked, why: Sentence) -> Hint:
    """Nothing can be done, but perhaps another way was better."""
    return Hint("", (why, TAKE_BACK) if asked.can_undo else (why,))


def _known(result: Result, left: int) -> Sentence | None:
    """What is known about the end of the game, which a win reaches after ``left`` moves."""
    if result == "lost":
        return LOST
    if result == "unknown":
        return None
    return sentence("hint.ahead", moves=left) if left > 1 else WINS
