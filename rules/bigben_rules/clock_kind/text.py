"""A position of the Clock kind as one line of text. Does not check which cards lie where.

The line has six words: the game · its rules · the exposed card · the tucked cards of each pile,
aces first · the face-down cards of each pile · how often the deciding card may still be exchanged.
Cards are joined by ``,``, from the bottom, and piles by ``/``. ``-`` is an empty pile or no exposed
card, and ``3?`` stands for three unknown cards:

    watch standard 7H -/-/-/-/-/-/-/-/-/-/-/-/- 4?/4?/4?/4?/4?/4?/4?/4?/4?/4?/4?/4?/3? 1
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bigben_rules import line
from bigben_rules.cards import RANKS, Card
from bigben_rules.variants import Variants

VARIANTS: Final = Variants(choices={}, presets={"standard": ()})
"""There is no choice of rules."""


class Fields(NamedTuple):
    """The content of a line, in the order of ``Position``."""

    tucked: tuple[tuple[Card, ...], ...]
    down: tuple[tuple[Card, ...], ...]
    hand: Card | None
    swaps: int


def write(
    name: str,
    hand: Card | None,
    tucked: Sequence[Sequence[Card]],
    down: Sequence[Sequence[Card]],
    swaps: int,
) -> str:
    """The line for these fields of a position."""
    under, above = "/".join(map(line.pile, tucked)), "/".join(map(line.hidden_pile, down))
    return f"{name} {VARIANTS.name({})} {hand or '-'} {under} {above} {swaps}"


def fields(name: str, text: str) -> Fields:
    """The fields of a line of that game. Raises ValueError with a sentence that names the field."""
    parts = text.split()
    if len(parts) != 6 or parts[0] != name:
        raise ValueError(
            f"a position is six words: {name}, rules, exposed card, tucked cards, face-down cards "
            "and exchanges"
        )
    _, rules, hand, tucked, down, swaps = parts
    VARIANTS.name(rules)
    if not (swaps.isascii() and swaps.isdigit() and len(swaps) == 1):
        raise ValueError("the exchanges in a position are a number, like 1")
    exposed = line.cards(hand, "exposed card")
    if len(exposed) > 1:
        raise ValueError(f"a position has one exposed card, not {len(exposed)}")
    return Fields(
        tuple(line.cards(pile, "tucked cards") for pile in _piles(tucked, "tucked cards")),
        tuple(line.hidden_cards(pile, "pile") for pile in _piles(down, "face-down cards")),
        exposed[0] if exposed else None,
        int(swaps),
    )


def _piles(text: str, what: str) -> list[str]:
    piles = text.split("/")
    if len(piles) != len(RANKS):
        raise ValueError(f"a position has {what} of {len(RANKS)} piles, not of {len(piles)}")
    return piles
