"""Chooses the deals of today's and the next days' dailies before they are open."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from typing import Final

from bigben_protocol import Chosen
from bigben_server.race.daily import Daily, all_of, opened, today
from bigben_server.race.events import Opened, Refusal
from bigben_server.storage.client import StoreLost
from bigben_server.storage.dailies import (
    daily_id,
    dealt_again,
    forget,
    prepare,
    prepared_for,
    ready,
    withdraw,
)
from bigben_server.storage.ledger import leased
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled
from bigben_server.thinking.deals import as_chosen
from bigben_server.thinking.pool import Pool, Urgent
from bigben_solver import choosing
from bigben_solver.games import CERTIFIED, DEALS, GRADED

_log = logging.getLogger(__name__)

DAYS_AHEAD: Final = 2
"""How many days after today have their dailies prepared."""
LOOK_S: Final = 60.0
SHORTENINGS: Final = 4
"""How often a shorter line is looked for, which makes par."""


def expected(day: date) -> Iterator[Daily]:
    """The dailies of a day whose deals are chosen, the rules with names first."""
    chosen = [which for which in all_of(day) if which.game in CERTIFIED]
    return iter(sorted(chosen, key=lambda which: "-" in which.rules))


@dataclass(slots=True, eq=False)
class Dailies:
    """Prepares dailies; of all processes of a deployment one at a time."""

    store: Store
    pool: Pool
    secret: bytes
    grades: Sequence[str]
    """Of each weekday, Monday first."""
    clock: Callable[[], int]
    _hopeless: set[tuple[str, str]] = field(default_factory=set)
    """Server seeds without a deal of the grade that was looked for."""

    async def run(self) -> None:
        """Look now and then what is missing. Raises StoreLost."""
        while not_cancelled():
            # First, since all players come back to a server that has just started.
            await asyncio.sleep(LOOK_S)
            await self.look()

    async def look(self) -> None:
        """Prepare what is missing, unless another process does. Raises StoreLost."""
        async with leased(self.store, self.store.keys.preparing) as ours:
            if not ours:
                return
            now = today(self.clock())
            await forget(self.store, now)
            for day in (now + timedelta(days) for days in range(DAYS_AHEAD + 1)):
                if self.grades[day.weekday()] == choosing.NONE:
                    await self._withdraw(day)
                    continue
                for first in await self._missing(day):
                    if not await self._prepared(first):
                        return

    async def _withdraw(self, day: date) -> None:
        """Delete what was prepared for the dailies of a day, except for those that are open."""
        races = {which.id for which in expected(day)}.intersection(await ready(self.store))
        unopened = [race for race in races if not await self.store.events(race, most=1)]
        await withdraw(self.store, unopened)

    async def _missing(self, day: date) -> list[Opened]:
        """The dailies of a day that are not prepared, as they would be opened."""
        counter = await dealt_again(self.store, day)
        firsts = [opened(which, self.secret, counter) for which in expected(day)]
        found = await prepared_for(self.store, firsts)
        missing = [
            first
            for first, there in zip(firsts, found, strict=True)
            if not (there and there.wanted == self._wanted(first))
            and (first.server_seed, self._wanted(first)) not in self._hopeless
        ]
        is_open = [await self.store.events(daily_id(first), most=1) for first in missing]
        return [first for first, events in zip(missing, is_open, strict=True) if not events]

    def _wanted(self, first: Opened) -> str:
        """The grade to look for: the weekday's; empty if the game has no grades."""
        return self.grades[today(first.at).weekday()] if first.rules.game in GRADED else ""

    async def _prepared(self, first: Opened) -> bool:
        """Choose the deal of a daily and store it. False if nothing can be computed now."""
        wanted = self._wanted(first)
        try:
            if chosen := await self._choose(first, wanted):
                await prepare(self.store, first, chosen, wanted)
                return True
            _log.warning("no deal of %s is %s; it will not be graded", daily_id(first), wanted)
        except StoreLost:
            raise
        except Refusal as refusal:
            _log.warning("the dailies are not prepared: %s", refusal)
            return False
        except Exception as error:
            # Its text may have cards, which no log may show.
            _log.error("%s can't be prepared: %s", daily_id(first), type(error).__name__)
        self._hopeless.add((first.server_seed, wanted))
        return True

    async def _choose(self, first: Opened, wanted: str) -> Chosen | None:
        """The first deal that passes, with the shortest line that was found."""
        seed, game, rules = bytes.fromhex(first.server_seed), first.rules.game, first.rules.rules
        for n in range(DEALS):
            found = await self.pool.ask(
                partial(choosing.tried, seed, n, game, rules, grade=wanted), urgent=Urgent.LATER
            )
            if found:
                break
        else:
            return None
        line = found.line
        for attempt in range(SHORTENINGS):
            line = await self.pool.ask(
                partial(choosing.shorter, seed, found.counter, game, rules, line, attempt),
                urgent=Urgent.LATER,
            )
        return as_chosen(found._replace(line=line))
