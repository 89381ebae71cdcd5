"""Counts the instructions of a move: a figure that a busy or throttled machine does not change.

    python -m benchmarks.instructions [--peers fan-out,json] [--moves 4000]

from the root of the project. Each peer runs in valgrind's callgrind (Debian: ``apt install
valgrind``), 50 times slower than usual, and carries the load of the scenario ``saturated``. Only
the instructions of its own process are counted, and none of the kernel: neither sending nor waiting
for memory costs anything here, so compare the times as well. Repetitions differ by 3 %.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.driver.crowd import Crowd, Silent
from benchmarks.peers.peer import Peer
from benchmarks.peers.start import FAN_OUT, IN_NODE, NAMES, started
from benchmarks.scenarios.bench import note

_PYTHON: Final = """#!/bin/sh
exec valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file={folder}/%p {python} "$@"
"""
_COUNTED: Final = [name for name in NAMES if name not in IN_NODE]
_POLL_S: Final = 0.1
_GAMES: Final = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Count and print a table. Returns 1 if a peer is unknown or a program is missing."""
    options = _parser().parse_args(argv)
    names = options.peers.split(",")
    if unknown := sorted({*names} - {*_COUNTED}):
        print(f"There is no {unknown[0]} here, only {', '.join(_COUNTED)}.", file=sys.stderr)
        return 1
    for program in ("valgrind", "callgrind_control"):
        if not shutil.which(program):
            print(f"{program} is not installed; on Debian: apt install valgrind", file=sys.stderr)
            return 1
    found: dict[str, float] = {}
    for name in names:
        found[name] = _counted(name, options.connections, options.moves)
        note(f"{name}: {found[name]:,.0f} instructions a move")
    print(f"{'':16} {'instructions':>12} {'to fan-out':>12}")
    for name, instructions in found.items():
        ratio = f"{instructions / found[FAN_OUT]:.2f}" if FAN_OUT in found else ""
        print(f"{name:16} {instructions:12,.0f} {ratio:>12}")
    return 0


def total(text: str) -> int:
    """The instructions in a file of callgrind. Raises ValueError if it has no total."""
    if not (found := re.search(r"^totals: (\d+)", text, re.MULTILINE)):
        raise ValueError("callgrind has written no total; did the server start?")
    return int(found[1])


def _counted(name: str, connections: int, moves: int) -> float:
    """The instructions of a peer for each move, after as many moves that are not counted."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        python = folder / "python"
        python.write_text(_PYTHON.format(folder=folder, python=sys.executable))
        python.chmod(0o755)
        with started([name], {"": str(python)}, folder, python=str(python)) as [peer]:
            pid = peer.server.process.pid
            answered = _play(peer, pid, connections, moves)
        return total((folder / str(pid)).read_text()) / answered


def _play(peer: Peer, pid: int, connections: int, moves: int) -> int:
    """Play, and count the instructions of the second half. Return the moves in it."""
    crowd = Crowd(peer.seating.seat(peer.server.process.url, connections, _GAMES))
    for player in crowd.players:
        crowd.move(player)
    _play_on(crowd, moves)
    _count(pid, "on")
    crowd.waits.clear()
    _play_on(crowd, moves)
    _count(pid, "off")
    if not (answered := len(crowd.waits)):
        raise Silent("the players had no games left to count; ask for fewer --moves")
    crowd.settle()
    crowd.close()
    return answered


def _play_on(crowd: Crowd, moves: int) -> None:
    """Play ``moves`` moves, or up to the end of the first player's last game, as other loads do."""
    until = len(crowd.waits) + moves
    while len(crowd.waits) < until:
        for player in crowd.poll(_POLL_S):
            if not crowd.move(player):
                return


def _count(pid: int, state: str) -> None:
    command = ["callgrind_control", "-i", state, str(pid)]
    subprocess.run(command, check=True, capture_output=True)


def _parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        "python -m benchmarks.instructions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    add(
        "--peers",
        default="echo,fan-out,json,msgpack,json-small",
        help=f"some of {','.join(_COUNTED)}",
    )
    add("--moves", type=int, default=4_000, help="of each peer (%(default)s)")
    add("--connections", type=int, default=200, help="(%(default)s)")
    return options


if __name__ == "__main__":
    sys.exit(main())
