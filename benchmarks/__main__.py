"""Measures what a move costs, beside other servers, and writes tables and JSON.

    python -m benchmarks                                  everything: `make bench`
    python -m benchmarks --quick                          two minutes: `make bench-quick`
    python -m benchmarks saturated --peers fan-out,json   only this

Real-time priority keeps other programs of the machine out of the figures: chrt -r 5 python -m …

Other benchmarks are separate commands:

    python -m benchmarks.rules                  the speed of the rules of every game
    python -m benchmarks.boards                 boards with a million results
    python -m benchmarks.packing                what a race takes in Redis, as played and packed
    python -m benchmarks.pictures               the pictures of chat bots
    python -m benchmarks.floods                 what players notice of floods
    python -m benchmarks.chaos --kills 100      kill -9 in the middle of play: `make chaos`
    python -m benchmarks.homes                  when players move again after kill -9 of a home
    python -m benchmarks.soak --minutes 10      an evening of play: `make soak`
"""

import argparse
import gc
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.peers.start import COMPARED, NAMES
from benchmarks.processes import cores, pin
from benchmarks.scenarios import flat
from benchmarks.scenarios.arrivals import arrivals
from benchmarks.scenarios.bench import Bench
from benchmarks.scenarios.compared import ONE_RACE, PACED, SATURATED, all_peers, at_half_load
from benchmarks.scenarios.followers import lone_moves
from benchmarks.scenarios.growth import growth
from benchmarks.scenarios.idle import beside_idle, idle
from benchmarks.scenarios.report import Rows, table
from benchmarks.scenarios.workers import LOADS, more_workers

SCENARIOS: Final = {
    "saturated": "200 connections in live rooms of four, one move under way on each",
    "paced": "1,000 connections, one move a second on each",
    "race": "one race of four, one move under way for each player",
    "half": "200 connections, half of the moves that saturate the server",
    "followers": "a lone move in a daily that many watch",
    "connections": "saturated, on few and many connections",
    "logs": "early and late in a long game",
    "results": "saturated, with an empty and a full Redis",
    "idle": "idle connections",
    "beside": "players beside idle connections",
    "workers": "on one worker process and on more, beside the bars",
    "arrivals": "one player after the other, on one worker process and on more",
    "growth": "what each connection, watcher, seat, move and result takes",
}
QUICK: Final = ("saturated", "paced", "followers")


def measured(name: str, bench: Bench) -> Rows:
    """The figures of one scenario."""
    match name:
        case "saturated":
            return all_peers(bench, SATURATED, name)
        case "paced":
            return all_peers(bench, PACED, name)
        case "race":
            return all_peers(bench, ONE_RACE, name)
        case "half":
            return at_half_load(bench)
        case "followers":
            return lone_moves(bench)
        case "connections":
            return flat.more_connections(bench)
        case "logs":
            return flat.longer_logs(bench)
        case "results":
            return flat.fuller_redis(bench)
        case "idle":
            return idle(bench)
        case "beside":
            return beside_idle(bench)
        case "workers":
            return more_workers(bench)
        case "arrivals":
            return arrivals(bench)
        case "growth":
            return growth(bench)
        case _:
            raise ValueError(f"there is no scenario {name}; there is {', '.join(SCENARIOS)}")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the tables and write the JSON."""
    options = parser().parse_args(argv)
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    pin(os.getpid(), cores()[1])
    gc.disable()  # a collection would lengthen somebody's wait
    found: dict[str, Rows] = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = _bench(options, Path(folder))
        for name in options.scenarios or (QUICK if options.quick else SCENARIOS):
            once = options.quick and name != QUICK[0]
            found[name] = measured(name, replace(bench, rounds=1) if once else bench)
            print(f"{table(f'{name}: {SCENARIOS[name]}', found[name])}\n", flush=True)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    return 0


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    add("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS))
    add("--quick", action="store_true", help="less of the most important figures")
    add("--peers", help=f"the servers to compare, some of {','.join(NAMES)}")
    add("--rounds", type=int, help="how many rounds; each figure is their median (5; quick: 2)")
    add("--connections", type=int, help="instead of what the scenario says")
    add("--seconds", type=float, help="of one run, instead of what the scenario says")
    add("--games", type=int, help="of each player, instead of what the scenario says")
    add("--followers", help="how many watch the daily: 10,1000,5000")
    add("--idle", type=int, default=10_000, help="idle connections beside players (%(default)s)")
    add("--loads", default=",".join(LOADS), help="what several workers carry (%(default)s)")
    add("--results", type=int, default=1_000_000, help="in the full Redis (%(default)s)")
    add(
        *("--python",),
        action="append",
        metavar="[LABEL=]PATH",
        help="the interpreter with the race server to measure; give it again for several",
    )
    add("--json", type=Path, default=Path("build/bench.json"), help="a file (%(default)s)")
    return options


def _bench(options: argparse.Namespace, folder: Path) -> Bench:
    quick = options.quick
    peers = options.peers or ("echo,fan-out,naive,json,msgpack" if quick else ",".join(COMPARED))
    followers = options.followers or ("1000" if quick else "10,1000,5000")
    pythons = (text.rpartition("=") for text in options.python or [sys.executable])
    return Bench(
        folder,
        peers=peers.split(","),
        pythons={label: path for label, _, path in pythons},
        rounds=options.rounds or (2 if quick else 5),
        connections=options.connections,
        seconds=options.seconds or (1.5 if quick else None),
        games=options.games,
        followers=[int(number) for number in followers.split(",")],
        idle=options.idle,
        results=options.results,
        loads=options.loads.split(","),
    )


if __name__ == "__main__":
    sys.exit(main())
