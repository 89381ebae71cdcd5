"""How long a test waits for something that must happen."""

from typing import Final

PATIENCE_S: Final = 40.0
"""Long enough for every wait on a slow machine."""
