"""A position of Big Ben as one line of text, like FEN in chess. Does not count the cards.

The line has six words: the game · its rules · the foundations' tops from one o'clock · the fans
from one o'clock · the waste · the stock, next card first. Cards are joined by ``,`` and fans by
``/``. ``-`` is an empty pile, and ``56?`` a stock of 56 unknown cards:

    bigben standard 6C,7H,8S,… 3D,4D,KH/QS,-/… - 56?
"""

from collections.abc import Sequence
from typing import NamedTuple

from bigben_rules import line
from bigben_rules.bigben.layout import FOUNDATION, HOURS
from bigben_rules.bigben.variants import rules_name
from bigben_rules.cards import Card

NAME = "bigben"


class Fields(NamedTuple):
    """The content of a line, in the order of ``Position``."""

    rules: str
    foundations: tuple[int, ...]
    fans: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]


def write(
    rules: str,
    foundations: Sequence[int],
    fans: Sequence[Sequence[Card]],
    waste: Sequence[Card],
    stock: Sequence[Card],
) -> str:
    """The line for these fields of a position."""
    tops = [FOUNDATION[hour][count - 1] for hour, count in zip(HOURS, foundations, strict=True)]
    clock = "/".join(map(line.pile, fans))
    last = f"{line.pile(waste)} {line.hidden_pile(stock)}"
    return f"{NAME} {rules} {','.join(tops)} {clock} {last}"


def fields(text: str) -> Fields:
    """The fields of a line. Raises ValueError with a sentence that names the field."""
    parts = text.split()
    if len(parts) != 6 or parts[0] != NAME:
        raise ValueError(
            f"a position is six words: {NAME}, rules, foundations, fans, waste and stock"
        )
    _, rules, tops, clock, waste, stock = parts
    fans = tuple(line.cards(fan, "fan") for fan in clock.split("/"))
    if len(fans) != len(HOURS):
        raise ValueError(f"a position has {len(HOURS)} fans, not {len(fans)}")
    turned, left = line.cards(waste, "waste"), line.hidden_cards(stock, "stock")
    return Fields(rules_name(rules), _counts(tops), fans, turned, left)


def _counts(text: str) -> tuple[int, ...]:
    tops = line.cards(text, "foundations")
    if len(tops) != len(HOURS):
        raise ValueError(f"a position has {len(HOURS)} foundations, not {len(tops)}")
    for hour, top in zip(HOURS, tops, strict=True):
        if top not in FOUNDATION[hour]:
            raise ValueError(f"{top} never lies on the foundation at {hour}")
    return tuple(FOUNDATION[hour].index(top) + 1 for hour, top in zip(HOURS, tops, strict=True))
