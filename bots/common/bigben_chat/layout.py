"""The layout of Big Ben: its hours and foundations, as a picture needs them."""

from collections.abc import Mapping
from typing import Final

HOURS: Final = (12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""The hours clockwise from twelve."""

FAN_SIZE: Final = 3
"""A fan with fewer cards has gaps."""

TOTAL: Final = 104
"""Cards on the foundations when all is home."""

FIRST_AND_LAST: Final[Mapping[int, tuple[str, str]]] = {
    12: ("5D", "QD"), 1: ("6C", "AC"), 2: ("7H", "2H"), 3: ("8S", "3S"), 4: ("9D", "4D"),
    5: ("10C", "5C"), 6: ("JH", "6H"), 7: ("QS", "7S"), 8: ("KD", "8D"), 9: ("2C", "9C"),
    10: ("3H", "10H"), 11: ("4S", "JS"),
}  # fmt: skip
"""The card that each hour's foundation starts with, and the one that completes it."""


def size(hour: int) -> int:
    """How many cards are on the foundation of this hour when it is complete."""
    return 8 if hour >= 9 else 9


def fan(hour: int) -> str:
    """The name of an hour's fan in moves and views."""
    return str(hour)


def foundation(hour: int) -> str:
    """The name of an hour's foundation in moves and views."""
    return f"f{hour}"


STOCK: Final = "s"
WASTE: Final = "w"
