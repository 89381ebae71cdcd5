"""Follows the homeserver: what happens is stored with the position of the sync that brought it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final

import msgspec

from bigben_chat.platform import Away, PlatformError
from bigben_chat.requests import OLD_S, Request, Requests
from bigben_chat.store import Store
from bigben_matrix.happenings import (
    Asked,
    Happening,
    Invited,
    Reacted,
    Redacted,
    Replaced,
    Unreacted,
)
from bigben_matrix.homeserver import Batch, Homeserver
from bigben_matrix.rooms import Rooms

_log = logging.getLogger(__name__)

TAKE_BACK_S: Final = 86_400.0
"""For so long a reaction can be taken back."""


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
        run: Callable[[Request[Happening], bool], Awaitable[None]],
        wanted: Callable[[Happening], bool],
        now: Callable[[], datetime],
    ) -> None:
        """``run``: see `Requests`. ``wanted``: whether it has anything to do about this.

        What happens to rooms may be run twice, and means the same then.
        """
        self._homeserver = homeserver
        self._rooms = rooms
        self._store = store
        self._run = run
        self._wanted = wanted
        self._requests = Requests(store, Request[Happening], self._see_to, now)

    async def follow(self) -> None:
        """Obey until cancelled; what runs then is cancelled too. Raises BadToken."""
        async with asyncio.TaskGroup() as tasks:
            self._requests.resume(tasks)
            position = self._store.get("sync", "", Position)
            since, whole = position.since if position else None, True
            while True:
                batch = await self._next(since, whole=whole)
                self.take(batch)
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
                _log.exception("the homeserver does not know this position; what was said is lost")
                since = None

    def take(self, batch: Batch) -> None:
        """Store what a batch brought, and start it."""
        with self._store.transaction():
            for number, happening in enumerate(self._rooms.learn(batch)):
                self._add(f"{batch.next} {number}", self._taken_back(happening))
            self._store.put("sync", "", Position(batch.next))

    def _add(self, key: str, happening: Happening) -> None:
        if isinstance(happening, Asked):
            if self._wanted(happening):
                keep = TAKE_BACK_S if isinstance(happening, Reacted) else OLD_S
                at = happening.at / 1_000
                self._requests.add(happening.event, happening.sender, happening, at=at, keep=keep)
        elif isinstance(happening, Invited | Replaced) or self._wanted(happening):
            self._requests.add(key, happening.room, happening)

    def _taken_back(self, happening: Happening) -> Happening:
        """What a user takes back by deleting their reaction: its own event says it no more."""
        if isinstance(happening, Redacted):
            what = self._requests.get(happening.target)
            if isinstance(what, Reacted) and what.sender == happening.sender:
                about = (happening.room, happening.event, what.sender, what.name, happening.at)
                return Unreacted(*about, what.target, what.key)
        return happening

    async def _see_to(self, request: Request[Happening], again: bool) -> None:
        if isinstance(request.what, Invited | Replaced):
            await self._rooms.enter(request.what)
        else:
            await self._run(request, again)
