"""When disconnected clients should come back: spread, so that thousands do not come at once."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from bigben_protocol import MOST_RETRY_S, with_retry

FEWEST_S: Final = 1.0
"""The shortest span of returns, even of few clients: the cause of the close needs time too."""
PER_SECOND: Final = 500
"""Clients that one process takes back a second: each is a handshake, a token and its races."""
COME_BACK: Final = frozenset({1011, 1012, 1013})
"""The codes of closes after which clients come back by themselves."""


class RetryHints:
    """How many are connected, and so over how long their returns are spread."""

    def __init__(self, draw: Callable[[], float] = random.random) -> None:
        """``draw`` gives numbers from 0 to 1."""
        self._draw = draw
        self._connected = 0

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """A peer is connected as long as this is entered."""
        self._connected += 1
        try:
            yield
        finally:
            self._connected -= 1

    def reason(self, code: int, text: str) -> str:
        """The reason of a close with this code: the text, and when to come back, if at all."""
        if code not in COME_BACK:
            return text
        spread = min(FEWEST_S + self._connected / PER_SECOND, MOST_RETRY_S)
        return with_retry(text, spread * self._draw())
