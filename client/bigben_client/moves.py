"""The moves of one seat on their way to the server, one at a time. Knows no cards and no socket."""

from collections import deque
from typing import NamedTuple

from bigben_protocol import Diff, Move, RaceId

_NEVER_REWRITTEN = ("undo", "resign", "timeout")
"""The log holds these as they are; other moves may be logged in other words than were sent."""


class Sent(NamedTuple):
    """A move that awaits its answer."""

    ticket: int
    move: Move


class Moves:
    """A queue: a move gets its number once the one before is answered.

    Were two on their way and the first refused, the second would be refused for its number too.
    """

    def __init__(self, race: str) -> None:
        self._race = RaceId(race)
        self._waiting: deque[tuple[int, str]] = deque()
        self.sent: Sent | None = None

    @property
    def waiting(self) -> bool:
        """Whether there are moves without a number."""
        return bool(self._waiting)

    def add(self, ticket: int, text: str) -> None:
        """Put a move behind the others."""
        self._waiting.append((ticket, text))

    def next(self, n: int) -> Move | None:
        """The next move to send, as number ``n``; None while one is unanswered or none waits."""
        if self.sent or not self._waiting:
            return None
        ticket, text = self._waiting.popleft()
        self.sent = Sent(ticket, Move(self._race, n, text))
        return self.sent.move

    def answered(self, n: int) -> int | None:
        """Take the answer to move ``n``: its ticket, None when it is not the one that is sent."""
        if self.sent is None or self.sent.move.n != n:
            return None
        ticket, self.sent = self.sent.ticket, None
        return ticket

    def made_by(self, diff: Diff) -> bool:
        """Whether ``diff`` can be what the server made of the move that is sent.

        Its number may have been taken from another device of the player, or by the end of the
        time; the server then refuses ours.
        """
        if self.sent is None or self.sent.move.n != diff.n:
            return False
        words = (" ".join(self.sent.move.move.lower().split()), diff.move)
        return words[0] == words[1] or not any(word in _NEVER_REWRITTEN for word in words)

    def forget(self, ticket: int) -> None:
        """Nobody wants the answer any more: a move that waits is not sent at all."""
        self._waiting = deque(waiting for waiting in self._waiting if waiting[0] != ticket)

    def drop(self) -> list[int]:
        """Empty the queue; the tickets of all that was in it."""
        tickets = [ticket for ticket, _ in self._waiting]
        if self.sent:
            tickets.insert(0, self.sent.ticket)
        self._waiting.clear()
        self.sent = None
        return tickets
