"""How fast a peer may send: a token bucket. Has no clock of its own."""


class Bucket:
    """Holds up to ``burst`` tokens and gains ``rate`` of them a second."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token at ``now``, in seconds; whether there was one."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
