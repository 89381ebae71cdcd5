"""The variants of the rules of Big Ben, and their names."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import product
from typing import Final, Literal, get_args

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


def _name(rules: Rules) -> str:
    for preset, value in PRESETS.items():
        if value == rules:
            return preset
    return f"{rules.refill}-{rules.turn}-{rules.waste}"


RULES: Final[Mapping[str, Rules]] = {
    _name(rules): rules
    for refill, turn, waste in product(get_args(Refill), get_args(Turn), get_args(Waste))
    for rules in (Rules(refill, turn, waste),)
}
"""Every variant by its main name: the preset's, or its three values joined by ``-``."""


def rules_name(wanted: str | Mapping[str, str]) -> str:
    """The main name of the variant with this name, or with these fields and standard for the rest.

    Raises ValueError with a sentence that lists the possible values.

    >>> rules_name("survey"), rules_name({"turn": "always", "waste": "foundations"})
    ('book', 'laps-always-foundations')
    """
    if isinstance(wanted, str):
        if wanted in PRESETS:
            return _name(PRESETS[wanted])
        if wanted in RULES:
            return wanted
        raise ValueError(f"no rules are called {wanted[:40]!r}; there are {', '.join(PRESETS)}")
    for field, value in wanted.items():
        if field not in CHOICES:
            raise ValueError(f"rules have no field {field[:40]!r}; there are {', '.join(CHOICES)}")
        if value not in CHOICES[field]:
            raise ValueError(f"the rules field {field} is one of {', '.join(CHOICES[field])}")
    chosen = {field.name: wanted.get(field.name, field.default) for field in fields(Rules)}
    return next(
        name
        for name, rules in RULES.items()
        if all(getattr(rules, field) == value for field, value in chosen.items())
    )
