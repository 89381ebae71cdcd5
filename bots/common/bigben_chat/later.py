"""What a bot sends when it can: nobody waits for it."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bigben_chat.edit_queue import EditQueue
from bigben_chat.platform import PlatformError

_log = logging.getLogger(__name__)

MOST_WAITING: Final = 100


class Later:
    """What waits to be sent, in each room one after another.

    It is lost with the bot, or where too much waits in its room.
    """

    def __init__(self) -> None:
        self._queue = EditQueue(every=0.0)

    def put(self, room: str, send: Callable[[], Awaitable[object]]) -> None:
        """Call this once its turn comes in the room."""

        async def job() -> None:
            try:
                await send()
            except PlatformError as error:
                _log.info("something that nobody waits for was not sent: %s", error)

        if self._queue.waiting(room) < MOST_WAITING:
            self._queue.ask(room, job, job)
        else:
            _log.warning("too much waits to be sent in %s; this is left out: %s", room, send)

    async def close(self) -> None:
        """Send nothing from now on."""
        await self._queue.close()
