"""What the server and its Redis need for each connection, watcher, seat, move and result."""

import os
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Final

import msgspec
from msgspec.structs import asdict, replace
from redis import Redis

from benchmarks.driver.connection import Connection
from benchmarks.driver.crowd import PATIENCE_S, Crowd, Silent
from benchmarks.driver.loads import saturated
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import Listener, RacePlayer
from benchmarks.driver.seating import dealt, guests, in_daily, in_live_rooms, watch_daily
from benchmarks.peers.peer import Server
from benchmarks.peers.start import OURS
from benchmarks.processes import memory
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.report import Rows
from bigben_protocol import CODECS, JSON, Move
from bigben_server.storage.keys import Keys

_AT_THE_TOP: Final = 100
"""Seats of the daily, the most that a newcomer receives. They come before anything is
counted, so that everything is imported."""
_WATCHERS: Final = 1_000
_PLAYERS: Final = 200
_MOST_S: Final = 60.0
"""The longest that players play; most games end sooner."""
_POLL_S: Final = 0.05
_ENDS: Final = 5
_PAUSE_S: Final = 0.5
"""Longer than all followers of a race wait for news of an end."""
_UPDATES: Final = 10_000
_AT_ONCE: Final = 100
_UPDATE_BYTES: Final = 150
"""As long as what a process tells its peers about one move."""


class _Counters(msgspec.Struct, frozen=True):
    """What is read before and after each step."""

    server_us: float
    redis_us: float
    server_bytes: float
    """Resident memory of the server's process."""
    redis_bytes: float
    """Memory of all keys. What Redis uses in all also depends on its buffers."""
    file_bytes: float
    """The append-only file."""
    wire_bytes: float
    """Sent and received by the clients of the step."""


class _Steps:
    """One server, and what each step has cost so far."""

    def __init__(self, server: Server, redis: Redis) -> None:
        self.redis = redis
        self.rows: dict[str, dict[str, float]] = {}
        self.server = server
        self.meter = server.meter(os.getpid())
        self.begin()

    def begin(self, connections: Sequence[Connection] = ()) -> None:
        """Count from here on. These connections carry the step."""
        stored = self._stored()  # first: it uses CPU itself
        self._before = replace(self._read(connections), redis_bytes=stored)

    def counted(
        self,
        name: str,
        count: int,
        connections: Sequence[Connection],
        idle: Mapping[str, float] | None = None,
    ) -> None:
        """A row for the step since ``begin``, divided by ``count``.

        ``idle``: what as much time costs without the step, for each of them.
        """
        growth = self.growth(count, connections)
        self.rows[name] = {one: growth[one] - (idle or {}).get(one, 0) for one in growth}
        note(f"{name}: {self.rows[name]['server_us']:.1f} us of CPU")

    def growth(self, count: int, connections: Sequence[Connection]) -> dict[str, float]:
        """What the counters have grown since ``begin``, divided by ``count``."""
        read = self._read(connections)
        before, after = asdict(self._before), asdict(replace(read, redis_bytes=self._stored()))
        return {one: (after[one] - before[one]) / count for one in after}

    def _read(self, connections: Sequence[Connection]) -> _Counters:
        server, redis, _ = self.meter.read()
        return _Counters(
            server / 1000,
            redis / 1000,
            memory(self.server.process.pid),
            0,
            self.redis.info("persistence")["aof_current_size"],
            sum(one.sent_bytes + one.received_bytes for one in connections),
        )

    def _stored(self) -> int:
        names = self.redis.scan_iter(count=_AT_ONCE)
        return sum(self.redis.memory_usage(key, samples=0) or 0 for key in names)


def growth(bench: Bench) -> Rows:
    """Connections, then watchers of the daily, then seats in live races, moves and results."""
    rows: dict[str, dict[str, float]] = {}
    with bench.servers([next(iter(OURS))]) as peers:
        for peer in peers:
            with Redis.from_url(peer.server.process.redis_url) as redis:
                steps = _Steps(peer.server, redis)
                _grow(bench, steps)
            rows |= {f"{name}, {peer.name}": row for name, row in steps.rows.items()}
    return rows


