"""Measures what the pictures of chat bots cost, and how large they are.

    python -m benchmarks.pictures [--rounds 5]

from the root of the project. For each game a picture of the deal, one of the middle and one of the
end of a random game are drawn; then a race of eight and the card of a result. CPU is the time that
Linux counts for the process, in milliseconds a picture: its pieces are drawn before, as they are in
a bot that runs. Next to it is the same time as a multiple of what the file alone costs: choosing
the colours of the finished picture and packing them.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from random import Random
from typing import Final

from PIL import Image
from tools.draw_board import draw

from bigben_chat.picture.files import png
from bigben_chat.picture.results import RacePicture, Racer, ShareCard
from bigben_rules import GAMES, Position, Step, shuffle

MOMENTS: Final = (0, 40, 150)
"""After so many moves; a shorter game has its end instead."""


def boards() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """By game and moves, what draws a board."""
    for name, game in GAMES.items():
        chance = Random(1)
        position: Position = game.deal(shuffle(game.pack, chance.randbytes(32)), "standard")
        last: tuple[Step, ...] = ()
        for moves in range(MOMENTS[-1] + 1):
            legal = position.legal_moves()
            if moves in MOMENTS or not legal:
                yield f"{name}, {moves} moves", partial(draw, name, position, last)
            if not legal:
                break
            position, last = position.apply(chance.choice(legal))


def results() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """What draws pictures of results."""
    racers = [Racer(f"Player {at}", 104 - 9 * at, "move 57", at + 1) for at in range(8)]
    for players in (4, 8):
        race = RacePicture("Race K7QPXM", "Big Ben", 104, racers[:players])
        yield f"race of {players}", race.png
    hours = [(5, 8), *[(7, 9)] * 8, *[(8, 8)] * 3]
    card = ShareCard("Big Ben K7QPXM", "2nd of 4", "Ada · 22:51.7", 85, 104, "of 104", hours)
    yield "card of a result", card.png


def packing(data: bytes) -> Callable[[], bytes]:
    """What makes the file of a finished picture."""
    image = Image.open(BytesIO(data)).convert("RGBA")
    clear = image.getchannel("A").point([255] * 128 + [0] * 128)
    return partial(png, image.convert("RGB"), clear)


def best(drawn: Callable[[], object], rounds: int) -> float:
    """The least CPU of all rounds, in ms."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        drawn()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of each picture (%(default)s)")
    rounds = parser.parse_args().rounds
    print(f"{'':<32}{'kB':>6}{'first ms':>10}{'ms':>8}{'of the file':>13}")
    for name, drawn in (*boards(), *results()):
        first = best(drawn, 1)
        usual, data = best(drawn, rounds), drawn()
        file = best(packing(data), rounds)
        figures = f"{len(data) / 1000:>6.0f}{first:>10.0f}{usual:>8.1f}{usual / file:>13.2f}"
        print(f"{name:<32}{figures}", flush=True)


if __name__ == "__main__":
    main()
