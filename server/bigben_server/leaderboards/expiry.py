"""Deletes the races that have expired: those that counted on no board and for no rating."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bigben_server.race.events import Joined
from bigben_server.storage.bounds.expiring import Expiring
from bigben_server.storage.client import Damaged
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled

LOOK_S: Final = 60.0


@dataclass(slots=True, eq=False)
class Expiry:
    store: Store
    clock: Callable[[], int]

    async def run(self) -> None:
        """Look now and then. Several processes may do it at a time. Raises StoreLost."""
        while not_cancelled():
            await asyncio.sleep(LOOK_S)
            await self.look()

    async def look(self) -> None:
        """Delete what has expired. Raises StoreLost."""
        expiring = Expiring(self.store)
        while races := await expiring.due(self.clock()):
            for race in races:
                try:
                    events = await self.store.events(race)
                except Damaged:  # its results still name who played
                    events = []
                seats = [event.player for event in events if isinstance(event, Joined)]
                await expiring.delete(race, seats)
