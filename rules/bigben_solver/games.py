"""Which games the solver knows."""

from typing import Final

CERTIFIED: Final = frozenset({"bigben", "grandfathersclock"})
"""The games whose deals can be certified."""
GRADED: Final = frozenset({"bigben"})
"""The games whose deals have a grade."""
