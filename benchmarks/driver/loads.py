"""How players play: each as fast as it is answered, or at a given rate."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import msgspec

from benchmarks.driver.crowd import PATIENCE_S, Crowd, Silent
from benchmarks.driver.players import Player
from benchmarks.processes import cpu_ns

_WARM_UP_S: Final = 0.2


class Figures(msgspec.Struct, frozen=True):
    """The costs of one run, for each acknowledged move unless the name says otherwise."""

    moves: int
    seconds: float
    server_us: float
    """CPU of the server's process, without Redis."""
    redis_us: float
    driver_us: float
    p50_ms: float
    """From the sending of a move to its acknowledgement."""
    p99_ms: float
    sent_bytes: float
    """By the client."""
    received_bytes: float
    """By all clients: acknowledgements, and what rivals are told."""

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def busy(self) -> float:
        """How much of its core the server has used, from 0 to 1."""
        return self.server_us * self.moves_per_second / 1e6


@dataclass(frozen=True)
class Meter:
    """Reads the counters before and after a run."""

    server: Sequence[int]
    """The ids of the server's processes."""
    redis: int | None
    driver: int

    def read(self) -> tuple[int, int, int]:
        """The CPU time of server, Redis and driver in ns."""
        server = sum(map(cpu_ns, self.server))
        return server, cpu_ns(self.redis) if self.redis else 0, cpu_ns(self.driver)


class Window:
    """What has happened in a crowd since a moment."""

    def __init__(self, crowd: Crowd, meter: Meter) -> None:
        self._crowd, self._meter = crowd, meter
        crowd.waits.clear()
        self._bytes = crowd.bytes()
        self._cpu = meter.read()
        self._began = perf_counter()

    def figures(self) -> Figures:
        """The figures until now. Raises Silent if no move was acknowledged."""
        seconds = perf_counter() - self._began
        cpu = [
            (after - before) / 1000
            for after, before in zip(self._meter.read(), self._cpu, strict=True)
        ]
        carried = [
            after - before for after, before in zip(self._crowd.bytes(), self._bytes, strict=True)
        ]
        waits = sorted(self._crowd.waits)
        moves = len(waits)
        if not moves:
            raise Silent("no move was acknowledged")
        server_us, redis_us, driver_us = (us / moves for us in cpu)
        sent_bytes, received_bytes = (size / moves for size in carried)
        return Figures(
            moves,
            seconds,
            server_us,
            redis_us,
            driver_us,
            p50_ms=waits[moves // 2] * 1000,
            p99_ms=waits[moves * 99 // 100] * 1000,
            sent_bytes=sent_bytes,
            received_bytes=received_bytes,
        )


def saturated(players: Sequence[Player], meter: Meter, seconds: float) -> Figures:
    """Every player sends a move as soon as the one before is acknowledged.

    The run is shorter if a player has no game left.
    """
    crowd = Crowd(players)
    for player in players:
        crowd.move(player)
    _play_on(crowd, _WARM_UP_S)
    window = Window(crowd, meter)
    _play_on(crowd, seconds)
    figures = window.figures()
    crowd.settle()
    return figures


def _play_on(crowd: Crowd, seconds: float) -> None:
    until = perf_counter() + seconds
    while _goes_on(crowd, until):
        for player in crowd.poll(0.1):
            if not crowd.move(player):
                return


def paced(
    players: Sequence[Player],
    meter: Meter,
    seconds: float,
    *,
    rate: float = 1.0,
    beside: Sequence[Player] = (),
) -> Figures:
    """Every player sends ``rate`` moves a second, all of them evenly spread.

    A player whose last move is not acknowledged when the next is due leaves that one out. Those
    ``beside`` them only listen.
    """
    crowd = Crowd([*players, *beside])
    began = perf_counter()
    due = deque((began + i / rate / len(players), player) for i, player in enumerate(players))
    _keep_pace(crowd, due, rate, 1 / rate)
    window = Window(crowd, meter)
    _keep_pace(crowd, due, rate, seconds)
    figures = window.figures()
    crowd.settle()
    return figures


def _keep_pace(crowd: Crowd, due: deque[tuple[float, Player]], rate: float, seconds: float) -> None:
    until = perf_counter() + seconds
    while _goes_on(crowd, until):
        now = perf_counter()
        at, player = due[0]
        if at > now:
            crowd.poll(at - now)
            continue
        due.popleft()
        due.append((at + 1 / rate, player))
        if not player.sent_at and not crowd.move(player):
            return


def _goes_on(crowd: Crowd, until: float) -> bool:
    """Whether it is too early to stop; on a busy machine the first answer may come late."""
    now = perf_counter()
    return now < until or (not crowd.waits and now < until + PATIENCE_S)
