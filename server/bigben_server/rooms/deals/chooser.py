"""Finds the deals of rooms that ask for one: every process that has such a room looks for it.

The search depends on the seed alone, so all find the same. The first to write it is right, and the
others read what it has written.
"""

import asyncio
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Final

from bigben_protocol import Chosen, RaceId
from bigben_server.race import choosing
from bigben_server.rooms.batch import Batches
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision
from bigben_server.supervisor import Supervisor

MOST_TRIES: Final = 20
AGAIN_S: Final = 0.05
"""How often to try to write a deal into its race, and the time in between."""


@dataclass(slots=True, eq=False)
class Chooser:
    """Chooses the deals of this process's rooms."""

    rooms: MutableMapping[RaceId, Room]
    batches: Batches
    supervisor: Supervisor
    search: Search
    clock: Callable[[], int]
    _under_way: set[RaceId] = field(default_factory=set)

    def see_to(self, room: Room) -> None:
        """Start to look for the deal of a room, if it waits for one. Idempotent."""
        code = room.race.id
        if room.race.choosing_until and code not in self._under_way:
            self._under_way.add(code)
            self.supervisor.start("choosing a deal", self._choose, room)

    async def _choose(self, room: Room) -> None:
        """Find the deal of a live room, and write it unless it was written meanwhile.

        If it is not found, ``timers.tick`` writes that.
        """
        race, seed = room.race, room.race.mixed_seed
        try:
            ms = race.choosing_until - self.clock()
            if found := await self.search.find(seed, race.opened.rules, ms):
                await self._write(race.id, seed, found)
        finally:
            self._under_way.remove(race.id)

    async def _write(self, code: RaceId, seed: bytes, found: Chosen) -> None:
        """In a race that others change too, they may be first; then this tries again."""
        for _ in range(MOST_TRIES):
            await self.batches.settled()
            room = self.rooms.get(code)
            if room is None:
                return  # whoever reads the race next looks for its deal
            if room.stale:
                await asyncio.sleep(AGAIN_S)
                continue
            # If the store has lost the countdown, another one may have other nonces.
            if not room.race.choosing_until or room.race.mixed_seed != seed:
                return
            dealt = room.race.write(choosing.dealt(found, self.clock()))
            self.batches.add(Decision.of(code, None, [dealt]))
