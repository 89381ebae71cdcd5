"""The servers that are compared: how each is started, and how its players take their seats."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Final, Protocol

from redis import Redis

from benchmarks.driver.loads import Meter
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import EchoPlayer, Player, RacePlayer
from benchmarks.driver.seating import connected, dealt, guests, in_live_rooms
from benchmarks.processes import cores, pin
from benchmarks.servers import ServerProcess
from bigben_protocol import JSON

_SHOWN: Final = 4_000
"""The most characters of a server's log that are printed when the benchmark fails."""


@dataclass(eq=False)
class Server:
    """One process of a peer with its workers and its embedded Redis, if it has them."""

    process: ServerProcess
    has_redis: bool = False
    redis_pid: int | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Around the benchmark: the process runs on its own core, and workers on all in turn.

        Raises ServerDied.
        """
        servers_core, drivers_core = cores()
        try:
            self.process.launch()
            pin(self.process.pid, servers_core)
            for worker, core in zip(self.process.workers(), cycle(cores())):
                pin(worker, core)
            if self.has_redis:
                with Redis.from_url(self.process.redis_url) as redis:
                    self.redis_pid = int(redis.info("server")["process_id"])
                pin(self.redis_pid, drivers_core)
            yield
        except BaseException:
            self.process.end()
            print(self.process.log()[:_SHOWN], file=sys.stderr)
            raise
        finally:
            self.process.end()

    def meter(self, driver: int) -> Meter:
        return Meter([self.process.pid, *self.process.workers()], self.redis_pid, driver)


class Seating(Protocol):
    """How players of one kind of server take their seats."""

    def seat(self, url: str, connections: int, games: int) -> Sequence[Player]:
        """Connect, take seats, wait until the games have begun, and return the players."""
        ...

    def check(self, redis_url: str) -> None:
        """Raises Lost if acknowledged moves are not in their logs."""
        ...


@dataclass(eq=False)
class Peer:
    """A server in a comparison, by one of the names of the command line."""

    name: str
    server: Server
    seating: Seating


@dataclass(eq=False)
class EchoSeating:
    """Players whose frames have the sizes of moves and of their acknowledgements."""

    move_bytes: int
    answer_bytes: int

    def seat(self, url: str, connections: int, games: int) -> Sequence[Player]:
        move = b"x" * self.move_bytes
        opened = connected(url, connections, subprotocol=JSON)
        return [EchoPlayer(one, move, self.answer_bytes) for one in opened]

    def check(self, redis_url: str) -> None:
        """An echo has no log."""


@dataclass(eq=False)
class RaceSeating:
    """Guests in live rooms of four."""

    subprotocol: str
    keeps_rules: bool = False
    """Whether they want neither legal moves nor digests."""
    _players: list[RacePlayer] = field(default_factory=list)

    def seat(self, url: str, connections: int, games: int) -> Sequence[Player]:
        everyone = guests(
            url, connections, subprotocol=self.subprotocol, keeps_rules=self.keeps_rules
        )
        self._players = dealt(everyone, in_live_rooms(everyone, games=games))
        return self._players

    def check(self, redis_url: str) -> None:
        check_logs(redis_url, (seat for player in self._players for seat in player.seats))
