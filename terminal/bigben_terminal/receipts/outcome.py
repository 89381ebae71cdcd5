"""Replays a seat's recorded moves and computes their result.

It imports only the standard library and the rules. It is written from ``docs/fairness.md`` and not
from the server's code, so that the two check each other.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bigben_rules import IllegalMove, NotationError, Position, Sentence
from bigben_rules.position import shows
from bigben_terminal.reasons import in_english
from bigben_terminal.receipts.receipt_form import Altered, Result, TimedMove, shown

PLAYING = "playing"


def outcome(
    dealt: Position,
    moves: Sequence[TimedMove],
    *,
    undo: bool,
    timed: bool,
    time_ms: int,
    timeout_ms: int,
    path: str,
) -> Result:
    """The result of these moves from the deal; ``state`` is ``playing`` if the game is not over.

    ``timed`` is whether time counts for places, as it does in games in which something is decided;
    ``time_ms`` is the seat's time from its first sight of the cards to the end of the race, and
    ``timeout_ms`` when it is timed out, which may be earlier. Raises Altered, with ``path`` and the
    number of the move, if a move cannot have been played.
    """
    game = _Game(dealt, undo=undo, timed=timed)
    last = 0
    for i, (ms, move) in enumerate(moves):
        here = f"{path}[{i}]"
        if game.state != PLAYING:
            raise Altered(f"{here} comes when the game is over ({game.state}).")
        if ms < last:
            raise Altered(f"{here} is at {ms} ms, before the move before it, at {last} ms.")
        if move == "timeout" and ms != timeout_ms:
            raise Altered(f"{here} is a timeout at {ms} ms; the seat's time was {timeout_ms} ms.")
        if move != "timeout" and ms >= time_ms:
            raise Altered(f"{here} is at {ms} ms; the seat's time was {time_ms} ms.")
        try:
            game.play(move, ms)
        except IllegalMove as illegal:
            why = in_english(illegal.said)
            raise Altered(f"{here} is {shown(move)}, which is illegal: {why}") from None
        except NotationError as error:
            raise Altered(f"{here}: {in_english(error.said)}") from None
        last = ms
    return Result(
        state=game.state,
        moves=len(moves),
        home=game.position.progress,
        ms=last,
        home_ms=game.home_ms,
    )


class _Before(NamedTuple):
    """The state to which an undo returns."""

    position: Position
    home_ms: int


class _Game:
    """A position, the time of its last card home, and the states that undo can restore."""

    def __init__(self, dealt: Position, *, undo: bool, timed: bool) -> None:
        self.position = dealt
        self.home_ms = 0
        self._may_undo = undo
        self._timed = timed
        self._ended = ""
        self._card_moves: list[_Before] = []
        """The state before each move since a card was last shown, without moves taken back."""

    @property
    def state(self) -> str:
        """The state; a player without a legal move who can still undo is ``playing``."""
        if self._ended:
            return self._ended
        if self.position.won:
            return "won"
        return "blocked" if not self._undoable and self.position.blocked else PLAYING

    @property
    def _undoable(self) -> bool:
        return self._may_undo and bool(self._card_moves)

    def play(self, text: str, ms: int) -> None:
        """Raises IllegalMove and NotationError."""
        match text:
            case "resign":
                self._ended = "resigned"
            case "timeout":
                self._ended = "timed out"
            case "undo":
                self._undo()
            case _:
                self._apply(text, ms)

    def _undo(self) -> None:
        if not self._undoable:
            why = "move.no_undo_now" if self._may_undo else "move.no_undo"
            raise IllegalMove(Sentence(why), self.position.text())
        self.position, self.home_ms = self._card_moves.pop()

    def _apply(self, text: str, ms: int) -> None:
        move = self.position.parse(text)
        if (logged := self.position.format(move)) != text:
            why = f"logs hold {logged}, not {shown(text)}."
            raise NotationError(Sentence("other", {"text": why}))
        after, steps = self.position.apply(move)
        if shows(steps):
            self._card_moves.clear()
        else:
            self._card_moves.append(_Before(self.position, self.home_ms))
        if self._timed and after.progress > self.position.progress:
            self.home_ms = ms
        self.position = after
