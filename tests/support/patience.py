"""How long a test waits for something that has to come."""

from typing import Final

PATIENCE_S: Final = 40.0
"""Long enough for anything on a slow machine."""
