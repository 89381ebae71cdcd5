"""A house player: a name, a strength, and what it does with what it sees."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal, get_args

from bigben_rules import Move

Plan = tuple[Move, ...]
"""Moves to make one after another, each legal then; empty to resign."""

Strength = Literal["beginner", "casual", "steady", "sharp", "master"]
"""How well a house player plays; the text ``house.STRENGTH`` says it to people."""

STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)
"""Weakest first."""


@dataclass(frozen=True, slots=True)
class HousePlayer:
    """One strength of one game."""

    name: str
    """A name to show, which is the same in every language and in every game."""
    key: Strength
    plan: Callable[[Any, Random], Plan]
    """Any is the Position of the player's own game. A plan goes on to the next new card, or it
    brings more cards home. The same position and chance give the same plan, whatever cards lie face
    down. The work for a plan is bounded by a number of positions, never by time."""


NAMES: Final[dict[Strength, str]] = {
    "beginner": "Pip",
    "casual": "Tick",
    "steady": "Tock",
    "sharp": "Quartz",
    "master": "Ben",
}
"""In every game and every language."""


def house_player(key: Strength, plan: Callable[[Any, Random], Plan]) -> HousePlayer:
    """The house player of that strength, with its name."""
    return HousePlayer(NAMES[key], key, plan)
