"""Waiting until something has happened, instead of sleeping."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tests.support.patience import PATIENCE_S

Found = TypeVar("Found")


class Changes:
    """Wakes waiting tests whenever anything in the stand-in has changed."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()

    def notify(self) -> None:
        """Something has changed."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def until(self, look: Callable[[], Found | None], what: str) -> Found:
        """What ``look`` finds once it is something. Raises AssertionError when it never is."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    changed = self._changed
                    found = look()
                    if found:
                        return found
                    await changed.wait()
        except TimeoutError:
            raise AssertionError(f"it never came to this: {what}") from None
