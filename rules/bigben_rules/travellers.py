"""Travellers: Clock with the piles in a row, and a talon that is turned first.

Four laps are dealt from left to right to the piles of ace … queen. The last four cards are the
talon, under which the kings go.
"""

from typing import Final

from bigben_rules.clock_kind import PILES, SIZE, ClockKind, Setup, reserve
from bigben_rules.description import Slot
from bigben_rules.position import HAND

ROW: Final = PILES[:12]
TALON: Final = PILES[12]

TRAVELLERS: Final = ClockKind(
    Setup("travellers", ROW * SIZE + (TALON,) * SIZE, first=TALON),
    (
        *(reserve(pile, "row", at, fans="down") for at, pile in enumerate(ROW, 1)),
        reserve(TALON, "row", 1, 2, fans="down"),
        Slot(HAND, "hand", "row", 2, 2),
    ),
)
