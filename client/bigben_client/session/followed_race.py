"""One followed race: its room, the player's own game, and their unanswered moves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from bigben_client.errors import Hangup, refused_here
from bigben_client.evidence.kept import (
    Kept,
    promises,
    with_acknowledgement,
    with_diff,
    with_nonce,
    with_room,
    with_snapshot,
)
from bigben_client.session.effects import Answer, Effect, Send, Tell
from bigben_client.session.moves import Moves
from bigben_protocol import (
    Diff,
    Diverged,
    Gap,
    PlayerId,
    Progress,
    Refused,
    Resume,
    Room,
    SendNonce,
    Snapshot,
    View,
)

MOST_TRIES: Final = 3
"""How many times in a row to send Resume for a race whose messages do not fit."""


@dataclass(frozen=True, slots=True)
class _Resync:
    """A Resume that is not answered yet. Until it is answered, no new move gets a number."""

    ref: int
    whole: bool
    """The view is wrong, so only a Snapshot helps."""


class FollowedRace:
    """Applies the server's messages about one race, and sends Resume if one does not fit."""

    def __init__(
        self, race: str, player: PlayerId, ticket: Callable[[], int], kept: Kept | None = None
    ) -> None:
        self.race = race
        self.kept = kept
        """The evidence of the player's own race; None while they have no seat."""
        self.room: Room | None = None
        self.view: View | None = None
        """The player's own game, once their clock has started."""
        self._player = player
        self._ticket = ticket
        self._moves = Moves(race)
        self._answers: list[Effect] = []
        """Answers that wait for the cards."""
        self._seen = 0
        """The latest move that the server has sent, applied or not."""
        self._resync: _Resync | None = None
        self._tries = 0
        self._nonce_ref = 0
        """The ``ref`` of the nonce that was sent on this connection; 0 for none."""

    # What the server says

    def enter(self, room: Room, *, asked: bool = False) -> list[Effect]:
        """Take a new state of the room.

        An older state changes nothing unless it answers a request: then the server has no newer
        one, because its store has lost it.
        """
        if self.kept and room.ref and room.ref == self._nonce_ref:
            self.kept = with_acknowledgement(self.kept)
        older = self.room is not None and room.since < self.room.since
        if older and not (asked or self.resumes(room.ref)):
            return []
        if self.room and not room.invite:
            # Only players receive the invitation, and only once; broadcasts do not have it.
            room = msgspec.structs.replace(room, invite=self.room.invite)
        dealt_again = self.room is not None and room.counter > self.room.counter
        self.room = room
        self.kept = with_room(self.kept, room, self._player)
        if dealt_again:
            self.view, self._seen, self._resync, self._tries = None, 0, None, 0
            return [Tell(room), *self.drop()]
        if self._resync and self.resumes(room.ref) and not self._resync.whole:
            self._resync = None
        return [Tell(room), *self._send_nonce(), *self._send_move()]

    def see(self, snapshot: Snapshot) -> list[Effect]:
        """Replace the whole game."""
        try:
            self.view = View.of(snapshot)
        except Diverged:
            return self._ask_again(whole=True)
        if self.kept:
            self.kept = with_snapshot(self.kept, snapshot)
        self._seen, self._resync, self._tries = snapshot.n, None, 0
        answers, self._answers = self._answers, []
        return [Tell(snapshot), *answers, *self._send_move()]

    def follow(self, diff: Diff) -> list[Effect]:
        """Take one move, which may be the answer to ours."""
        self._seen = max(self._seen, diff.n)
        effects = self._fold(diff)
        if self._moves.made_by(diff):
            effects += self._answered(diff.n, diff)
        return effects + self._send_move()

    def progress(self, progress: Progress) -> list[Effect]:
        """Apply the progress of seats. In a daily this is also how later joins arrive."""
        if self.room:
            seats = {standing.player: standing for standing in (*self.room.seats, *progress.seats)}
            self.room = msgspec.structs.replace(
                self.room,
                seats=tuple(seats.values()),
                players=max(self.room.players, len(seats)),
            )
        return [Tell(progress)]

    def readied(self, nonce: str) -> None:
        """Note that the server has accepted this nonce."""
        if self.kept:
            self.kept = with_nonce(self.kept, nonce)

    def refused(self, refused: Refused) -> list[Effect]:
        """Take the refusal of a move; empty if no such move was sent."""
        answered = self._answered(refused.ref, refused)
        return answered and [*answered, *self._send_move()]

    def with_cards(self, answers: list[Effect]) -> list[Effect]:
        """The answers, now if the cards are here or not out yet; otherwise with the Snapshot."""
        if self.view or not self._cards_are_out:
            return answers
        self._answers += answers
        return []

    @property
    def is_idle(self) -> bool:
        """Whether everything is answered."""
        return not (self._resync or self._answers or self._moves.sent or self._moves.waiting)

    # The connection

    def lost(self) -> None:
        """The connection is lost, and with it the answer to Resume."""
        self._resync, self._tries, self._nonce_ref = None, 0, 0
        self._moves.lost()

    def resume(self, *, whole: bool = False) -> list[Effect]:
        """Ask for everything that was missed, or for the whole game."""
        ref = self._ticket()
        self._resync = _Resync(ref, whole)
        since = self.view.n if self.view and not whole else 0
        return [Send(Resume(self.race, since, ref))]

    def resumes(self, ref: int) -> bool:
        """Whether this is the answer to the last Resume."""
        return self._resync is not None and self._resync.ref == ref

    # Moves

    def move(self, ticket: int, text: str, after: int | None = None) -> list[Effect]:
        """Play a move after all earlier moves; in the position ``after`` alone, if it is given."""
        self._moves.add(ticket, text, after)
        return self._send_move()

    def send_again(self) -> list[Effect]:
        """Send the unanswered move again, under its number."""
        move = self._moves.send_again()
        return [Send(move)] if move else []

    def forget(self, ticket: int) -> None:
        """Nobody waits for this move any more. If it has not been sent, it is not played.

        If it has, it is not sent again over another connection.
        """
        self._moves.forget(ticket)

    def drop(self) -> list[Effect]:
        """Answer everything that waits; moves are refused."""
        answers, self._answers = self._answers, []
        return answers + [no_cards(self.race, ticket) for ticket in self._moves.drop()]

    # How

    def _fold(self, diff: Diff) -> list[Effect]:
        if self._resync and (self._resync.whole or self.view is None):
            return []
        if self.view is None:
            return self._ask_again(whole=True)
        try:
            view = self.view.after(diff)
        except Gap:
            return [] if self._resync else self._ask_again(whole=False)
        except Diverged:
            return self._ask_again(whole=True)
        if view is self.view:
            return []
        self.view, self._tries = view, 0
        if self.kept:
            self.kept = with_diff(self.kept, diff)
        return [Tell(diff)]

    def _ask_again(self, *, whole: bool) -> list[Effect]:
        """Send Resume. Raises Hangup after too many in a row."""
        self._tries += 1
        if self._tries > MOST_TRIES:
            raise Hangup(1013, f"the cards of race {self.race} do not agree with the server's")
        return self.resume(whole=whole)

    def _answered(self, n: int, message: Diff | Refused) -> list[Effect]:
        ticket = self._moves.answered(n)
        return [Answer(ticket, message)] if ticket is not None else []

    def _send_nonce(self) -> list[Effect]:
        """Send the nonce that was promised, on each connection until it is answered.

        Only if the hashes are still the kept ones, and the player's own is among them: then nobody
        can choose another nonce any more.
        """
        kept, room = self.kept, self.room
        if kept is None or room is None or not room.mixing or not kept.nonce:
            return []
        fixed = (self._player, kept.nonce_hash) in kept.seats and kept.seats == promises(room)
        if not kept.nonce_hash or not fixed or kept.acknowledged or self._nonce_ref:
            return []
        self._nonce_ref = self._ticket()
        return [Send(SendNonce(self.race, kept.nonce, self._nonce_ref))]

    def _send_move(self) -> list[Effect]:
        """Send the next move if its number is certain.

        The Room that answers a Resume comes before the missed diffs. If a move were sent between
        them, a missed diff with the same number would look like its answer.
        """
        if self._resync or (self.view and self._seen > self.view.n):
            return []
        if self.view:
            old = [_gone_on(self.race, ticket) for ticket in self._moves.outdated(self.view.n)]
            move = self._moves.next(self.view.n + 1)
            return [*old, Send(move)] if move else [*old]
        if not self._moves.waiting:
            return []
        return self.resume(whole=True) if self._cards_are_out else self.drop()

    @property
    def _cards_are_out(self) -> bool:
        """Whether the player's clock has started, so that the server has a Snapshot."""
        if self.room is None or self.room.phase not in ("running", "closed"):
            return False
        own = (seat for seat in self.room.seats if seat.player == self._player)
        return any(seat.state not in ("joined", "ready") for seat in own)


def _gone_on(race: str, ticket: int) -> Answer:
    """The refusal of a move for a position that is no longer there."""
    return Answer(ticket, refused_here("conflict", "client.gone_on", race))


def no_cards(race: str, ticket: int) -> Answer:
    """The refusal of a move in a race in which the player has no cards."""
    return Answer(ticket, refused_here("seat", "client.no_cards", race))
