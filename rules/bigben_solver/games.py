"""Which games the solver knows, and how many deals of a seed it looks at."""

from typing import Final

CERTIFIED: Final = frozenset({"bigben", "grandfathersclock"})
"""The games whose deals can be certified."""
GRADED: Final = frozenset({"bigben"})
"""The games whose deals have a grade."""
DEALS: Final = 200
"""After so many deals a race gives up and plays the first."""
