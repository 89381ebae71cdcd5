"""The seeds of races that are not closed yet; practice with them is refused.

In a cluster a seed may be on another node than its race. It is stored right after the race, and the
race continues if that fails.
"""

from contextlib import suppress
from datetime import date

from bigben_rules import commitment, seed_from_hex
from bigben_server.race import daily
from bigben_server.race.events import Cancelled, Closed, Refusal
from bigben_server.race.state import Race
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.race_log import Store

KEPT_S = 3 * 86_400
"""Longer than a room can be open and then running."""


class OpenSeeds:
    """The seeds of live rooms of all processes, and of today's dailies."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret
        self._day = date.min
        self._dailies: frozenset[bytes] = frozenset()

    async def note(self, race: Race) -> None:
        """Store the seeds of a live race that was opened, or whose deal is now fixed."""
        if not race.live:
            return
        seeds = [bytes.fromhex(race.opened.server_seed)]
        if race.starts_at:
            seeds.append(race.seed)
        # No player waits for this; players notice if the race's own node is away.
        with suppress(StoreLost):
            await self._store.note_open_seeds(race.id, map(commitment, seeds), KEPT_S)

    async def check(self, seed: str, now: int) -> None:
        """Raises Refusal for the seed of a race that is not closed, or that can't be looked up."""
        chosen = seed_from_hex(seed)
        if chosen in self._of_dailies(now) or await self._is_open(chosen):
            text = "A race with this seed is not closed yet; practise it later, or use another."
            raise Refusal("seed", text)

    def _of_dailies(self, now: int) -> frozenset[bytes]:
        """The seeds of all dailies of the day, even if nobody has opened them yet."""
        if self._day != (day := daily.today(now)):
            opened = (daily.opened(one, self._secret) for one in daily.all_of(day))
            self._day = day
            self._dailies = frozenset(bytes.fromhex(first.server_seed) for first in opened)
        return self._dailies

    async def _is_open(self, seed: bytes) -> bool:
        try:
            race = await self._store.race_of_seed(commitment(seed))
            if race is None:
                return False
            events = await self._store.events(race)
        except StoreLost:
            text = "The server can't check this seed now; try later, or without a seed."
            raise Refusal("seed", text) from None
        except Damaged:  # it may have an entry of a newer version
            return True
        # A cancelled room is deleted after a day.
        return bool(events) and not any(isinstance(e, Closed | Cancelled) for e in events)
