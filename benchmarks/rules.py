"""Measures how fast the rules of every game are in random play.

    python -m benchmarks.rules [--deals 200]

from the root of the project, installed or with PYTHONPATH=rules. For each position the legal moves
are asked and one of them is applied: that gives positions a second. Next to it is the same time in
steps of a fixed loop of plain Python that is measured in the same run, so it can be compared
between machines. The other columns are microseconds a position. Every time is the best of five
rounds.
"""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from bigben_rules import GAMES, Game, Move, Position, Step, shuffle

ROUNDS = 5
LONGEST = 150
"""The most moves in a game; a random game builds back and forth forever."""

STEPS = 500_000


class Played(NamedTuple):
    """A position, the steps of the move before it (None for a deal), and the move made there."""

    position: Position
    before: tuple[Step, ...] | None
    move: Move


def walk(game: Game, deals: int) -> list[Played]:
    """Every position of random play of this many deals."""
    chance = random.Random(1)
    played = []
    for n in range(deals):
        position = game.deal(shuffle(game.pack, n.to_bytes(32, "big")), "standard")
        steps: tuple[Step, ...] | None = None
        for _ in range(LONGEST):
            moves = position.legal_moves()
            if not moves:
                break
            move = chance.choice(moves)
            played.append(Played(position, steps, move))
            position, steps = position.apply(move)
    return played


def legal_moves(game: Game, played: list[Played]) -> None:
    for position, _, _ in played:
        position.legal_moves()


def apply(game: Game, played: list[Played]) -> None:
    for position, _, move in played:
        position.apply(move)


def both(game: Game, played: list[Played]) -> None:
    for position, _, move in played:
        position.legal_moves()
        position.apply(move)


def reading(game: Game, played: list[Played]) -> None:
    reader = game.reader("standard")
    for position, before, _ in played:
        if before is None:
            reader = game.reader("standard")
        reader.read(position, before or ())


def read_plainly(game: Game, played: list[Played]) -> None:
    for position, _, _ in played:
        position.reading()


def yardstick() -> None:
    """A fixed loop over integers and a list."""
    cells = [0] * 256
    value = 1
    for step in range(STEPS):
        value = (value * 31 + step) & 0xFFFF
        cells[value & 255] = value


def best(measured: Callable[[], None]) -> float:
    """The best time in seconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        measured()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("--deals", type=int, default=200, help="of each game (%(default)s)")
    deals = parser.parse_args().deals
    step = best(yardstick) / STEPS
    print(f"random play of {deals} deals; a yardstick step is {step * 1e9:.0f} ns\n")
    columns = (legal_moves, apply, reading, read_plainly)
    names = "".join(f"{measured.__name__:>14}" for measured in columns)
    print(f"{'':<18}{'positions':>10}{'a second':>10}{'steps':>7}{names}")
    for game in GAMES.values():
        played = walk(game, deals)
        each = best(partial(both, game, played)) / len(played)
        times = [best(partial(measured, game, played)) / len(played) for measured in columns]
        row = f"{game.name:<18}{len(played):>10,}{1 / each:>10,.0f}{each / step:>7.0f}"
        print(row + "".join(f"{time * 1e6:>14.2f}" for time in times), flush=True)


if __name__ == "__main__":
    main()
