"""Measures how many deals of Big Ben can be won, and how many the house players win.

    python -m research.winnability [deals] [proofs] [players] [publish]

from the root of the project. Deal number n is dealt from the seed that is the number n. Results are
appended to files in ``--results``; a run that was stopped or killed goes on from there, and so does
one with larger numbers. ``deals`` looks for winning lines, fast if there is a C compiler;
``proofs`` asks the solver about the deals that are left; ``players`` lets the house play;
``publish`` writes all that into this
folder. Without a step, it is measured and printed.
``research/winnability.md`` says what the figures mean.
"""

import argparse
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from bigben_rules.bigben.variants import RULES
from bigben_solver import solve
from bigben_solver.certificates import Certificate, start, won_by
from research.finder import can_find, find
from research.playing import USUAL, played
from research.publishing import (
    publish,
    published_deals,
    published_games,
    table_of_deals,
    table_of_players,
)
from research.results import (
    Deals,
    Games,
    Lines,
    read_deals,
    read_games,
    summary_of,
    without_gaps,
)

GAME: Final = "bigben"
STEPS: Final = ("deals", "proofs", "players", "publish")
DEALS: Final = "deals.txt"
PROOFS: Final = "proofs.txt"
PLAYERS: Final = "players.txt"

BLOCK: Final = 500
"""So many deals of the variant with the fewest, and of the others in proportion, at a time."""

BAR: Final = 40

Task = TypeVar("Task")
DealTask = tuple[str, int, int]
"""The rules and the number of a deal, and the nodes that a search may look at."""


class How(NamedTuple):
    """How the work is done."""

    jobs: int
    until: float
    """A time of ``time.monotonic``."""


def found(task: DealTask) -> str:
    """The certificate of a deal, whose line the fast finder looks for if it can be compiled."""
    if not can_find():
        return solved(task)
    rules, number, nodes = task
    deal = Certificate(GAME, rules, str(number), "unknown", nodes=nodes)
    moves = find(start(deal), nodes=nodes)
    return str(won_by(GAME, rules, str(number), moves) if moves else deal)


def solved(task: DealTask) -> str:
    """The certificate of a deal from the solver, which can also prove that it is lost."""
    rules, number, nodes = task
    deal = Certificate(GAME, rules, str(number), "unknown", nodes=nodes)
    solution = solve(start(deal), nodes=nodes)
    if solution.result == "won":
        return str(won_by(GAME, rules, str(number), solution.moves))
    return str(deal._replace(result=solution.result))


def left(deals: Deals, keys: Iterable[tuple[str, int]], nodes: int) -> list[DealTask]:
    """Those of the deals that nobody has decided, or searched with that number of nodes."""
    return [
        (rules, number, nodes)
        for rules, number in keys
        if (known := deals.get((rules, number))) is None
        or (known.result == "unknown" and known.nodes < nodes)
    ]


