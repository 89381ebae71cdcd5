"""The stand-in's own time, which passes when a test lets it. Wakes nobody."""

import time


class Clock:
    """It stands still by itself, so that a busy machine makes nobody late."""

    def __init__(self) -> None:
        self._now = time.time()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._now

    def skip(self, seconds: float) -> None:
        """Let time pass for Discord, but not for the bot."""
        self._now += seconds
