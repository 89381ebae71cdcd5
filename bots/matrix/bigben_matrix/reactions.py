"""Reactions that the bot sends or takes away: after all else, for nobody waits for them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final

from bigben_chat.platform import PlatformError
from bigben_matrix.edit_rate import EditRate
from bigben_matrix.events import REACTION, reaction
from bigben_matrix.homeserver import Homeserver

_log = logging.getLogger(__name__)

MOST_WAITING: Final = 1000


class Reactions:
    """What waits to be sent, one after the other; a run that ends takes it along."""

    def __init__(self, homeserver: Homeserver, rate: EditRate) -> None:
        self._homeserver = homeserver
        self._rate = rate
        self._waiting: asyncio.Queue[Callable[[], Awaitable[object]]] = asyncio.Queue(MOST_WAITING)

    def offer(self, room: str, event: str, signs: Iterable[str]) -> None:
        """React with these, so that one tap is enough; not where it would delay answers."""

        async def offer(sign: str) -> None:
            if self._rate.has_spare():
                await self._react(room, event, sign)

        for sign in signs:
            self._put(partial(offer, sign))

    def add(self, room: str, event: str, sign: str) -> None:
        """React with this."""
        self._put(partial(self._react, room, event, sign))

    def take_back(self, room: str, reaction: str) -> None:
        """Remove a user's reaction, so that they can react with the same again."""
        self._put(partial(self._homeserver.redact, room, reaction, f"take-{reaction}"))

    async def run(self) -> None:
        """Send what waits until cancelled."""
        while True:
            send = await self._waiting.get()
            try:
                await send()
            except PlatformError as error:
                _log.info("A reaction was not sent: %s", error)

    async def _react(self, room: str, event: str, sign: str) -> None:
        await self._homeserver.send(room, REACTION, reaction(event, sign), f"{event}-{sign}")

    def _put(self, send: Callable[[], Awaitable[object]]) -> None:
        try:
            self._waiting.put_nowait(send)
        except asyncio.QueueFull:
            _log.warning("too many reactions wait; one is left out")
