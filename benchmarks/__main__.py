"""Measures what a move costs, compared with other servers.

python -m benchmarks saturated --peers echo,fan-out,json,msgpack --rounds 5
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from benchmarks import report
from benchmarks.peers.start import NAMES, started
from benchmarks.processes import cores, pin
from benchmarks.scenarios import LOADS, Load, Rounds, at_half_load, compared

HALF: Final = "half"
SCENARIOS: Final = (*LOADS, HALF)


def main(argv: Sequence[str] | None = None) -> int:
    options = parser().parse_args(argv)
    pythons = dict(_labelled(text) for text in options.python or [sys.executable])
    found: dict[str, Rounds] = {}
    pin(os.getpid(), cores()[1])
    with (
        tempfile.TemporaryDirectory() as folder,
        started(options.peers.split(","), pythons, Path(folder)) as peers,
    ):
        for name in options.scenarios:
            load = _adjusted(LOADS["saturated" if name == HALF else name], options)
            measure = at_half_load if name == HALF else compared
            found[name] = measure(peers, load, options.rounds, name)
            print(report.table(name, found[name]), flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        summary = {name: report.summary(rounds) for name, rounds in found.items()}
        text = msgspec.json.encode({"medians": summary, "rounds": found})
        options.json.write_bytes(msgspec.json.format(text))
    return 0


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("scenarios", nargs="+", choices=SCENARIOS)
    options.add_argument("--peers", default=",".join(NAMES), help="some of %(default)s")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--connections", type=int)
    options.add_argument("--seconds", type=float, help="of one run")
    options.add_argument("--games", type=int, help="of each player")
    options.add_argument(
        "--python",
        action="append",
        metavar="[LABEL=]PATH",
        help="the interpreter with the race server to measure; give it again for several",
    )
    options.add_argument("--json", type=Path, help="a file for the figures")
    return options


def _labelled(text: str) -> tuple[str, str]:
    label, _, path = text.rpartition("=")
    return label, path


def _adjusted(load: Load, options: argparse.Namespace) -> Load:
    wanted = {
        name: getattr(options, name)
        for name in ("connections", "seconds", "games")
        if getattr(options, name) is not None
    }
    return replace(load, **wanted)


if __name__ == "__main__":
    sys.exit(main())
