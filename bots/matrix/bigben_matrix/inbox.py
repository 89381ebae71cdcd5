"""Follows the homeserver: what happens is stored with the position of the sync that brought it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

import msgspec

from bigben_chat.happenings import Happening, Invited, Replaced
from bigben_chat.platform import Away, PlatformError
from bigben_chat.requests import Request, Requests
from bigben_chat.store import Store
from bigben_matrix.homeserver import Batch, Homeserver
from bigben_matrix.rooms import Rooms

_log = logging.getLogger(__name__)


class Position(msgspec.Struct, frozen=True):
    """Up to where what happened is stored, under the kind "sync"."""

    since: str


class Inbox:
    """Obeys what users ask, and sees to what happens to rooms."""

    def __init__(
        self,
        homeserver: Homeserver,
        rooms: Rooms,
        store: Store,
        run: Callable[[Request, bool], Awaitable[None]],
        wanted: Callable[[Happening], bool],
        now: Callable[[], datetime],
    ) -> None:
        """Of ``run`` and ``wanted`` see `Requests`. Rooms are joined without them."""
        self._homeserver = homeserver
        self._rooms = rooms
        self._store = store
        self._run = run
        self._requests = Requests(store, self._see_to, wanted, now)

    async def follow(self) -> None:
        """Obey until cancelled; what has begun then is finished. Raises BadToken."""
        async with asyncio.TaskGroup() as tasks:
            self._requests.resume(tasks)
            try:
                await self._take_all()
            finally:
                await self._requests.finish()

    async def _take_all(self) -> None:
        position = self._store.get("sync", "", Position)
        since, whole = position.since if position else None, True
        while True:
            batch = await self._next(since, whole=whole)
            with self._store.transaction():
                self._requests.take(self._rooms.learn(batch))
                self._store.put("sync", "", Position(batch.next))
            since, whole = batch.next, False

    async def _next(self, since: str | None, *, whole: bool) -> Batch:
        while True:
            try:
                return await self._homeserver.sync(since, whole=whole)
            except Away as error:
                _log.warning("%s", error)
            except PlatformError:
                if since is None:
                    raise
                _log.exception("the homeserver knows no such position; what was said is lost")
                since = None

    async def _see_to(self, request: Request, again: bool) -> None:
        if isinstance(request.what, Invited | Replaced):
            await self._rooms.enter(request.what)
        else:
            await self._run(request, again)
