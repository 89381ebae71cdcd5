"""The variants of the rules of Big Ben, and their names."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, get_args

from bigben_rules.variants import Variants

Refill = Literal["laps", "fans"]
Turn = Literal["no_gaps", "stuck", "always"]
Waste = Literal["playable", "foundations"]


@dataclass(frozen=True, slots=True)
class Rules:
    """A variant of the rules; it is part of a race's identity."""

    refill: Refill = "laps"
    """``laps``: a card to each short fan, lap after lap (Wikipedia, PySolFC).
    ``fans``: one fan filled, then the next (the book, the survey)."""
    turn: Turn = "no_gaps"
    """When a card may be turned. ``no_gaps``: if no fan is short (PySolFC). ``stuck``: if no fan is
    short and nothing can be played or built (the book, the survey). ``always`` (the rules site)."""
    waste: Waste = "playable"
    """Where the waste's top may go: ``playable``, to foundations and fans; ``foundations``."""


PRESETS: Final[Mapping[str, Rules]] = {
    "standard": Rules(),
    "book": Rules(refill="fans", turn="stuck"),
    "survey": Rules(refill="fans", turn="stuck"),
    "open": Rules(turn="always"),
}
"""The variants with a name; ``survey`` is an alias of ``book``."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "refill": get_args(Refill),
    "turn": get_args(Turn),
    "waste": get_args(Waste),
}


VARIANTS: Final = Variants(
    CHOICES, {name: (rules.refill, rules.turn, rules.waste) for name, rules in PRESETS.items()}
)

RULES: Final[Mapping[str, Rules]] = {
    VARIANTS.name({"refill": refill, "turn": turn, "waste": waste}): Rules(refill, turn, waste)
    for refill, turn, waste in product(get_args(Refill), get_args(Turn), get_args(Waste))
}
"""Every variant by its main name: the preset's, or its three values joined by ``-``."""

rules_name: Final = VARIANTS.name
