"""Opens the races of the weeks of seasons when their time has come.

Every process looks, and any of them may die at any moment. The first event of a race follows from
the log of its season, and the store takes it once: so each race is opened once, and always alike.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from bigben_server.race.events import Opened, Refusal, RoomAppend, check_version
from bigben_server.race.state import Race
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.deals.seeds import OpenSeeds
from bigben_server.seasons.season import Season, Week
from bigben_server.storage.client import Damaged
from bigben_server.storage.race_log import Store
from bigben_server.storage.seasons.stored import StoredSeasons
from bigben_server.tasks import not_cancelled

LOOK_S: Final = 5.0
"""How often to ask the store what is due, and sooner if the next is."""
AGAIN_MS: Final = 30_000
"""How long other processes leave a due season to this one. If this one dies, another takes over."""
_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Weeks:
    store: Store
    search: Search
    seeds: OpenSeeds
    clock: Callable[[], int]

    async def run(self) -> None:
        """Look until cancelled. Raises StoreLost."""
        while not_cancelled():
            await self.look()
            next_at = await self._seasons.logs.next_at()
            await asyncio.sleep(min(LOOK_S, max(0.0, (next_at - self.clock()) / 1000)))

    @property
    def _seasons(self) -> StoredSeasons:
        return StoredSeasons(self.store)

    async def look(self) -> None:
        """Open what is due now. Raises StoreLost."""
        seasons = self._seasons
        for due in await seasons.logs.due(self.clock()):
            await seasons.logs.look_at(due, self.clock() + AGAIN_MS)
            try:
                if season := await seasons.find(due):
                    await self._open(season)
            except Damaged as damaged:
                self.store.report(damaged)
                continue
            except Refusal as refusal:
                _log.warning("the weeks of season %s wait: %s", due, refusal)
                continue
            await seasons.looked_at(due, season, self.clock())

    async def _open(self, season: Season) -> None:
        """Open the races of a season that are due and not there. Raises Refusal and StoreLost."""
        now = self.clock()
        due = {season.race_id(w): w for w in season.weeks if w.is_open(now) and not w.void}
        there = await self._seasons.logs.races([*due])
        for (code, week), stored in zip(due.items(), there, strict=True):
            if stored.is_there:
                continue
            first = await self._first(season, week)
            check_version(first, self.store.version)
            await self.store.append([RoomAppend(code, 1, first)], {code: first.closes_at})
            # If another process was first, that is noted once more.
            await self.seeds.note(Race(code, [first]))

    async def _first(self, season: Season, week: Week) -> Opened:
        """The first event of a week's race, with its deal; all processes find the same one.

        If no deal as it is planned is found in time, it is the first one, and not graded.
        """
        first = season.opened(week)
        if not (first.rules.winnable and self.search.pool.size):
            return first
        found = await self.search.find(bytes.fromhex(first.server_seed), first.rules)
        return replace(first, chosen=found or first.chosen)
