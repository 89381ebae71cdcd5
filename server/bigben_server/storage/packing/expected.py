"""What status each move of a seat is expected to lead to, so that only others need be stored.

It is part of the packed format: what is expected may never change.
"""

from typing import Final, NamedTuple

from bigben_server.storage.packing.words import ENDS, STATES

_UNDO: Final = b"undo"
_CODES: Final = {state: code for code, state in enumerate(STATES)}


class Status(NamedTuple):
    """A seat's status, in the order in which its text has the numbers."""

    moves: int
    home: int
    home_ms: int
    ms: int
    begun_at: int
    state: int
    """A code of ``STATES``."""

    @classmethod
    def read(cls, text: bytes) -> "Status":
        """Raises ValueError and KeyError."""
        moves, home, home_ms, ms, begun_at, state = text.split(b" ", 5)
        return cls(int(moves), int(home), int(home_ms), int(ms), int(begun_at), _CODES[state])

    @property
    def text(self) -> bytes:
        return b"%d %d %d %d %d %b" % (*self[:5], STATES[self.state])


class Expected:
    """The status of a seat whose moves are added one by one."""

    def __init__(self, first: int, begun_at: int, home: int) -> None:
        """``home``: how many cards are home at first."""
        self._begun_at = begun_at
        self.ms = 0 if first else begun_at
        """The time from which that of the next move is counted."""
        self._gains: dict[bytes, int] = {}
        """How many cards a move with these words was last seen to bring home."""
        self._timed = True
        """Whether the time of the last card home is noted."""
        self._home = [(home, 0)]
        """Cards home and the time of the last of them, at first and after moves not undone."""
        self._word = b""

    def add(self, n: int, ms: int, word: bytes) -> Status:
        """The status after move n, if it is as expected."""
        self._word, self.ms = word, ms if n else 0
        if word == _UNDO and len(self._home) > 1:
            self._home.pop()
        else:
            home, home_ms = self._home[-1]
            gain = self._gains.get(word, int(b" f" in word))
            self._home.append((home + gain, ms if gain and self._timed else home_ms))
        state = _CODES[ENDS.get(word, b"playing")]
        return Status(n, *self._home[-1], self.ms, self._begun_at, state)

    def correct(self, status: Status) -> None:
        """The status after the last move is this one."""
        if self._word != _UNDO:
            gain = self._gains[self._word] = status.home - self._home[-2][0]
            self._timed = not gain or status.home_ms > 0
        self._home[-1] = status.home, status.home_ms
