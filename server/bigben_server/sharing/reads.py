"""Who may ask the store next, of all the players who want to know something."""

from typing import Final

from bigben_server.sharing.turns import Turns

_AT_ONCE: Final = 16
"""Reads under way. The pipelines that are left are for what the server itself has to do."""
_EACH: Final = 8
"""Of them for one address, or player of another issuer."""
MOST_WAITING: Final = 1_000
_FULL: Final = "Too many ask the server just now; ask again in a moment."


def reads() -> Turns:
    """The turns of one server process. No move waits for them."""
    return Turns(at_once=_AT_ONCE, each=_EACH, most_waiting=MOST_WAITING, full=_FULL)
