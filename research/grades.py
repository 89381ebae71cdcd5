"""Calibrates the grades of Big Ben, and checks that they separate.

    python -m research.grades [--layouts 400] [--rules standard] [--out build/grades.jsonl]
    python -m research.grades --write     # the thresholds, into rules/bigben_solver/thresholds.py

from the root of the project, installed or with PYTHONPATH=rules. Deal number n is dealt from the
seed that is the number n. A grade depends on the layout alone, which is what a player sees first.
So each layout is played with its own stock and with four others, which makes five deals. The check
is how many cards the weakest house player brings home in the deals of each grade. What is measured
stays in the file, so a run that was stopped goes on. It uses the time that others leave.
"""

import argparse
import os
from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from statistics import correlation, fmean, stdev
from typing import Final, NamedTuple

from bigben_rules import bigben, shuffle
from bigben_rules.bigben import BigBen
from bigben_rules.bigben.variants import RULES
from bigben_solver.grades import GRADES, score
from bigben_solver.players import PLAYERS
from research import resumed

SHARES: Final = (0.15, 0.25, 0.30, 0.30)
"""Of all deals, from the fiendish ones to the easy ones."""
THRESHOLDS: Final = Path("rules/bigben_solver/thresholds.py")
STOCKS: Final = 5


class Measured(NamedTuple):
    """The deals of one layout."""

    rules: str
    layout: int
    score: float
    home: float
    """The mean cards that the weakest house player brings home."""


class Group(NamedTuple):
    """The layouts of one grade."""

    grade: str
    layouts: int
    mean: float
    error: float
    """The standard error of the mean, from the means of the layouts."""


def measure(rules: str, layout: int) -> Measured:
    """Score a layout, and let the weakest house player play its deals."""
    position = BigBen.deal(shuffle(BigBen.pack, layout.to_bytes(32, "big")), rules)
    return Measured(rules, layout, score(position), home(position, layout))


def home(position: bigben.Position, layout: int) -> float:
    """The mean cards home of the weakest house player, with five stocks."""
    stocks, rng = [position.stock], Random(layout)
    while len(stocks) < STOCKS:
        stocks.append(tuple(rng.sample(position.stock, len(position.stock))))
    return fmean(_played(replace(position, stock=stock)) for stock in stocks)


def _played(position: bigben.Position) -> int:
    player, rng = PLAYERS["bigben"][0], Random(1)
    while plan := player.plan(position, rng):
        for move in plan:
            position, _ = position.apply(move)
    return position.progress


def limits(measured: Sequence[Measured]) -> tuple[float, float, float]:
    """The scores up to which a deal is fiendish, hard and medium."""
    scores = sorted(one.score for one in measured)
    fiendish, hard, medium, _ = SHARES
    shares = (fiendish, fiendish + hard, fiendish + hard + medium)
    first, second, third = (round(scores[int(share * len(scores))], 2) for share in shares)
    return first, second, third


def groups(measured: Sequence[Measured], between: Sequence[float]) -> list[Group]:
    """The layouts by grade, easy ones first; a grade of fewer than two is left out."""
    homes: dict[str, list[float]] = {grade: [] for grade in GRADES}
    for one in measured:
        homes[GRADES[::-1][bisect_left(between, one.score)]].append(one.home)
    return [
        Group(grade, len(home), fmean(home), stdev(home) / sqrt(len(home)))
        for grade, home in homes.items()
        if len(home) > 1
    ]


def separations(found: Sequence[Group]) -> list[float]:
    """By how many standard errors each grade's mean is above that of the next grade."""
    return [
        (one.mean - two.mean) / sqrt(one.error**2 + two.error**2) for one, two in pairwise(found)
    ]


def read(file: Path) -> dict[tuple[str, int], Measured]:
    """What has been measured."""
    return {(one.rules, one.layout): one for one in resumed.read(file, Measured)}


def fill(file: Path, rules: str, layouts: int, processes: int) -> list[Measured]:
    """Measure what is missing of the first layouts."""
    known = read(file)
    missing = [layout for layout in range(layouts) if (rules, layout) not in known]
    with (
        resumed.added_to(file) as add,
        ProcessPoolExecutor(processes, initializer=resumed.be_nice) as pool,
    ):
        for one in pool.map(partial(measure, rules), missing, chunksize=8):
            known[rules, one.layout] = one
            add(one)
            resumed.show(rules, sum(1 for key in known if key[0] == rules), layouts)
    return [known[rules, layout] for layout in range(layouts)]


def report(rules: str, measured: Sequence[Measured]) -> tuple[float, float, float]:
    """Print how well the grades separate. Returns the thresholds."""
    between = limits(measured)
    rho = correlation([one.score for one in measured], [one.home for one in measured])
    print(f"{rules}: thresholds {between}, score and cards home correlate with {rho:.2f}")
    found = groups(measured, between)
    for group, apart in zip(found, [None, *separations(found)], strict=True):
        row = f"  {group.grade:<9}{group.layouts * STOCKS:>6,} deals {group.mean:>7.2f}"
        told = f"   {apart:.1f} standard errors below" if apart is not None else ""
        print(f"{row} ±{group.error:.2f}{told}")
    return between


def write(found: dict[str, tuple[float, float, float]]) -> None:
    """Put the thresholds in the solver's table."""
    lines = THRESHOLDS.read_text().splitlines()
    for at, line in enumerate(lines):
        rules = line.strip().partition('": (')[0].removeprefix('"')
        if rules in found:
            lines[at] = f'    "{rules}": {found[rules]},'
    THRESHOLDS.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m research.grades", description=__doc__)
    parser.add_argument("--layouts", type=int, default=400, help="of each variant (400)")
    parser.add_argument("--rules", nargs="*", choices=RULES, default=list(RULES))
    parser.add_argument("--out", type=Path, default=Path("build/grades.jsonl"))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true", help="write the thresholds")
    given = parser.parse_args()
    found = {}
    for rules in given.rules:
        found[rules] = report(rules, fill(given.out, rules, given.layouts, given.processes))
    if given.write:
        write(found)


if __name__ == "__main__":
    main()
