"""What players wait for who create a room, join it, come back to it, or want a rematch."""

import os
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import perf_counter
from typing import Final, TypeVar

from benchmarks.driver.seating import AT_A_TABLE, Guest, again, guests_at, rooms_of, to_race
from benchmarks.peers.peer import Server
from benchmarks.peers.start import race_server
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.report import Rows
from bigben_protocol import JSON, Join, Move, RaceId, Ready, Rematch, Resume

_WORKERS: Final = (1, 2, 4)
_PLAYERS: Final = 80
_Row = dict[str, float]
_Item = TypeVar("_Item")


def arrivals(bench: Bench) -> Rows:
    """Each step for one player after the other, on one worker and on more.

    ``ms`` is the median time until the room has answered, with the connection if the step needs
    one. CPU is that of all processes of the server.
    """
    found: dict[str, list[_Row]] = defaultdict(list)
    python = next(iter(bench.pythons.values()))
    for count in _WORKERS:
        server = race_server(python, bench.fresh_folder(), workers=count)
        with server.running():
            for _ in range(bench.rounds):
                for step, row in _steps(server, bench.connections or _PLAYERS).items():
                    name = f"{step}, {count} worker{'s' if count > 1 else ''}"
                    found[name].append(row)
                    note(f"{name}: {row['ms']:.1f} ms")
    return {
        name: {column: median(row[column] for row in found[name]) for column in found[name][0]}
        for name in sorted(found)
    }


def _steps(server: Server, players: int) -> dict[str, _Row]:
    """Rooms of four, from their creation to a rematch."""
    url, rows = server.process.url, dict[str, _Row]()
    rooms: list[RaceId] = []
    everyone: list[tuple[Guest, RaceId]] = []

    def create(_: int) -> None:
        (host,) = guests_at([url], subprotocol=JSON)
        rooms.extend(rooms_of([host]))
        everyone.append((host, rooms[-1]))

    def join(race: RaceId) -> None:
        (rival,) = guests_at([to_race(url, race)], subprotocol=JSON)
        rival.room(rival.ask(Join(race)))
        everyone.append((rival, race))

    def reconnect(number: int) -> None:
        before, race = everyone[number]
        guest = again(before, to_race(url, race))
        guest.room(guest.ask(Resume(race)))
        everyone[number] = guest, race

    def rematch(number: int) -> None:
        guest, race = everyone[number]
        guest.room(guest.ask(Rematch(race)))

    rows["create"] = _timed(server, range(players // AT_A_TABLE), create)
    rows["join"] = _timed(server, rooms * (AT_A_TABLE - 1), join)
    _begin(everyone)
    rows["reconnect"] = _timed(server, range(len(everyone)), reconnect)
    _resign(everyone)
    rows["rematch"] = _timed(server, range(len(everyone)), rematch)
    for guest, _ in everyone:
        guest.connection.close()
    return rows


def _timed(server: Server, items: Iterable[_Item], step: Callable[[_Item], None]) -> _Row:
    meter = server.meter(os.getpid())
    before, waits = meter.read(), list[float]()
    for item in items:
        began = perf_counter()
        step(item)
        waits.append(perf_counter() - began)
    pairs = zip(meter.read(), before, strict=True)
    server_us, redis_us, _ = ((after - cpu) / 1000 / len(waits) for after, cpu in pairs)
    return {"ms": median(waits) * 1000, "server_us": server_us, "redis_us": redis_us}


def _begin(everyone: Sequence[tuple[Guest, RaceId]]) -> None:
    """All are ready, and see their cards."""
    for guest, race in everyone:
        guest.say(Ready(race, nonce=secrets.token_hex(32)))
    for guest, race in everyone:
        guest.game(race, undo=False)


def _resign(everyone: Sequence[tuple[Guest, RaceId]]) -> None:
    """All give up, and are told so."""
    for guest, race in everyone:
        guest.say(Move(race, 1, "resign"))
    for guest, race in everyone:
        guest.room(guest.ask(Resume(race, since=1)))
