"""What a lone move costs in a daily that many follow."""

from collections import defaultdict
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.driver.crowd import Crowd, Silent
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import Follower, RacePlayer
from benchmarks.driver.seating import guests, in_daily, watch_daily
from benchmarks.peers.peer import Peer
from benchmarks.peers.start import OURS
from benchmarks.processes import cpu_ns
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.report import Rows
from bigben_protocol import JSON

_SECONDS: Final = 20.0
"""A ping interval: all followers are pinged once while nobody moves, and once during the moves."""
_MOVE_S: Final = 1.0
_AT_ONCE: Final = 1_000
_PATIENCE_S: Final = 120.0


def lone_moves(bench: Bench) -> Rows:
    """The CPU of a move in the daily, for each number of followers.

    ``server_ms`` is that of a move a second, ``alone_ms`` that of one move after which nobody moves
    until all have heard of it, for ``heard_s``. What the same time costs before the first move is
    subtracted from both.
    """
    rounds: dict[str, list[dict[str, float]]] = defaultdict(list)
    for _ in range(bench.rounds):
        for count in sorted(bench.followers):
            # Fresh servers, so that nobody hears of an earlier player.
            with bench.servers([next(iter(OURS))]) as peers:
                for peer in peers:
                    row = _lone_player(peer, _watching(peer, count), bench.seconds or _SECONDS)
                    rounds[f"{count:,} followers {peer.name}"].append(row)
                    note(f"{count:,} followers, {peer.name}: {row['server_ms']:.2f} ms of CPU")
    return {
        name: {column: median(row[column] for row in rows) for column in rows[0]}
        for name, rows in rounds.items()
    }


def _watching(peer: Peer, count: int) -> list[Follower]:
    """So many who watch the daily. Those who are here are pinged while others come."""
    watching: list[Follower] = []
    while len(watching) < count:
        more = min(_AT_ONCE, count - len(watching))
        newcomers = guests(peer.server.process.url, more, subprotocol=JSON)
        watch_daily(newcomers)
        watching += [Follower(guest.connection) for guest in newcomers]
        Crowd(watching).listen(0.1)
    return watching


def _lone_player(peer: Peer, watching: list[Follower], seconds: float) -> dict[str, float]:
    process = peer.server.process
    alone = Crowd(watching)
    alone.listen(1.0)
    before = cpu_ns(process.pid)
    alone.listen(seconds)
    idle_ms = (cpu_ns(process.pid) - before) / 1e6 / seconds

    (player,) = in_daily(guests(process.url, 1, subprotocol=JSON))
    crowd = Crowd([player, *watching])
    crowd.listen(1.0)
    before, began = cpu_ns(process.pid), perf_counter()
    for _ in range(round(seconds / _MOVE_S)):
        _move(crowd, player)
        crowd.listen(_MOVE_S)
    lasted = perf_counter() - began
    moves_ms = (cpu_ns(process.pid) - before) / 1e6 - idle_ms * lasted
    waits = [*crowd.waits]

    _all_hear(crowd, player, watching)
    before, began = cpu_ns(process.pid), perf_counter()
    _move(crowd, player)
    _all_hear(crowd, player, watching)
    heard_s = perf_counter() - began
    alone_ms = (cpu_ns(process.pid) - before) / 1e6 - idle_ms * heard_s

    check_logs(process.redis_url, player.seats)
    crowd.close()
    return {
        "server_ms": moves_ms / len(waits),
        "alone_ms": alone_ms,
        "heard_s": heard_s,
        "idle_ms_a_second": idle_ms,
        "p50_ms": median(waits) * 1000,
        "slowest_ms": max(waits) * 1000,
    }


def _move(crowd: Crowd, player: RacePlayer) -> None:
    if not crowd.move(player):
        raise RuntimeError("the daily is over")


def _all_hear(crowd: Crowd, player: RacePlayer, watching: list[Follower]) -> None:
    """Wait until all have heard of the player's last move. Raises Silent."""
    crowd.settle()
    told, until = b'"moves":%d,' % player.seats[0].n, perf_counter() + _PATIENCE_S
    while not all(told in follower.heard for follower in watching):
        if perf_counter() > until:
            raise Silent(f"somebody did not hear of a move for {_PATIENCE_S:.0f} seconds")
        crowd.poll(0.1)
