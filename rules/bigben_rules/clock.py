"""Clock (Sundial, Four of a Kind, Hunt, Hidden Cards): thirteen piles on a dial, and no choice.

Cards are dealt to the hours and the centre, and the top of the centre is turned first. Each
exposed card goes under the pile of its rank, jacks at eleven, queens at twelve, kings in the
centre, and the top of that pile is exposed next. The fourth king ends the game, which is won if the
king is the last card that was face down: once in thirteen deals.
"""

from typing import Final

from bigben_rules.clock_kind import PILES, SIZE, ClockKind, Setup, reserve
from bigben_rules.description import Slot
from bigben_rules.position import HAND

HOURS: Final = PILES[:12]
CENTRE: Final = PILES[12]

DEALS: Final = (HOURS[11], *HOURS[:11], CENTRE) * SIZE
"""One lap after the other: clockwise from 12, then the centre."""

DIAL: Final = (
    *(reserve(pile, "outer", hour, fans="out", label=pile) for hour, pile in enumerate(HOURS, 1)),
    reserve(CENTRE, "centre", 1, fans=""),
    Slot(HAND, "hand", "centre", 2),
)

CLOCK: Final = ClockKind(Setup("clock", DEALS, first=CENTRE), DIAL)
