"""What a bot sends when it can, one after another: nobody waits for it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bigben_chat.platform import PlatformError

_log = logging.getLogger(__name__)

MOST_WAITING: Final = 1000


class Later:
    """What waits to be sent. It is lost with the bot, or where too much waits."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[Callable[[], Awaitable[object]]] = asyncio.Queue(MOST_WAITING)

    def put(self, send: Callable[[], Awaitable[object]]) -> None:
        """Call this once its turn comes."""
        try:
            self._waiting.put_nowait(send)
        except asyncio.QueueFull:
            _log.warning("too much waits to be sent; this is left out: %s", send)

    async def run(self) -> None:
        """Send what waits until cancelled."""
        while True:
            send = await self._waiting.get()
            try:
                await send()
            except PlatformError as error:
                _log.info("something that nobody waits for was not sent: %s", error)
