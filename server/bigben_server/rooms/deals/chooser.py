"""Finds the deals of rooms that ask for one: every process that has such a room looks for it.

The search depends on the seed alone, so all find the same. The first to write it is right, and the
others read what it has written. Which deals are ruled out is written too, so that a process
that takes over goes on from there.
"""

import asyncio
from dataclasses import dataclass, field

from bigben_protocol import Chosen, RaceId
from bigben_server.race import choosing
from bigben_server.race.decisions import Decision
from bigben_server.race.events import RoomAppend, RoomEvent, version_of
from bigben_server.race.state import Race
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.registry import AGAIN_S, Rooms
from bigben_server.rooms.room import Room


@dataclass(slots=True, eq=False)
class Chooser:
    """Chooses the deals of this process's rooms."""

    rooms: Rooms
    search: Search
    _under_way: set[RaceId] = field(default_factory=set)

    def start(self, room: Room) -> list[RoomAppend]:
        """Start to look for the deal of a room, if it waits for one. Idempotent.

        If no process has looked for it, its time begins again: they may all have been killed.
        """
        race, now = room.race, self.rooms.clock()
        if not race.choosing_until or race.id in self._under_way:
            return []
        self._under_way.add(race.id)
        self.rooms.supervisor.start("choosing a deal", self._choose, race)
        unattended = now - race.searched.at >= choosing.UNATTENDED_MS
        event = self._event(race, race.searched.deals, now) if unattended else None
        return [race.write(event)] if event else []

    async def _choose(self, race: Race) -> None:
        """Find the deal of a live room, and write how far the search is.

        If the deal is not found in time, ``timers.tick`` writes that.
        """
        seed, deals = race.mixed_seed, 0
        try:
            while race.choosing_until:
                deals = max(deals, race.searched.deals)
                ms = race.choosing_until - self.rooms.clock()
                found = await self.search.step(seed, race.opened.rules, deals, ms)
                if found is None:
                    await asyncio.sleep(AGAIN_S)  # the timer ends it
                waiting = await self._waiting(race.id, seed)
                if waiting is None:
                    return
                race = waiting
                if found is None:
                    continue
                deals = found if isinstance(found, int) else deals
                if event := self._event(race, found, self.rooms.clock()):
                    self.rooms.batches.add(Decision(race.id, None, [race.write(event)]))
        finally:
            self._under_way.remove(race.id)

    async def _waiting(self, code: RaceId, seed: bytes) -> Race | None:
        """The race, once it agrees with the store, if it still waits for the deal of this seed."""
        for room in await self.rooms.agreed(code):
            # If the store has lost the countdown, another one may have other nonces.
            if room.race.choosing_until and room.race.mixed_seed == seed:
                return room.race
        return None  # the process that reads the race next looks for its deal

    def _event(self, race: Race, found: Chosen | int, now: int) -> RoomEvent | None:
        """What to write of a search, or of how many deals are ruled out; None for nothing."""
        if isinstance(found, Chosen):
            return choosing.dealt(found, now)
        if choosing.is_exhausted(found):
            return choosing.not_found(now)
        event = choosing.searched(race.searched, found, now)
        may_write = version_of(event) <= self.rooms.store.version
        return event if may_write and race.searches < choosing.MOST_SEARCHES else None
