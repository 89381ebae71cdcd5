"""The stand-in's own time, which a test can let pass without waiting. Wakes nobody."""

import time


class Clock:
    """The machine's clock, plus what a test has skipped."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._skipped

    def skip(self, seconds: float) -> None:
        """Let time pass for Discord, but not for the bot."""
        self._skipped += seconds
