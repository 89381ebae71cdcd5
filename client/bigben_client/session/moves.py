"""A queue that sends the moves of one seat one at a time."""

from collections import deque
from typing import NamedTuple

from bigben_protocol import Diff, Move, RaceId

_NEVER_REWRITTEN = ("undo", "resign", "timeout")
"""The log has these as they were sent; it may have other moves in a different notation."""


class Sent(NamedTuple):
    """A move that awaits its answer."""

    ticket: int
    move: Move


class Moves:
    """A queue in which a move gets its number once the move before is answered.

    If two moves were sent and the first refused, the second would be refused for its number too.
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
        """Add a move at the end."""
        self._waiting.append((ticket, text))

    def next(self, n: int) -> Move | None:
        """The next move to send, as number ``n``; None while one is unanswered or none waits."""
        if self.sent or not self._waiting:
            return None
        ticket, text = self._waiting.popleft()
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
        """Nobody waits for the answer any more. If the move has not been sent, drop it."""
        self._waiting = deque(waiting for waiting in self._waiting if waiting[0] != ticket)

    def drop(self) -> list[int]:
        """Empty the queue, and return the tickets of its moves."""
        tickets = [ticket for ticket, _ in self._waiting]
        if self.sent:
            tickets.insert(0, self.sent.ticket)
        self._waiting.clear()
        self.sent = None
        return tickets
