"""Measures how fast the rules are in random play.

    python -m benchmarks.rules [--games 200]

from the root of the project, installed or with PYTHONPATH=rules. Every time is the best of five
rounds. The last column is the same time in steps of a fixed loop of plain Python that is measured
in the same run, so it can be compared between machines.
"""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial

from bigben_rules import Move, Position, game_named, shuffle
from bigben_rules.game import plain_reading

ROUNDS = 5
LONGEST = 150
"""The most moves in a game; a random game builds back and forth forever."""

STEPS = 500_000


def walk(games: int) -> list[tuple[Position, Move]]:
    """Every position of this many random games, with the move that is made there."""
    game = game_named("bigben")
    chance = random.Random(1)
    played = []
    for n in range(games):
        position = game.deal(shuffle(game.pack, n.to_bytes(32, "big")), "standard").followed()
        for _ in range(LONGEST):
            moves = position.legal_moves()
            if not moves:
                break
            move = chance.choice(moves)
            played.append((position, move))
            position, _ = position.apply(move)
    return played


def legal_moves(played: list[tuple[Position, Move]]) -> None:
    for position, _ in played:
        position.legal_moves()


def apply(played: list[tuple[Position, Move]]) -> None:
    for position, move in played:
        position.apply(move)


def both(played: list[tuple[Position, Move]]) -> None:
    for position, move in played:
        position.legal_moves()
        position.apply(move)


def reading(played: list[tuple[Position, Move]]) -> None:
    for position, _ in played:
        position.reading()


def read_plainly(played: list[tuple[Position, Move]]) -> None:
    for position, _ in played:
        plain_reading(position)


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
    parser.add_argument("--games", type=int, default=200, help="random games (%(default)s)")
    games = parser.parse_args().games
    played = walk(games)
    step = best(yardstick) / STEPS
    print(f"{len(played)} moves of {games} random games; a yardstick step is {step * 1e9:.0f} ns")
    print(f"\n{'':<22}{'a second':>12}{'us each':>10}{'steps':>8}")
    for name, measured in (
        ("legal_moves", legal_moves),
        ("apply", apply),
        ("both", both),
        ("reading", reading),
        ("plain reading", read_plainly),
    ):
        each = best(partial(measured, played)) / len(played)
        print(f"{name:<22}{1 / each:>12,.0f}{each * 1e6:>10.2f}{each / step:>8.0f}")


if __name__ == "__main__":
    main()
