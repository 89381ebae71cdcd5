"""Pauses between tries to connect that pass only on the test's clock."""

from bigben_client import Backoff


class Pauses(Backoff):
    """Without randomness: each pause is half of its bound, plus what the server asks for."""

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds, on the test's clock."""
        self.waited: list[float] = []
        super().__init__(draw=lambda: 0.5, clock=lambda: self.now)

    def wait(self, at_least: float = 0.0) -> float:
        """Note the pause. It takes no real time."""
        seconds = super().wait(at_least)
        self.waited.append(seconds)
        self.now += seconds
        return 0.0
