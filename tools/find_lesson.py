"""Finds a deal of Big Ben for the lesson, in which all there is to learn comes up in order.

Run it from the root of the project with ``python -m tools.find_lesson [FIRST [COUNT]]``: it prints
each seed from FIRST on whose deal fits, and the moves of the lesson.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Final

from bigben_rules import GAMES, Position, shuffle
from bigben_rules.bigben.moves import FAN, HOME, REFILL, TURN
from bigben_rules.position import WASTE, Move

GAME: Final = GAMES["bigben"]
FANS: Final = frozenset(FAN.values())
HOMES: Final = frozenset(HOME.values())

Moves = tuple[Move, ...]


def lessons(position: Position) -> Iterator[Moves]:
    """Each way through the lesson: two cards of one suit go home after each other, a build frees a
    third one, the refill lets none go home, and the two cards that are turned next go home and on a
    fan."""
    for first in plays(position):
        for second in plays(after(position, first)):
            if second.target != first.target or second.source == first.source:
                continue
            yield from _from_build(after(position, first, second), (first, second))


def _from_build(position: Position, before: Moves) -> Iterator[Moves]:
    for build in builds(position):
        for freed in plays(after(position, build)):
            if freed.source != build.source or plays(after(position, build, freed)):
                continue
            if _is_free(position, build, before):
                yield from _from_stock(after(position, build, freed), (*before, build, freed))


def _is_free(position: Position, build: Move, before: Moves) -> bool:
    """Whether the build comes from a fan that the first moves left alone."""
    used = {move.source for move in before}
    return build.source not in used and len(position.pile(build.target).up) == 3


def _from_stock(position: Position, before: Moves) -> Iterator[Moves]:
    filled = after(position, REFILL)
    turned = after(filled, TURN)
    if plays(filled) or [move.source for move in plays(turned)] != [WASTE]:
        return
    (home,) = plays(turned)
    again = after(turned, home)
    if plays(again) or plays(after(again, TURN)):
        return
    for build in builds(after(again, TURN)):
        if build.source == WASTE:
            yield (*before, REFILL, TURN, home, TURN, build)


def plays(position: Position) -> list[Move]:
    """The moves to foundations."""
    return [move for move in position.legal_moves() if move.target in HOMES]


def builds(position: Position) -> list[Move]:
    """The moves to fans."""
    return [move for move in position.legal_moves() if move.target in FANS]


def after(position: Position, *moves: Move) -> Position:
    """The position after these moves."""
    for move in moves:
        position, _ = position.apply(move)
    return position


def seed(number: int) -> bytes:
    """A seed as short as can be."""
    return number.to_bytes(32, "big")


def main(arguments: Sequence[str]) -> None:
    """Print what is found."""
    first, count = (*map(int, arguments), *(0, 100_000)[len(arguments) :])
    for number in range(first, first + count):
        position = GAME.deal(shuffle(GAME.pack, seed(number)), "standard")
        for moves in lessons(position):
            print(seed(number).hex(), ", ".join(map(position.format, moves)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
