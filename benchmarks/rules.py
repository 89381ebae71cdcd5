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

from bigben_rules import GAMES, Game, Move, Position, shuffle
from bigben_rules.game import plain_reading

ROUNDS = 5
LONGEST = 150
"""The most moves in a game; a random game builds back and forth forever."""

STEPS = 500_000


def walk(game: Game, deals: int) -> list[tuple[Position, Move]]:
    """Every position of random play of this many deals, with the move that is made there."""
    chance = random.Random(1)
    played = []
    for n in range(deals):
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
    parser.add_argument("--deals", type=int, default=200, help="of each game (%(default)s)")
    deals = parser.parse_args().deals
    step = best(yardstick) / STEPS
    print(f"random play of {deals} deals; a yardstick step is {step * 1e9:.0f} ns\n")
    columns = (legal_moves, apply, reading, read_plainly)
    names = "".join(f"{measured.__name__:>14}" for measured in columns)
    print(f"{'':<18}{'positions':>10}{'a second':>10}{'steps':>7}{names}")
    for game in GAMES.values():
        played = walk(game, deals)
        each = best(partial(both, played)) / len(played)
        times = [best(partial(measured, played)) / len(played) for measured in columns]
        row = f"{game.name:<18}{len(played):>10,}{1 / each:>10,.0f}{each / step:>7.0f}"
        print(row + "".join(f"{time * 1e6:>14.2f}" for time in times), flush=True)


if __name__ == "__main__":
    main()
