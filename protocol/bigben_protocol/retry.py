"""How a close says when to come back: its reason ends with ``; retry in 2.5 s``. Waits for nothing.

It spreads those who were sent away together. A client waits at least so long, and a random time of
its own besides.
"""

import re
from typing import Final

LONGEST_REASON: Final = 123
"""Bytes that a close frame has room for."""
MOST_RETRY_S: Final = 60.0
"""A hint of more counts as this: nobody is sent away for a day."""
# ASCII digits alone: \d would take those of every script.
_HINT: Final = re.compile(r"[.;]? ?\bretry in ([0-9]{1,9}(?:\.[0-9]{1,9})?) s$")


def with_retry(reason: str, seconds: float) -> str:
    """The reason with the hint behind it; the reason is cut where both would not fit."""
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
