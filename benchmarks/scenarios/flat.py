"""Whether a move costs the same on more connections, late in a game, and beside many results."""

import asyncio
import os
from collections import defaultdict
from dataclasses import replace
from typing import Final

from benchmarks import boards
from benchmarks.driver.crowd import Crowd
from benchmarks.driver.loads import Figures, Window
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import RacePlayer
from benchmarks.driver.seating import dealt, guests, in_live_rooms
from benchmarks.peers.peer import Peer, RaceSeating
from benchmarks.peers.start import OURS, race_server
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.compared import SATURATED, compared
from benchmarks.scenarios.report import Rounds, Rows, medians
from bigben_protocol import JSON

_OURS: Final = next(iter(OURS))
_FEW: Final = replace(SATURATED, connections=40, games=3)
_MANY: Final = replace(SATURATED, connections=1_000, games=1)
_WINDOWS: Final = (30, 1_900)
"""The first moves of the two windows in a game, and their length in moves."""
_WINDOW: Final = 60
_PLAYERS: Final = 20


def more_connections(bench: Bench) -> Rows:
    """Saturated on few and on many connections, in turns."""
    found: dict[str, list[Figures]] = defaultdict(list)
    with bench.servers([_OURS]) as peers:
        for _ in range(bench.rounds):
            for load in (_FEW, _MANY):
                title = f"{load.connections:,} connections"
                for name, figures in compared(peers, load, 1, title).items():
                    found[f"{name}, {title}"] += figures
    return _to_first(found)


def longer_logs(bench: Bench) -> Rows:
    """Games with undo that go on for long, early and late in them."""
    found: dict[str, list[Figures]] = defaultdict(list)
    with bench.servers([_OURS]) as peers:
        for _ in range(bench.rounds):
            for peer in peers:
                _play_long(peer, found)
    return _to_first(found)


def fuller_redis(bench: Bench) -> Rows:
    """Saturated on an empty Redis and on one with many results, in turns."""
    python = next(iter(bench.pythons.values()))
    full = bench.folder / "full"
    note(f"making {bench.results:,} results")
    asyncio.run(boards.fill(full, bench.results))
    servers = {
        "empty": race_server(python, bench.folder / "empty"),
        f"{bench.results:,} results": race_server(python, full),
    }
    peers = [Peer(name, server, RaceSeating(JSON)) for name, server in servers.items()]
    empty, filled = servers.values()
    with empty.running(), filled.running():
        return _to_first(compared(peers, SATURATED.adjusted(bench), bench.rounds, "results"))


def _play_long(peer: Peer, found: dict[str, list[Figures]]) -> None:
    everyone = guests(peer.server.process.url, _PLAYERS, subprotocol=JSON)
    players = dealt(everyone, in_live_rooms(everyone, undo=True), undo=True)
    crowd = Crowd(players)
    meter = peer.server.meter(os.getpid())
    for first in _WINDOWS:
        _play_up_to(crowd, players, first - 1)
        window = Window(crowd, meter)
        _play_up_to(crowd, players, first - 1 + _WINDOW)
        found[f"{peer.name}, from move {first:,}"].append(window.figures())
        note(f"{peer.name}, from move {first:,}: {window.figures().server_us:.1f} us of CPU a move")
    redis_url = peer.server.process.redis_url
    check_logs(redis_url, (seat for player in players for seat in player.seats))
    crowd.close()


def _play_up_to(crowd: Crowd, players: list[RacePlayer], n: int) -> None:
    """Let every player play until they have made ``n`` moves."""
    going = [player for player in players if crowd.move(player)]
    while going:
        answered = [player for player in crowd.poll(1.0) if isinstance(player, RacePlayer)]
        for player in answered:
            if player.seats[0].n >= n or not crowd.move(player):
                going.remove(player)


def _to_first(rounds: Rounds) -> Rows:
    """The medians, with the ratio of each CPU to that of the first row."""
    rows = medians(rounds)
    first = next(iter(rows.values()))["server_us"]
    return {name: {**row, "to_first": row["server_us"] / first} for name, row in rows.items()}
