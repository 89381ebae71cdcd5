"""A move is refereed: played, answered again, or refused. Knows one seat and no follower."""

from bigben_protocol import Move
from bigben_rules import IllegalMove, NotationError
from bigben_server.race import events, transitions
from bigben_server.race.effects import Effect, Reply, Subscribe, Tell
from bigben_server.race.game import Play
from bigben_server.race.seat import Seat
from bigben_server.race.state import Race
from bigben_server.race.transitions import Refusal

MOST_MOVES = 2_000
"""Of one seat: a log without end (cards can go to and fro) would be a burden on everybody."""


def played(race: Race, seat: Seat, message: Move, now: int) -> list[Effect]:
    """What the move does. Raises Refusal, IllegalMove and NotationError; nothing has changed."""
    play = seat.play
    if play and message.n <= play.n:
        return _again(play, message)
    if race.phase(now) == "closed":
        raise Refusal("phase", transitions.REASONS["closed"])
    if play is None:
        raise Refusal("phase", "Your clock has not started; send ready to see the cards.")
    if seat.last is not None:
        raise Refusal("phase", play.broken)
    if message.n > play.n + 1:
        raise Refusal("gap", f"Your next move is number {play.n + 1}.")
    if now >= race.closes_at:
        raise Refusal("phase", transitions.TIME_OVER)
    move = play.read(message.move)
    if play.n >= MOST_MOVES and move != events.RESIGN:
        raise Refusal("limit", f"A game has at most {MOST_MOVES} moves; you can resign.")
    append, diff = race.play(seat, move, now)
    # Subscribe: the diff is the acknowledgement, and only subscribers are told.
    return [append, Subscribe(), Tell(seat.player, diff)]


def _again(play: Play, message: Move) -> list[Effect]:
    """The original answer to a move that is in the log already, or a refusal of another one."""
    if message.n < 1:
        raise Refusal("gap", "Moves are numbered from 1.")
    entry = play.log[message.n - 1]
    if entry.move == events.TIMEOUT:
        raise Refusal("phase", transitions.TIME_OVER)
    before = play.before(message.n)
    try:
        same = before.read(message.move) == entry.move
    except (IllegalMove, NotationError):
        same = False
    if not same:
        raise Refusal("conflict", f"Move {message.n} has been played already, as another one.")
    return [Reply(before.play(entry.move, entry.ms))]
