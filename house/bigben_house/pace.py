"""How long a house player waits before a move, like a person who looks at the cards."""

from collections.abc import Mapping
from random import Random
from typing import Final

from bigben_protocol import Rules, View

_USUAL_S: Final[Mapping[str, float]] = {
    "beginner": 3.2,
    "casual": 2.6,
    "steady": 2.2,
    "sharp": 1.8,
    "master": 1.5,
}
"""Seconds for a usual move, by strength."""
_SHORTEST: Final = 0.25
_LONGEST: Final = 4.0
"""Bounds of a wait, in usual moves."""
_PLANS: Final = 1.8
"""Before the first move of a plan there is more to look at."""
_HOME: Final = 0.6
"""A card that goes home is quickly seen."""
_EACH_CARD: Final = 0.004
"""How much more each card that lies open takes."""
HURRY: Final = 0.1
"""The pace when no human plays any more: the finished players wait for the result."""
_ROOM_MS: Final = 900_000
"""A race with a shorter limit is played faster, in proportion."""


def wait_s(
    strength: str, view: View, rules: Rules, move: str, rng: Random, *, plans: bool
) -> float:
    """Seconds before this move, from what the player sees, and from chance.

    ``plans``: it is the first move of a plan.
    """
    open_cards = sum(len(pile.up) for pile in view.piles.values())
    wait = rng.lognormvariate(0, 0.45) * (1 + _EACH_CARD * open_cards)
    if plans:
        wait *= _PLANS
    if move.partition(" ")[2].startswith("f"):
        wait *= _HOME
    fast = min(1.0, rules.limit_ms / _ROOM_MS) if rules.limit_ms else 1.0
    return _USUAL_S[strength] * fast * min(max(wait, _SHORTEST), _LONGEST)
