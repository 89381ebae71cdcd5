"""Solves a position of Big Ben."""

from collections.abc import Callable
from random import Random
from typing import Final

from bigben_rules.bigben import Position
from bigben_rules.cards import UNKNOWN
from bigben_solver.big_ben.judging import FOUNDATIONS, USUAL, Weights
from bigben_solver.big_ben.proof import Proof
from bigben_solver.big_ben.search import Beam
from bigben_solver.big_ben.table import STUCK, Table, move_of
from bigben_solver.solution import Solution

SHAPES: Final = ((1, 8), (1, 14), (2, 14), (2, 14), (3, 14), (3, 14), (8, 10))
"""The width and looks of the first beams; the last shape is repeated."""

CHANCE: Final = 6.0
"""How many times as much chance counts in the beams after the first one."""

FIRST_REACHED: Final = 1000
MOST_REACHED: Final = 400_000
"""Positions that the first and the last attempt of a proof look at; between them each looks at
twice as many as the one before. A proof remembers all of them, in up to 300 MB.

Under ``stuck`` about half of the positions are looked at for proofs. Other rules have too many
positions, except near the end of a game."""


def solve(position: Position, *, nodes: int, seed: int, stop: Callable[[], bool]) -> Solution:
    """See ``bigben_solver.solve``."""
    if UNKNOWN in position.stock:
        raise ValueError("the stock is not known, so no line can be found")
    start = Table.of(position)
    rng = Random(seed)
    share = 1 if start.turn == STUCK else 8
    used = proved = 0
    attempt = 0
    while used < nodes and not stop():
        width, looks = SHAPES[min(attempt, len(SHAPES) - 1)]
        weights, order = _varied(rng) if attempt else (USUAL, FOUNDATIONS)
        beam = Beam(start, weights, order, width, looks, rng, nodes - used)
        end = beam.run(stop)
        used += beam.nodes
        attempt += 1
        if end:
            return _won(beam.line(end), used)
        most = min(max(used // share, FIRST_REACHED), nodes - used, MOST_REACHED)
        if most < 2 * proved:
            continue
        proved = most
        proof = Proof(start, most)
        moves = proof.run(stop)
        used += proof.nodes
        if moves is not None:
            return _won(moves, used)
        if proof.lost:
            return Solution("lost", (), used)
    return Solution("unknown", (), used)


def _won(moves: list[int], nodes: int) -> Solution:
    return Solution("won", tuple(map(move_of, moves)), nodes)


def _varied(rng: Random) -> tuple[Weights, bytes]:
    """The weights and the order of the foundations for a beam that looks elsewhere."""
    weights = Weights(*(weight * rng.uniform(0.5, 1.5) for weight in USUAL))
    order = bytes(sorted(FOUNDATIONS, key=lambda _: rng.random()))
    return weights._replace(chance=CHANCE * weights.chance), order
