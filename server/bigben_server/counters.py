"""What this process has counted since it started, for the metrics of the operator.

Every layer adds to ``COUNTS``, mostly once a batch. That takes as long as adding to any number: the
slow values of prometheus_client are written once a second, from these.
"""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

SECONDS: Final = (
    *(0.0005, 0.001, 0.002, 0.004, 0.006, 0.008, 0.012, 0.016, 0.024, 0.032, 0.05),
    *(0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
)
"""Bounds for what players wait for: close together where it usually is."""
SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
_FRONT_ENDS: Final = {
    "page": "page",
    "bigben-terminal": "terminal",
    "bigben-discord": "discord",
    "bigben-client": "client",
    "bigben-house": "house",
}
"""Those that are told apart. A client may call itself anything, and every name is a label."""
FRONT_ENDS: Final = (*_FRONT_ENDS.values(), "other")
_CLOSE_CODES: Final = frozenset(
    {1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014}
)


@dataclass(slots=True, eq=False)
class Distribution:
    """How many values were at most each bound and more than the one before, and their sum."""

    bounds: tuple[float, ...]
    counts: list[int] = field(init=False)
    """One more than the bounds, for all larger values."""
    sum: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def add(self, *values: float) -> None:
        counts, bounds = self.counts, self.bounds
        for value in values:
            counts[bisect_left(bounds, value)] += 1
        self.sum += sum(values)


@dataclass(slots=True, eq=False)
class Counts:
    """The counters of a process. The keys are from small sets, and never name a player or race."""

    connections: Counter[str] = field(default_factory=Counter)
    """Those that have said hello and are open now, by front end."""
    hellos: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """By front end, and whether the player is new or returns."""
    reconnects: Counter[str] = field(default_factory=Counter)
    """Connections that resumed a race which they did not follow, by front end."""
    closes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """By code, and who closed: the server, the peer, or the server for want of a pong."""
    responses: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Answers to plain HTTP requests, by what was asked for and the status."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """Connections that were refused before they had sent a request: aborted, or left to wait."""
    moves: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    room_events: Counter[str] = field(default_factory=Counter)
    """What was written to the logs of rooms, by the tag of the event."""
    seats: Counter[str] = field(default_factory=Counter)
    """The games that are over, by how they ended."""
    acknowledgements: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    """Seconds from the arrival of a move until its answer is on its way."""
    commits: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    """Seconds until a batch was durable."""
    batches: Distribution = field(default_factory=lambda: Distribution(SIZES))
    """How many decisions a batch had."""
    redis: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    """Seconds of each exchange with Redis."""
    outages: int = 0


COUNTS: Final = Counts()
"""A process is one server, so there is one."""


def front_end(client: str) -> str:
    """The label for what a client calls itself in Hello, such as ``page/1``."""
    return _FRONT_ENDS.get(client.partition("/")[0], "other")


def close_code(code: int | None) -> str:
    """The label for a code of a close: a peer may send any; None if it has not closed yet."""
    return str(code) if code in _CLOSE_CODES else "other"
