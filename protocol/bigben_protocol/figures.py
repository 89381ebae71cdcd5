"""The figures of an analysis for people: chances, numbers of cards, and curves of one line."""

from collections.abc import Sequence
from typing import Final

CERTAIN: Final = 10_000
"""The chance of what is certain."""
CARD: Final = 100
"""One card."""
HEIGHTS: Final = "▁▂▃▄▅▆▇█"


def percent(chance: int, point: str) -> str:
    """A chance; ``point`` stands before decimals in the player's language.

    >>> percent(340, "."), percent(5_700, ".")
    ('3.4 %', '57 %')
    """
    value = 100 * chance / CERTAIN
    return f"{value:.1f} %".replace(".", point) if abs(value) < 10 else f"{value:.0f} %"


def cards(count: int, point: str) -> str:
    """A number of cards, with a tenth: ``38.5``."""
    return f"{count / CARD:.1f}".replace(".", point)


def signed(chance: int, point: str) -> str:
    """A difference of chances, with its sign."""
    return f"{'+' if chance > 0 else ''}{percent(chance, point)}"


def signed_cards(count: int, point: str) -> str:
    """A difference of cards, with its sign."""
    return f"{'+' if count > 0 else ''}{cards(count, point)}"


def curve(values: Sequence[int], most: int, width: int, heights: str = HEIGHTS) -> str:
    """A curve from 0 to ``most``, of at most ``width`` characters; ``heights`` are its characters.

    >>> curve([0, 5, 10], 10, 60)
    '▁▅█'
    >>> curve([0, 5, 10], 10, 60, "_.-=+*%#")
    '_+#'
    """
    wide = min(width, len(values))
    shown = (values[at * (len(values) - 1) // max(wide - 1, 1)] for at in range(wide))
    levels = (int((len(heights) - 1) * value / most + 0.5) for value in shown)
    return "".join(heights[min(max(level, 0), len(heights) - 1)] for level in levels)