def _grow(bench: Bench, steps: _Steps) -> None:
    url = steps.server.process.url
    seated = in_daily(guests(url, _AT_THE_TOP, subprotocol=JSON))
    racers, others = seated[:_ENDS], seated[_ENDS:]
    for player in others:
        player.connection.close()
    steps.begin()
    watching = guests(url, bench.connections or _WATCHERS, subprotocol=JSON)
    connections = [guest.connection for guest in watching]
    steps.counted("a connection with its Hello", len(watching), connections)
    steps.begin(connections)
    watch_daily(watching)
    steps.counted(f"a watcher of a daily of {_AT_THE_TOP}", len(watching), connections)
    _tell_all(steps, racers, connections)
    # They stay: memory that is freed would be used again.
    _play(bench, steps, [Listener(connection) for connection in connections])
    for connection in connections:
        connection.close()
    _publish(steps)


def _tell_all(steps: _Steps, racers: Sequence[RacePlayer], followers: Sequence[Connection]) -> None:
    """Let games in the daily end; all its followers hear of each within a moment."""
    crowd, told = Crowd([Listener(one) for one in followers]), len(racers) * len(followers)
    steps.begin(followers)
    crowd.listen(_PAUSE_S * len(racers))
    idle = steps.growth(told, followers)
    steps.begin(followers)
    for racer in racers:
        _resign(racer)
        crowd.listen(_PAUSE_S)
    steps.counted("a follower told of an end", told, followers, idle)


def _play(bench: Bench, steps: _Steps, beside: Sequence[Listener]) -> None:
    """Live races until a first game ends. Then the others resign."""
    seated = guests(steps.server.process.url, bench.connections or _PLAYERS, subprotocol=JSON)
    connections = [guest.connection for guest in seated]
    steps.begin(connections)
    players = dealt(seated, in_live_rooms(seated))
    steps.counted("a seat in a live race", len(players), connections)
    steps.begin(connections)
    saturated([*players, *beside], steps.meter, _MOST_S)
    moves = check_logs(steps.server.process.redis_url, (each.seats[0] for each in players))
    steps.counted("a move", moves, connections)
    steps.begin(connections)
    _settle(players, steps.redis)
    steps.counted("a result", len(players), connections)
    for connection in connections:
        connection.close()


def _resign(player: RacePlayer) -> None:
    seat = player.seats[0]
    player.connection.send(CODECS[JSON].encode(Move(seat.race, seat.n + 1, "resign")))


def _settle(players: Sequence[RacePlayer], redis: Redis) -> None:
    """End all games, and wait until their results are on the boards. Raises Silent."""
    for player in players:
        _resign(player)  # refused where the game is over; after 2,000 moves it is not
    races = len({player.seats[0].race for player in players})
    crowd = Crowd([Listener(player.connection) for player in players])
    until = perf_counter() + PATIENCE_S
    while int(redis.get(Keys().settled) or 0) < races:
        if perf_counter() > until:
            raise Silent(f"races are not settled after {PATIENCE_S:.0f} seconds")
        crowd.listen(_POLL_S)


def _publish(steps: _Steps) -> None:
    """Updates to one peer, which only Redis handles."""
    with steps.redis.pubsub() as peer:  # type: ignore[no-untyped-call]  # redis-py's gap
        peer.subscribe("bench")
        peer.get_message(timeout=PATIENCE_S)
        steps.begin()
        for _ in range(_UPDATES // _AT_ONCE):
            pipeline = steps.redis.pipeline(transaction=False)
            for _ in range(_AT_ONCE):
                pipeline.publish("bench", b"x" * _UPDATE_BYTES)
            pipeline.execute()
            for _ in range(_AT_ONCE):
                peer.get_message(timeout=PATIENCE_S)
        steps.counted("an update to a peer", _UPDATES, [])
