"""Loads that every peer carries, in rounds: what players do, and on how many connections."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.driver.crowd import Crowd
from benchmarks.driver.loads import Figures, paced, saturated
from benchmarks.driver.players import Player
from benchmarks.peers.peer import Peer
from benchmarks.peers.start import IN_NODE
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.report import Rounds, Rows, medians


@dataclass(frozen=True)
class Load:
    """What players do in one comparison."""

    connections: int
    seconds: float
    rate: float = 0.0
    """Moves a second of each player; 0 for as many as are answered."""
    games: int = 1
    """How many games each player has; a run ends with the first player who has none left."""

    def adjusted(self, bench: Bench) -> "Load":
        """The load with the numbers that were asked for."""
        return replace(
            self,
            connections=bench.connections or self.connections,
            seconds=bench.seconds or self.seconds,
            games=bench.games or self.games,
        )

    def run(self, peer: Peer, players: Sequence[Player], beside: Sequence[Player]) -> Figures:
        """Carry it once. Only a paced load can have others beside its players."""
        meter = peer.server.meter(os.getpid())
        if self.rate:
            return paced(players, meter, self.seconds, rate=self.rate, beside=beside)
        return saturated(players, meter, self.seconds)


SATURATED: Final = Load(connections=200, seconds=2.0, games=2)
PACED: Final = Load(connections=1_000, seconds=8.0, rate=1.0)
_ROUNDS_TO_COMPILE: Final = 2
"""Node.js compiles what has run for a while."""
_PINGS_S: Final = 0.02
ONE_RACE: Final = Load(connections=4, seconds=2.0, games=12)


def all_peers(bench: Bench, load: Load, title: str) -> Rows:
    """Every peer carries the load, one after the other in each round."""
    load = load.adjusted(bench)
    with bench.servers(bench.peers) as peers:
        compiled = [peer for peer in peers if peer.name in IN_NODE]
        compared(compiled, load, _ROUNDS_TO_COMPILE, "not counted")
        return medians(compared(peers, load, bench.rounds, title))


def at_half_load(bench: Bench) -> Rows:
    """Every peer carries half of what it carries when it is saturated."""
    load = SATURATED.adjusted(bench)
    rounds: dict[str, Sequence[Figures]] = {}
    with bench.servers(bench.peers) as peers:
        for peer in peers:
            (most,) = compared([peer], load, 1, "for half load")[peer.name]
            half = replace(load, rate=most.moves_per_second / load.connections / 2)
            rounds |= compared([peer], half, bench.rounds, "half load")
    return medians(rounds)


def compared(
    peers: Sequence[Peer], load: Load, rounds: int, title: str, beside: Sequence[Player] = ()
) -> Rounds:
    """The figures of every peer in each round, while those ``beside`` the players listen.

    Raises Lost if a peer has lost an acknowledged move.
    """
    found: dict[str, list[Figures]] = defaultdict(list)
    for n in range(1, rounds + 1):
        seated: dict[Peer, Sequence[Player]] = {}
        for peer in peers:
            url = peer.server.process.url
            seated[peer] = peer.seating.seat(url, load.connections, load.games)
            _answer_pings([*seated.values(), beside])
        for peer, players in seated.items():
            figures = load.run(peer, players, beside)
            found[peer.name].append(figures)
            note(f"{title}, round {n}, {peer.name}: {figures.server_us:.1f} us of CPU a move")
            peer.seating.check(peer.server.process.redis_url)
            _answer_pings([*seated.values(), beside])
        for players in seated.values():
            for player in players:
                player.connection.close()
    return found


def _answer_pings(everyone: Iterable[Sequence[Player]]) -> None:
    """Read what has come to players who wait for their turn."""
    for players in everyone:
        Crowd(players).listen(_PINGS_S)
