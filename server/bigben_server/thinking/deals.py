"""Chooses the deals of races, in a process of the pool."""

from typing import cast

from bigben_protocol import Chosen, Grade
from bigben_solver import choosing


def chosen_deal(seed: bytes, game: str, rules: str, grade: Grade) -> Chosen | None:
    """The first deal of a seed that can be won, and has the ``grade`` unless that is empty.

    None if none of the first deals is as wanted.
    """
    found = choosing.choose(seed, game, rules, grade=grade)
    return found and Chosen(found.counter, cast(Grade, found.grade), found.line)
