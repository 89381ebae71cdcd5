"""The hint in a close reason that says when to reconnect: ``; retry in 2.5 s``.

The server varies it, so that clients whose connections closed together do not return together. A
client must wait at least that long, and then for a random time of its own.
"""

import re
from typing import Final

LONGEST_REASON: Final = 123
"""The most bytes that a close frame can hold as a reason."""
MOST_RETRY_S: Final = 60.0
"""A longer hint counts as this, so that no client stays away for a day."""
# Only ASCII digits: \d would match the digits of every script.
_HINT: Final = re.compile(r"[.;]? ?\bretry in ([0-9]{1,9}(?:\.[0-9]{1,9})?) s$")


def with_retry(reason: str, seconds: float) -> str:
    """The reason followed by the hint; the reason is cut if both do not fit."""
    hint = f"; retry in {seconds:.1f} s"
    room = LONGEST_REASON - len(hint)
    return reason.rstrip(".").encode()[:room].decode(errors="ignore") + hint


def retry_in(reason: str) -> tuple[str, float]:
    """The reason without its hint, and how many seconds to wait at least; 0 without a hint.

    >>> retry_in("The server restarts; retry in 2.5 s")
    ('The server restarts', 2.5)
    """
    found = _HINT.search(reason)
    if not found:
        return reason, 0.0
    return reason[: found.start()], min(float(found[1]), MOST_RETRY_S)
