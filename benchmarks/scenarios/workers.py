"""What a move costs on several workers, as ratios to one worker or to servers apart, with bars."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from benchmarks.driver.crowd import Crowd
from benchmarks.driver.loads import Figures
from benchmarks.driver.log_check import check_logs
from benchmarks.driver.players import RacePlayer
from benchmarks.driver.seating import guests, in_daily
from benchmarks.peers.peer import Peer, RaceSeating
from benchmarks.peers.start import race_server, race_servers_apart
from benchmarks.scenarios.bench import Bench, note
from benchmarks.scenarios.compared import PACED, SATURATED, Load, compared
from benchmarks.scenarios.report import Rounds, Rows, medians
from bigben_protocol import JSON


@dataclass(frozen=True)
class _Case:
    """A server that carries a load, and the bar for the CPU of a move on it."""

    name: str
    to: str
    """The case to which it is compared."""
    bar: float = 1.0
    """The multiple of the other's CPU that must not be exceeded."""
    workers: int = 1
    names_race: bool = True
    apart: int = 1
    """How many servers there are that share a Redis and nothing else."""
    python: str = ""
    """The label of its interpreter, if it is not the first."""


_ONE: Final = _Case("1 worker", "1 worker")
_IN_DAILY: Final = Load(connections=2_000, seconds=20.0, rate=0.5)
"""As long as a ping interval, in which all players of a large field are told of others."""
LOADS: Final[Mapping[str, tuple[Load, Sequence[_Case]]]] = {
    "saturated": (
        SATURATED,
        (
            _ONE,
            _Case("2 workers", "1 worker", 1.15, workers=2),
            _Case("4 workers", "1 worker", 1.25, workers=4),
            _Case("2 workers, race not named", "1 worker", 1.5, workers=2, names_race=False),
            _Case("4 workers, race not named", "1 worker", 2.0, workers=4, names_race=False),
        ),
    ),
    "paced": (
        PACED,
        (
            _ONE,
            _Case("2 servers apart", "2 servers apart", apart=2),
            _Case("2 workers", "2 servers apart", 1.25, workers=2),
            _Case("4 servers apart", "4 servers apart", apart=4),
            _Case("4 workers", "4 servers apart", 1.25, workers=4),
        ),
    ),
    "daily": (_IN_DAILY, (_ONE, _Case("4 workers", "1 worker", 1.3, workers=4))),
}
_AT_ONCE: Final = 200
_LISTEN_S: Final = 0.05


def more_workers(bench: Bench) -> Rows:
    """Each load on one worker and on more. CPU is that of all processes of a server together.

    ``ratio`` is the median of the ratios in a round, ``bar`` what it must not exceed. If there are
    several interpreters, one worker of the first is compared to one of the last.
    """
    rows: dict[str, Mapping[str, float]] = {}
    for name in bench.loads:
        load, cases = LOADS[name]
        cases = _with_others(bench, cases)
        with _running(bench, cases) as peers:
            carry = _one_daily if name == "daily" else _in_turns
            found = carry(bench, peers, load.adjusted(bench))
        for case, row in zip(cases, medians(found).values(), strict=True):
            pairs = zip(found[case.name], found[case.to], strict=True)
            ratio = median(one.server_us / to.server_us for one, to in pairs)
            rows[f"{case.name}, {name}"] = {"ratio": ratio, "bar": case.bar, **row}
    return rows


def _with_others(bench: Bench, cases: Sequence[_Case]) -> Sequence[_Case]:
    """The cases, with one worker of the other interpreters before them."""
    _, *others = bench.pythons
    if not others:
        return cases
    before = [_Case(label, label, python=label) for label in others]
    compared_to_last = replace(cases[0], to=others[-1])
    return *before, compared_to_last, *cases[1:]


@contextmanager
def _running(bench: Bench, cases: Sequence[_Case]) -> Iterator[list[Peer]]:
    """The servers of these cases."""
    with ExitStack() as running:
        peers = []
        for case in cases:
            python = bench.pythons[case.python or next(iter(bench.pythons))]
            seating = RaceSeating(JSON, names_race=case.names_race)
            if case.apart > 1:
                server, seating = race_servers_apart(python, bench.fresh_folder(), case.apart)
            else:
                server = race_server(python, bench.fresh_folder(), workers=case.workers)
            running.enter_context(server.running())
            peers.append(Peer(case.name, server, seating))
        yield peers


def _in_turns(bench: Bench, peers: Sequence[Peer], load: Load) -> Rounds:
    """Live rooms on one peer after the other; the others are empty."""
    found: dict[str, list[Figures]] = defaultdict(list)
    for _ in range(bench.rounds):
        for peer in peers:
            found[peer.name] += compared([peer], load, 1, "workers")[peer.name]
    return found


def _one_daily(bench: Bench, peers: Sequence[Peer], load: Load) -> Rounds:
    """Players of today's daily, who move on one peer after the other."""
    seated = _in_dailies(peers, load.connections)
    found: dict[str, list[Figures]] = defaultdict(list)
    for _ in range(bench.rounds):
        for peer, players in seated.items():
            others = [one for some in seated.values() if some is not players for one in some]
            figures = load.run(peer, players, others)
            found[peer.name].append(figures)
            note(f"daily, {peer.name}: {figures.server_us:.1f} us of CPU a move")
    for peer, players in seated.items():
        check_logs(peer.server.process.redis_url, (seat for one in players for seat in one.seats))
        for player in players:
            player.connection.close()
    return found


def _in_dailies(peers: Sequence[Peer], players: int) -> Mapping[Peer, Sequence[RacePlayer]]:
    """Players of the daily of each peer. Those who are here are pinged while others come."""
    seated: dict[Peer, list[RacePlayer]] = {peer: [] for peer in peers}
    for begun in range(0, players, _AT_ONCE):
        for peer, mine in seated.items():
            some = min(_AT_ONCE, players - begun)
            mine += in_daily(guests(peer.server.process.url, some, subprotocol=JSON))
            Crowd([player for all_of in seated.values() for player in all_of]).listen(_LISTEN_S)
    return seated
