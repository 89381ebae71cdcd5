"""Pauses between dials that pass on the test's clock alone. No tests."""

from bigben_client import Backoff


class Pauses(Backoff):
    """Without chance: each is half of its bound, behind what the server asks for."""

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds, on the test's clock."""
        self.waited: list[float] = []
        super().__init__(draw=lambda: 0.5, clock=lambda: self.now)

    def wait(self, at_least: float = 0.0) -> float:
        """Note the pause; in the real world it takes no time."""
        seconds = super().wait(at_least)
        self.waited.append(seconds)
        self.now += seconds
        return 0.0
