"""The offset of the server's clock; local times come in as arguments."""


class ServerClock:
    """The offset between two clocks, from the quickest answer since ``restart``.

    The server read its clock at some time between sending and receiving. The middle of the two is
    wrong by at most half the round trip.
    """

    def __init__(self) -> None:
        self.offset_ms = 0
        """Server's clock minus local clock, in ms."""
        self._quickest: int | None = None

    def restart(self) -> None:
        """Call this for each new connection: older measurements may no longer hold."""
        self._quickest = None

    def sample(self, *, sent: int, received: int, now_at: int) -> None:
        """The server answered with ``now_at`` to a message between two local times, in ms."""
        took = max(0, received - sent)
        if self._quickest is None or took <= self._quickest:
            self._quickest = took
            self.offset_ms = now_at - (sent + took // 2)
