"""What the operator reads while Redis is away. Knows no Redis."""

import logging
import time
from collections.abc import Callable
from typing import Final

_log = logging.getLogger(__name__)

_AGAIN_S: Final = 60.0
"""How long to wait before the same line is logged again."""


class OutageLog:
    """Logs each reason when it is new and then at most once a minute, and that Redis is back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        """Seconds."""
        self._since: float | None = None
        self._logged = False
        """Something of this outage was logged, so that its end is to be logged too."""
        self._lines: dict[str, float] = {}
        """What was logged in the last minute, and when."""

    def away(self, line: str) -> None:
        """Log this, unless it was logged in the last minute."""
        now = self._clock()
        if self._since is None:
            self._since = now
        self._lines = {one: at for one, at in self._lines.items() if now - at < _AGAIN_S}
        if line not in self._lines:
            self._lines[line] = now
            self._logged = True
            _log.error(line)

    def back(self) -> None:
        """Log how long Redis was away, if it was logged that it is."""
        if self._logged and self._since is not None:
            _log.warning("Redis is back after %.0f s", self._clock() - self._since)
        self._since, self._logged = None, False
