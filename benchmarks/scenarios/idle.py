"""What connections cost that do nothing, alone and beside players."""

from typing import Final

from benchmarks.driver.connection import Connection
from benchmarks.driver.crowd import Crowd
from benchmarks.driver.players import Listener
from benchmarks.driver.seating import connected, dealt, guests, in_live_rooms
from benchmarks.peers.peer import Peer
from benchmarks.peers.start import ECHO, OURS
from benchmarks.processes import cpu_ns, memory
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.compared import Load, compared
from benchmarks.scenarios.report import Rows, medians
from bigben_protocol import JSON

_CONNECTIONS: Final = 1_000
_SECONDS: Final = 42.0
"""Two ping intervals of websockets, and a little."""
_FIRST: Final = 40
"""Connections that come before the memory is read, so that everything is imported."""
_AT_ONCE: Final = 1_000
_PLAYERS: Final = Load(connections=500, seconds=10.0, rate=1.0)


def idle(bench: Bench) -> Rows:
    """Memory and CPU of one idle connection: of the echo, after Hello, and in a live race.

    The CPU of the echo is that of pings; the race server's must be read beside it.
    """
    ours = next(iter(OURS))
    rows: dict[str, dict[str, float]] = {}
    for name, in_races in ((ECHO, False), (ours, False), (ours, True)):
        # Fresh servers: memory that was freed before would be used again.
        with bench.servers([name]) as peers:
            for peer in peers:
                title = peer.name if name == ECHO else _title(peer.name, in_races)
                rows[title] = _idlers(bench, peer, in_races)
                note(f"idle, {title}: {rows[title]['memory_KiB']:.1f} KiB")
    return rows


def _title(name: str, in_races: bool) -> str:
    return f"{name}, {'in a race' if in_races else 'after Hello'}"


def _idlers(bench: Bench, peer: Peer, in_races: bool) -> dict[str, float]:
    process, count = peer.server.process, bench.connections or _CONNECTIONS
    for first in _opened(peer, _FIRST, in_races):
        first.close()
    empty = memory(process.pid)
    crowd = Crowd([Listener(one) for one in _opened(peer, count, in_races)])
    crowd.listen(2.0)
    size = memory(process.pid) - empty
    cpu, carried = cpu_ns(process.pid), sum(crowd.bytes())
    seconds = bench.seconds or _SECONDS
    crowd.listen(seconds)
    each = count * seconds
    row = {
        "memory_KiB": size / count / 1024,
        "us_per_second": (cpu_ns(process.pid) - cpu) / 1000 / each,
        "bytes_per_second": (sum(crowd.bytes()) - carried) / each,
    }
    crowd.close()
    return row


def _opened(peer: Peer, count: int, in_races: bool) -> list[Connection]:
    url = peer.server.process.url
    if peer.name == ECHO:
        return connected([url] * count, subprotocol=JSON)
    if not in_races:
        return [listener.connection for listener in _listeners(peer, count)]
    welcomed = guests(url, count, subprotocol=JSON)
    dealt(welcomed, in_live_rooms(welcomed))
    return [guest.connection for guest in welcomed]


def beside_idle(bench: Bench) -> Rows:
    """Paced players in live races, alone and beside many who only said Hello."""
    rows = {}
    load = _PLAYERS.adjusted(bench)
    with bench.servers([next(iter(OURS))]) as peers:
        for peer in peers:
            alone = compared([peer], load, bench.rounds, "players alone")
            rows[f"{load.connections:,} players, {peer.name}"] = medians(alone)[peer.name]
            idlers = _listeners(peer, bench.idle)
            title = f"beside {bench.idle:,}"
            beside = compared([peer], load, bench.rounds, title, beside=idlers)
            rows[f"{title} idle, {peer.name}"] = medians(beside)[peer.name]
            Crowd(idlers).close()
    return rows


def _listeners(peer: Peer, count: int) -> list[Listener]:
    """Guests who do nothing more. Those who are here are pinged while others come."""
    listeners: list[Listener] = []
    while len(listeners) < count:
        some = guests(
            peer.server.process.url, min(_AT_ONCE, count - len(listeners)), subprotocol=JSON
        )
        listeners += [Listener(guest.connection) for guest in some]
        Crowd(listeners).listen(0.1)
    return listeners