def in_blocks(wanted: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The first deals of each variant, a block after the other, so that all grow together."""
    blocks = max(1, min(wanted.values()) // BLOCK)
    for block in range(blocks):
        for rules, most in wanted.items():
            for number in range(most * block // blocks, most * (block + 1) // blocks):
                yield rules, number


def begin_with(file: Path, published: Iterable[str]) -> None:
    """Write published results to a file that has none."""
    with Lines(file) as lines:
        if not lines.found:
            for line in published:
                lines.add(line)


def measure_deals(
    folder: Path, wanted: Mapping[str, int], budgets: Sequence[int], how: How
) -> Deals:
    """Look for lines of the first deals of each variant that have none; all that is known then."""
    if budgets:
        can_find()  # compiles it once for all children
    with Lines(folder / DEALS) as lines:
        deals = read_deals(lines.found)
        for nodes in budgets:
            tasks = left(deals, in_blocks(wanted), nodes)
            for line in run_all(f"deals, {nodes:,} nodes each", found, tasks, how):
                lines.add(line)
                deals |= read_deals([line])
    return deals


def measure_proofs(
    folder: Path, deals: Deals, wanted: Container[str], nodes: int, how: How
) -> Deals:
    """Ask the solver about deals of which no line was found; all that is known then."""
    with Lines(folder / PROOFS) as lines:
        asked = read_deals(lines.found)
        if nodes:
            undecided = (
                key
                for key, deal in deals.items()
                if deal.result == "unknown" and deal.rules in wanted
            )
            for line in run_all("proofs", solved, left(asked, undecided, nodes), how):
                lines.add(line)
                asked |= read_deals([line])
    return deals | {key: deal for key, deal in asked.items() if deals[key].result == "unknown"}


def measure_games(folder: Path, wanted: Mapping[str, int], how: How) -> Games:
    """Play those of the first deals that each house player has not played; all that is known."""
    with Lines(folder / PLAYERS) as lines:
        games = read_games(lines.found)
        tasks = [
            (player, number)
            for player, most in wanted.items()
            for number in range(most)
            if (player, number) not in games
        ]
        for line in run_all("games", played, tasks, how):
            lines.add(line)
            games |= read_games([line])
    return games


def _start_child() -> None:
    """Give way to everybody else, and end with the parent, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(19)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def run_all(
    what: str, work: Callable[[Task], str], tasks: Sequence[Task], how: How
) -> Iterator[str]:
    """The result of each task, in any order. Shows its progress if somebody watches."""
    if not tasks:
        return
    began = time.monotonic()
    watched = sys.stderr.isatty()
    with multiprocessing.Pool(how.jobs, _start_child) as pool:
        for done, result in enumerate(pool.imap_unordered(work, tasks), 1):
            yield result
            if watched:
                bar = "#" * (BAR * done // len(tasks))
                left = (time.monotonic() - began) / done * (len(tasks) - done) / 60
                said = f"{what} [{bar:<{BAR}}] {done:,} of {len(tasks):,}, {left:.0f} min left"
                print(f"\r{said}\033[K", end="", file=sys.stderr, flush=True)
            if time.monotonic() > how.until:
                break
    if watched:
        print("\r\033[K", end="", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.winnability",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    add("--results", type=Path, default=Path("data/winnability"), metavar="FOLDER")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="processes (%(default)s)")
    add("--minutes", type=float, default=float("inf"), help="when to stop")
    add("--rules", default=",".join(RULES), help="the variants that are solved")
    add("--standard", type=int, default=20_000, help="deals of standard (%(default)s)")
    add("--others", type=int, default=5_000, help="deals of each other variant (%(default)s)")
    add("--proof", type=int, default=200_000, help="nodes of each proof (%(default)s)")
    add("--budgets", default="50000,500000,5000000", help="nodes of each attempt (%(default)s)")
    add("--players", default=",".join(USUAL), help="who plays (%(default)s)")
    add("--games", type=int, help="games of each, in place of the usual numbers")
    add("--go-on", action="store_true", help="begin with what is published, if FOLDER is empty")
    add("--quick", action="store_true", help="a few deals and games, in less than a minute")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.standard, arguments.others, arguments.games = 20, 2, 1
        arguments.budgets, arguments.proof = "50000", 2_000
    wanted = {
        rules: arguments.standard if rules == "standard" else arguments.others
        for rules in arguments.rules.split(",")
    }
    playing = {
        player: arguments.games or USUAL[player]
        for player in arguments.players.split(",")
        if player
    }
    how = How(arguments.jobs, time.monotonic() + 60 * arguments.minutes)
    if unknown := set(arguments.steps) - set(STEPS):
        parser.error(f"there is no step {unknown.pop()!r}")
    steps = arguments.steps or STEPS[:3]
    budgets = [int(nodes) for nodes in arguments.budgets.split(",")]
    folder: Path = arguments.results
    if arguments.go_on:
        begin_with(folder / DEALS, published_deals())
        begin_with(folder / PLAYERS, published_games())
    deals = measure_deals(folder, wanted, budgets if "deals" in steps else (), how)
    deals = measure_proofs(folder, deals, wanted, arguments.proof if "proofs" in steps else 0, how)
    games = measure_games(folder, playing if "players" in steps else {}, how)
    if "publish" in steps:
        publish(without_gaps(deals), games)
    summary = summary_of(deals, games)
    print(table_of_deals(summary), table_of_players(summary), sep="\n\n")


if __name__ == "__main__":
    main()
