"""What was called in a player's races in the last minute, for the next edit of their board."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from bigben_protocol import Cheered, Cheers

SHOWN_S: Final = 60.0
MOST: Final = 3
"""The latest that a board shows."""


class CheersHeard:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds."""
        self._clock = clock
        self._heard: dict[str, deque[tuple[float, Cheered]]] = {}

    def receive(self, message: Cheers) -> None:
        """Take what was called in a race."""
        heard = self._heard.setdefault(message.race, deque(maxlen=MOST))
        heard += ((self._clock(), cheered) for cheered in message.cheers)

    def recent(self, race: str) -> list[Cheered]:
        """What was called there, the latest last."""
        now = self._clock()
        return [one for at, one in self._heard.get(race, ()) if now - at < SHOWN_S]
