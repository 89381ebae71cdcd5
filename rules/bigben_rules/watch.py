"""Watch: Clock with one decision.

When the fourth king is exposed for the first time, the player exchanges it for any one face-down
card: the king takes its place, face down, and the card is exposed instead. When the king is exposed
again with cards face down, the game is lost.
"""

from typing import Final

from bigben_rules.clock import CENTRE, DEALS, DIAL
from bigben_rules.clock_kind import ClockKind, Setup

WATCH: Final = ClockKind(Setup("watch", DEALS, first=CENTRE, swaps=1), DIAL)
