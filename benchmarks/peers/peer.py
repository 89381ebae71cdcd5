"""The servers that are compared: how each is started, and how its players take their seats."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final, Protocol

from redis import Redis

from benchmarks.driver.loads import Meter
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import EchoPlayer, Player, RacePlayer
from benchmarks.driver.seating import (
    AT_A_TABLE,
    Guest,
    connected,
    dealt,
    guests_at,
    in_live_rooms,
    rooms_of,
    to_race,
)
from benchmarks.processes import cores, pin
from benchmarks.servers import ServerProcess
from bigben_protocol import JSON
from bigben_server.storage.keys import Keys

_SHOWN: Final = 4_000
"""The most characters of a server's log that are printed when the benchmark fails."""


@dataclass(eq=False)
class Server:
    """One process of a peer with its workers and its embedded Redis, if it has them."""

    process: ServerProcess
    has_redis: bool = False
    redis_pid: int | None = None
    apart: Sequence[ServerProcess] = ()
    """More servers, which share its Redis and know nothing of it nor of each other."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Around the benchmark: all its processes share a core, so that all of them are busy.

        Raises ServerDied.
        """
        servers_core, drivers_core = cores()
        try:
            for process in (self.process, *self.apart):
                process.launch()
            for pid in self._pids():
                pin(pid, servers_core)
            if self.has_redis:
                with Redis.from_url(self.process.redis_url) as redis:
                    self.redis_pid = int(redis.info("server")["process_id"])
                pin(self.redis_pid, drivers_core)
            yield
        except BaseException:
            self._end()
            print(self.process.log()[:_SHOWN], file=sys.stderr)
            raise
        finally:
            self._end()

    def meter(self, driver: int) -> Meter:
        return Meter(self._pids(), self.redis_pid, driver)

    def _pids(self) -> list[int]:
        processes = (self.process, *self.apart)
        return [pid for one in processes for pid in (one.pid, *one.workers())]

    def _end(self) -> None:
        for process in (*self.apart, self.process):  # the one with the Redis last
            process.end()


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
        opened = connected([url] * connections, subprotocol=JSON)
        return [EchoPlayer(one, move, self.answer_bytes) for one in opened]

    def check(self, redis_url: str) -> None:
        """An echo has no log."""


@dataclass(eq=False)
class RaceSeating:
    """Guests in live rooms of four. The host of each connects first, and opens it."""

    subprotocol: str
    keeps_rules: bool = False
    """Whether they want neither legal moves nor digests."""
    names_race: bool = False
    """Whether the others name the race in the address to which they connect."""
    apart: Sequence[tuple[ServerProcess, Keys]] = ()
    """More servers, over which the rooms are spread, and the keys of each in their Redis."""
    _players: list[RacePlayer] = field(default_factory=list)

    def seat(self, url: str, connections: int, games: int) -> Sequence[Player]:
        urls = cycle([url, *(process.url for process, _ in self.apart)])
        tables = list(islice(urls, -(-connections // AT_A_TABLE)))
        hosts = self._guests(tables)
        rooms = rooms_of(hosts)
        places = [divmod(i, AT_A_TABLE) for i in range(connections)]
        name = to_race if self.names_race else lambda url, _: url
        rivals = iter(self._guests([name(tables[at], rooms[at]) for at, place in places if place]))
        everyone = [next(rivals) if place else hosts[at] for at, place in places]
        self._players = dealt(everyone, in_live_rooms(everyone, games=games, rooms=rooms))
        return self._players

    def check(self, redis_url: str) -> None:
        every = [Keys(), *(keys for _, keys in self.apart)]
        for i, player in enumerate(self._players):
            check_logs(redis_url, player.seats, every[i // AT_A_TABLE % len(every)])

    def _guests(self, urls: Sequence[str]) -> list[Guest]:
        return guests_at(urls, subprotocol=self.subprotocol, keeps_rules=self.keeps_rules)
