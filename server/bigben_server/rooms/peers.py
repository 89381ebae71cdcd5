"""What the other server processes tell of the races that are held here. Tells them nothing."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping

from bigben_protocol import RaceId
from bigben_server.rooms.loader import Loader, take
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Session
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.pubsub import PeerUpdate, PubSub
from bigben_server.tasks import not_cancelled

_log = logging.getLogger(__name__)

_RETRY_S = 0.2

Lost = Callable[[StoreLost, Iterable[Session]], None]
"""Told when Redis is away, with the sessions whose messages have come to nothing."""


class PeerSync:
    """Keeps what is held true; what can't be kept true is stale, and ``reread`` is told."""

    def __init__(
        self,
        wire: PubSub,
        reader: Loader,
        held: Mapping[RaceId, Room],
        *,
        reread: Callable[[RaceId], None],
        changed: Callable[[Room], None],
        lost: Lost,
    ) -> None:
        self._wire = wire
        self._loader = reader
        self._held = held
        self._reread = reread
        self._changed = changed
        self._lost = lost

    async def listen(self) -> None:
        """Hear what other processes tell; where some of it may be lost, have it read again."""
        while not_cancelled():
            try:
                async for update in self._wire.updates():
                    self.hear(update)
            except StoreLost as error:
                self._lost(error, [])
            while not_cancelled():
                try:
                    await self._wire.again()
                    break
                except StoreLost:
                    await asyncio.sleep(_RETRY_S)
            for race, held in self._held.items():
                held.stale = True
                self._reread(race)

    def hear(self, update: PeerUpdate) -> None:
        """Another process committed this; tell those who follow the race here."""
        held = self._held.get(update.race)
        if self._loader.hear(update) or held is None:
            return
        try:
            self._take(held, update)
        except Exception:
            # Half of it may be folded. What is durable counts; whether that fits, reading it shows.
            _log.exception("what another process tells of race %s does not fit", update.race)
            held.stale = True
            self._reread(update.race)

    def _take(self, held: Room, update: PeerUpdate) -> None:
        if held.stale or not take(held.race, update, held.note_behind):
            held.stale = True
        if held.stale or held.behind:
            self._reread(update.race)
        else:
            self._changed(held)

    async def look(self) -> None:
        """Ask Redis for news of live races where nothing has come for long; called now and then.

        Others may have told of something that nobody here heard.
        """
        quiet = [
            held
            for held in self._held.values()
            if held.quiet and held.race.live and not held.race.ended and held.subscribers
        ]
        for held in self._held.values():
            held.quiet = True
        await asyncio.gather(*map(self._look_at, quiet))

    async def _look_at(self, held: Room) -> None:
        try:
            self.hear(await self._loader.news(held.race, held.race.seats))
        except StoreLost as error:
            self._lost(error, [])
        except Damaged:
            held.stale = True
            self._reread(held.race.id)
