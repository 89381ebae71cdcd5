"""A queue that sends the moves of one seat one at a time."""

from collections import deque
from typing import NamedTuple

from bigben_protocol import Diff, Move, RaceId

_NEVER_REWRITTEN = ("undo", "resign", "timeout")
"""The log has these as they were sent; it may have other moves in a different notation."""


class Waiting(NamedTuple):
    """A move without a number."""

    ticket: int
    text: str
    after: int | None
    """The position that it is for; None for whichever is there."""


class Sent(NamedTuple):
    """A move that awaits its answer."""

    ticket: int
    move: Move
    wanted: bool = True
    """Whether somebody waits for the answer."""


class Moves:
    """A queue in which a move gets its number once the move before is answered.

    If two moves were sent and the first refused, the second would be refused for its number too.
    """

    def __init__(self, race: str) -> None:
        self._race = RaceId(race)
        self._waiting: deque[Waiting] = deque()
        self._online = True
        self.sent: Sent | None = None

    @property
    def waiting(self) -> bool:
        """Whether there are moves without a number."""
        return bool(self._waiting)

    def add(self, ticket: int, text: str, after: int | None = None) -> None:
        """Add a move at the end. ``after``: the position that it is for, None for any."""
        self._waiting.append(Waiting(ticket, text, after))

    def outdated(self, n: int) -> list[int]:
        """Remove the moves that are for another position than ``n``; return their tickets.

        Nothing while a move is unanswered: it may be the one that leads to their position.
        """
        if self.sent:
            return []
        old = [one for one in self._waiting if one.after not in (None, n)]
        self._waiting = deque(one for one in self._waiting if one not in old)
        return [one.ticket for one in old]

    def next(self, n: int) -> Move | None:
        """The next move to send, as number ``n``; None while one is unanswered or none waits."""
        if self.sent or not self._waiting:
            return None
        ticket, text, _ = self._waiting.popleft()
        self.sent = Sent(ticket, Move(self._race, n, text))
        return self.sent.move

    def answered(self, n: int) -> int | None:
        """Take the answer to move ``n``. Return its ticket, or None if no such move was sent."""
        if self.sent is None or self.sent.move.n != n:
            return None
        ticket, self.sent = self.sent.ticket, None
        return ticket

    def made_by(self, diff: Diff) -> bool:
        """Whether ``diff`` can be the answer to the move that was sent.

        The player's other device or a timeout may have used its number; the server then refuses
        this move.
        """
        if self.sent is None or self.sent.move.n != diff.n:
            return False
        words = (" ".join(self.sent.move.move.lower().split()), diff.move)
        return words[0] == words[1] or not any(word in _NEVER_REWRITTEN for word in words)

    def forget(self, ticket: int) -> None:
        """Nobody waits for the answer any more. Unless the move is on its way, drop it."""
        self._waiting = deque(one for one in self._waiting if one.ticket != ticket)
        if self.sent and self.sent.ticket == ticket:
            self.sent = self.sent._replace(wanted=False) if self._online else None

    def lost(self) -> None:
        """The connection is lost. A move for whose answer nobody waits is not sent again.

        The server may have it all the same; then it comes with the missed diffs.
        """
        self._online = False
        if self.sent and not self.sent.wanted:
            self.sent = None

    def send_again(self) -> Move | None:
        """There is a connection again: the unanswered move, to be sent under its number."""
        self._online = True
        return self.sent.move if self.sent else None

    def drop(self) -> list[int]:
        """Empty the queue, and return the tickets of its moves."""
        tickets = [one.ticket for one in self._waiting]
        if self.sent:
            tickets.insert(0, self.sent.ticket)
        self._waiting.clear()
        self.sent = None
        return tickets
