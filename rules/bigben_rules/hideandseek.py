"""Hide-and-Seek (Verstecken): Travellers that begins at the aces and ends with the fourth ace.

The thirteen piles lie in two rows, seven above and six below, and are dealt in four laps.
"""

from typing import Final

from bigben_rules.clock_kind import PILES, SIZE, ClockKind, Setup, reserve
from bigben_rules.description import Slot
from bigben_rules.position import HAND

ABOVE: Final = PILES[:7]
BELOW: Final = PILES[7:]

HIDE_AND_SEEK: Final = ClockKind(
    Setup("hideandseek", PILES * SIZE, first=PILES[0]),
    (
        *(reserve(pile, "row", at, 1, fans="down") for at, pile in enumerate(ABOVE, 1)),
        *(reserve(pile, "row", at, 2, fans="down") for at, pile in enumerate(BELOW, 1)),
        Slot(HAND, "hand", "row", len(ABOVE), 2),
    ),
)
