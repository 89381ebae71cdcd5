"""Whether this server process should be sent players, and if not, why."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

SILENT_S: Final = 3.5
"""After so many seconds without an answer, the store counts as away."""
STORE_AWAY: Final = "The store does not answer."


@dataclass(slots=True, eq=False)
class Readiness:
    """The one object of a process that knows it. The reasons name nothing that is private.

    A process that is not ready still serves those who are there, and refuses nobody: what sends
    players to it, such as a load balancer, asks ``/ready`` and sends new ones elsewhere.
    """

    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    _answered_at: float = field(init=False)
    _is_away: bool = False
    _draining: str = ""

    def __post_init__(self) -> None:
        self._answered_at = self.clock()

    def store_answers(self) -> None:
        """Call it at least once a second while the store answers."""
        self._answered_at, self._is_away = self.clock(), False

    def store_fails(self) -> None:
        """The store has refused a question, or it can't be reached."""
        self._is_away = True

    def drain(self, reason: str = "The operator is draining this server.") -> None:
        """Send new players elsewhere until ``end_drain``. Calling it again changes the reason."""
        self._draining = reason

    def end_drain(self) -> None:
        """Idempotent."""
        self._draining = ""

    def away_s(self) -> float:
        """For how long the store has not answered; 0 until that is longer than usual."""
        silent = self.clock() - self._answered_at
        return silent if silent > SILENT_S else 0

    def reasons(self) -> list[str]:
        """Why no players should be sent here, in sentences; empty if they should."""
        is_away = self._is_away or self.away_s() > 0
        return [STORE_AWAY] * is_away + [self._draining] * bool(self._draining)
