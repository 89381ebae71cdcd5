"""Damage in the store: data of one race that can't be read or contradict each other."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bigben_rules import IllegalMove

_log = logging.getLogger(__name__)


class Damaged(Exception):
    """What lies under a key can't be read, or nothing can be built on it.

    The text is for the operator: the key, and why.
    """

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")


@contextmanager
def reading(key: str) -> Iterator[None]:
    """Raises Damaged for anything that is raised while what lies under ``key`` is decoded."""
    try:
        yield
    except Damaged:
        raise
    # Anything: bytes that are no text, an event of a later version, a move that is not legal.
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else repr(error)
        if isinstance(error, IllegalMove):  # whose text has the whole position, stock and all
            why = error.reason
        raise Damaged(key, why.rstrip(".") or type(error).__name__) from error


class DamageLog:
    """What this process has found damaged. Each is logged once, however often it is
    come across.
    """

    def __init__(self) -> None:
        self._reported: set[str] = set()

    def report(self, damaged: Damaged) -> None:
        """Log it, unless it was logged before."""
        if str(damaged) not in self._reported:
            self._reported.add(str(damaged))
            _log.error("%s. All else goes on; `bigben admin check` lists what is damaged.", damaged)
