"""When closed clients should reconnect, spread so that thousands do not come at once."""

import random
from collections.abc import Callable
from typing import Final

from bigben_protocol import MOST_RETRY_S, with_retry

FEWEST_S: Final = 1.0
"""The shortest span, even for few clients, because the cause of the close needs time."""
PER_SECOND: Final = 500
"""How many clients return in a second: each is a handshake, a token and its races."""
COME_BACK: Final = frozenset({1011, 1012, 1013})
"""The close codes after which clients reconnect by themselves."""


def reason_with_hint(
    code: int, text: str, connected: int, draw: Callable[[], float] = random.random
) -> str:
    """The reason of a close with this code: the text, and when to come back, if at all.

    ``connected``: how many clients there are, and so how long their returns take. ``draw`` gives
    numbers from 0 to 1.
    """
    if code not in COME_BACK:
        return text
    spread = min(FEWEST_S + connected / PER_SECOND, MOST_RETRY_S)
    return with_retry(text, spread * draw())
