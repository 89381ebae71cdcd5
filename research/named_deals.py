"""The deals by which hints and analyses are measured, named before anything was tuned.

Deal number n is dealt from the seed that is the number n, in 32 bytes. No deal stands in two sets.
"""

from typing import Final

TUNING: Final = range(1_000_000, 1_100_000)
"""Try a change of hints, house players or analyses on these."""
HINTS: Final = range(2_000_000, 2_000_400)
"""Hints that are followed against the strongest house player, the same deal for both."""
ENDINGS: Final = range(2_100_000, 2_100_200)
"""Hints that are followed come to an end, in each of these in every preset of every game."""
LUCK: Final = range(3_000_000, 3_000_500)
"""The mean luck of the analyses is zero within its error."""
ALIKE: Final = range(4_000_000, 4_000_016)
"""Attempts of simulated people, some of whom know the deal from another attempt."""
