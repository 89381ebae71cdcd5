"""The comparisons: what players do, and on how many connections."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.driver.loads import Figures, paced, saturated
from benchmarks.driver.players import Player
from benchmarks.peers.peer import Peer

Rounds = Mapping[str, Sequence[Figures]]
"""The figures of each round by the name of the peer."""


@dataclass(frozen=True)
class Load:
    """What players do in one comparison."""

    connections: int
    seconds: float
    rate: float = 0.0
    """Moves a second of each player; 0 for as many as are answered."""
    games: int = 1
    """How many games each player has; a run ends with the first player who has none left."""

    def run(self, peer: Peer, players: Sequence[Player]) -> Figures:
        meter = peer.server.meter(os.getpid())
        if self.rate:
            return paced(players, meter, self.seconds, rate=self.rate)
        return saturated(players, meter, self.seconds)


LOADS: Final = {
    "saturated": Load(connections=200, seconds=2.0, games=2),
    "paced": Load(connections=1_000, seconds=8.0, rate=1.0),
    "race": Load(connections=4, seconds=2.0, games=12),
}


def compared(peers: Sequence[Peer], load: Load, rounds: int, title: str) -> Rounds:
    """Let every peer carry the load, one after the other, in so many rounds.

    Raises Lost if a peer has lost an acknowledged move.
    """
    found: dict[str, list[Figures]] = defaultdict(list)
    for n in range(1, rounds + 1):
        with _seated(peers, load) as seated:
            for peer, players in seated:
                figures = load.run(peer, players)
                found[peer.name].append(figures)
                note(f"{title}, round {n}, {peer.name}: {figures.server_us:.1f} us of CPU a move")
                peer.seating.check(peer.server.process.redis_url)
    return found


def at_half_load(peers: Sequence[Peer], load: Load, rounds: int, title: str) -> Rounds:
    """Every peer carries half of what it carries when it is saturated."""
    found: dict[str, Sequence[Figures]] = {}
    for peer in peers:
        (most,) = compared([peer], load, 1, title)[peer.name]
        rate = most.moves_per_second / load.connections / 2
        found |= compared([peer], replace(load, rate=rate), rounds, f"{title}, {rate:.1f} a second")
    return found


@contextmanager
def _seated(peers: Sequence[Peer], load: Load) -> Iterator[list[tuple[Peer, Sequence[Player]]]]:
    """Players of every peer at the start of their games; afterwards they have left."""
    for peer in peers:
        peer.seating.begin(peer.server.process.url, load.connections, load.games)
    seated = [(peer, peer.seating.players()) for peer in peers]
    try:
        yield seated
    finally:
        for _, players in seated:
            for player in players:
                player.connection.close()


def note(text: str) -> None:
    """Tell whoever waits how far the benchmark is."""
    print(text, file=sys.stderr, flush=True)
