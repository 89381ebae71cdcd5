"""Which games the solver knows, and how many deals of a seed it looks at."""

from typing import Final

CERTIFIED: Final = ("bigben", "grandfathersclock")
"""The games that have a solver, so that their deals can be certified."""
GRADED: Final = ("bigben",)
"""The games whose deals have a grade."""
DEALS: Final = 200
"""How many deals are tried before a race gives up and plays the first."""
