"""Measures how many deals of Big Ben the solver decides, and in which time.

    python -m research.solver [--rules standard] [--first 0] [--deals 1000] [--nodes 400000]

from the root of the project, installed or with PYTHONPATH=rules; with PYTHONPATH=build/fast it
measures the compiled solver of ``make fast``. Deal number n is dealt from the seed that is the
number n. The times are CPU seconds of one core, so a busy machine changes them little. The last
line is the same on every machine and for the compiled solver.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from bigben_rules.bigben import BigBen
from bigben_rules.bigben.variants import RULES
from bigben_solver import Result, solve
from bigben_solver.certificates import Certificate, start

BAR: Final = 40
SHARES: Final = {"median": 0.5, "90 %": 0.9, "95 %": 0.95, "99 %": 0.99, "99.9 %": 0.999}


class Measured(NamedTuple):
    """What the solver did with one deal."""

    deal: int
    result: Result
    moves: int
    nodes: int
    seconds: float


def measure(rules: str, deals: Sequence[int], nodes: int) -> Iterator[Measured]:
    """Solve one deal after the other."""
    for deal in deals:
        position = start(Certificate(BigBen.name, rules, str(deal), "unknown"))
        began = time.process_time()
        solution = solve(position, nodes=nodes)
        spent = time.process_time() - began
        yield Measured(deal, solution.result, len(solution.moves), solution.nodes, spent)


def below(share: float, values: Sequence[float]) -> float:
    """The smallest of the sorted values that at least this share does not exceed."""
    return next(x for n, x in enumerate(values, 1) if n >= share * len(values))


def report(found: Sequence[Measured]) -> str:
    """The shares of results, the times in which shares of all deals were decided, a digest.

    A deal that stays unknown counts as one that takes for ever.
    """
    results = Counter(one.result for one in found)
    forever = float("inf")
    times = sorted(forever if one.result == "unknown" else one.seconds for one in found)
    nodes = sum(one.nodes for one in found)
    each = 1e6 * sum(one.seconds for one in found) / nodes
    digest = sha256(repr([one[:-1] for one in found]).encode("ascii")).hexdigest()
    open_deals = [one.deal for one in found if one.result == "unknown"]
    return "\n".join(
        [
            f"{len(found):,} deals: {', '.join(f'{n:,} {what}' for what, n in results.items())}",
            "CPU seconds: "
            + ", ".join(f"{name} {below(share, times):.3f}" for name, share in SHARES.items())
            + f"; {each:.0f} µs for each of {nodes:,} nodes",
            *([f"unknown: {', '.join(map(str, open_deals))}"] if open_deals else []),
            f"answers and nodes: {digest[:16]}",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.solver",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rules", choices=RULES, default="standard")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=400_000)
    asked = parser.parse_args()
    deals = range(asked.first, asked.first + max(asked.deals, 1))
    found: list[Measured] = []
    for one in measure(asked.rules, deals, asked.nodes):
        found.append(one)
        if sys.stderr.isatty():
            bar = "#" * (BAR * len(found) // len(deals))
            print(f"\r[{bar:<{BAR}}] {len(found):,} of {len(deals):,}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(report(found))


if __name__ == "__main__":
    main()
