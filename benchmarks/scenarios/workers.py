"""What a move costs when the players of a race are on several worker processes."""

from collections.abc import Mapping
from contextlib import ExitStack

from benchmarks.peers.peer import Peer, RaceSeating
from benchmarks.peers.start import race_server
from benchmarks.scenarios.bench import Bench
from benchmarks.scenarios.compared import PACED, SATURATED, compared
from benchmarks.scenarios.report import Rows, medians
from bigben_protocol import JSON


def more_workers(bench: Bench) -> Rows:
    """Saturated and paced, on one worker and on more. CPU is that of all workers together.

    The system deals the connections out to the workers, so most races are on several of them.
    """
    rows: dict[str, Mapping[str, float]] = {}
    python = next(iter(bench.pythons.values()))
    with ExitStack() as stack:
        servers = {}
        for count in bench.workers:
            name = "1 worker" if count == 1 else f"{count} workers"
            server = race_server(python, bench.folder / f"workers-{count}", workers=count)
            stack.enter_context(server.running())
            servers[name] = server
        for load, how in ((SATURATED, "saturated"), (PACED, "paced")):
            peers = [
                Peer(f"{name}, {how}", server, RaceSeating(JSON))
                for name, server in servers.items()
            ]
            rows |= medians(compared(peers, load.adjusted(bench), bench.rounds, how))
    return rows
