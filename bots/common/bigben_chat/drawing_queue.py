"""Pictures are drawn beside the event loop, one at a time."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

Drawn = TypeVar("Drawn")


class DrawingQueue:
    """The one thread that draws.

    While it draws, others are answered. Several of them would leave the event loop too little, and
    answers would come too late.
    """

    def __init__(self) -> None:
        self._one = asyncio.Semaphore(1)

    async def drawn(self, draw: Callable[[], Drawn]) -> Drawn:
        """What ``draw`` returns."""
        async with self._one:
            return await asyncio.to_thread(draw)
