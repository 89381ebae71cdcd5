"""What a lone move costs in a daily that many follow."""

from statistics import median
from typing import Final

from benchmarks.driver.crowd import Crowd
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import Listener, RacePlayer
from benchmarks.driver.seating import guests, in_daily, watch_daily
from benchmarks.peers.peer import Peer
from benchmarks.peers.start import OURS
from benchmarks.processes import cpu_ns
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.report import Rows
from bigben_protocol import JSON

_PAUSE_S: Final = 0.4
"""Longer than a server collects progress before it tells the followers."""
_MOVES: Final = 15
_AT_ONCE: Final = 1_000


def lone_moves(bench: Bench) -> Rows:
    """The CPU of one move in the daily, for each number of followers."""
    rows = {}
    with bench.servers([next(iter(OURS))]) as peers:
        for peer in peers:
            watching: list[Listener] = []
            for count in sorted(bench.followers):
                _watch(peer, watching, count)
                row = _lone_player(peer, watching)
                rows[f"{count:,} followers {peer.name}"] = row
                note(f"{count:,} followers, {peer.name}: {row['server_ms']:.2f} ms of CPU a move")
    return rows


def _watch(peer: Peer, watching: list[Listener], count: int) -> None:
    """Add watchers until there are so many. Those who are here are pinged while others come."""
    while len(watching) < count:
        more = min(_AT_ONCE, count - len(watching))
        newcomers = guests(peer.server.process.url, more, subprotocol=JSON)
        watch_daily(newcomers)
        watching += [Listener(guest.connection) for guest in newcomers]
        Crowd(watching).listen(0.1)


def _lone_player(peer: Peer, watching: list[Listener]) -> dict[str, float]:
    """The medians over moves that have nothing beside them."""
    process = peer.server.process
    (guest,) = guests(process.url, 1, subprotocol=JSON)
    player = in_daily(guest)
    crowd = Crowd([player, *watching])
    crowd.listen(1.0)
    costs = [_lone_move(crowd, player, process.pid) for _ in range(_MOVES)]
    check_logs(process.redis_url, player.seats)
    player.connection.close()
    return {
        "server_ms": median(costs),
        "p50_ms": median(crowd.waits) * 1000,
        "slowest_ms": max(crowd.waits) * 1000,
    }


def _lone_move(crowd: Crowd, player: RacePlayer, pid: int) -> float:
    """The CPU of a move in ms, without what the same time costs when nobody moves."""
    before = cpu_ns(pid)
    crowd.listen(_PAUSE_S)
    idle = cpu_ns(pid)
    if not crowd.move(player):
        raise RuntimeError("the daily is over")
    crowd.listen(_PAUSE_S)
    crowd.settle()
    return (cpu_ns(pid) - idle - (idle - before)) / 1e6
