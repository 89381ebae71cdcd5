"""Chooses the deals of races, in a process of the pool."""

import time
from typing import Final, cast

from bigben_protocol import Chosen, Grade
from bigben_solver import choosing
from bigben_solver.games import DEALS

STEP_S: Final = 1.0
"""How long one question looks for a deal: then the others who wait have their turn."""


def as_chosen(found: choosing.Chosen) -> Chosen:
    """What the solver has found, as it is stored and told."""
    return Chosen(found.counter, cast(Grade, found.grade), found.line, choosing.VERSION)


def chosen_deal(
    seed: bytes, game: str, rules: str, grade: Grade, deals: int = 0, step_s: float = STEP_S
) -> Chosen | int:
    """The first deal of a seed that can be won, and has the ``grade`` unless that is empty.

    The first ``deals`` are known not to be as wanted. If the next ones are not either, it is how
    many are ruled out after about ``step_s`` seconds.
    """
    until = time.monotonic() + step_s
    while deals < DEALS:
        if found := choosing.tried(seed, deals, game, rules, grade=grade):
            return as_chosen(found)
        deals += 1
        if time.monotonic() >= until:
            break
    return deals
