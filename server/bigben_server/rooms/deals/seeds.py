"""The seeds of races that are not closed: practice with them is refused."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bigben_protocol.sentence import sentence
from bigben_rules import commitment, seed_from_hex
from bigben_server.race import daily
from bigben_server.race.events import Cancelled, Closed, Refusal
from bigben_server.race.state import Race
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.dailies import seeds_of
from bigben_server.storage.race_log import Store

_UNCHECKED: Final = sentence("room.seed_unchecked")
_SEED_KEPT_S: Final = 9 * 86_400
"""Longer than a room can be open and then running."""


@dataclass(slots=True, eq=False)
class OpenSeeds:
    """The seeds that are noted in the store, and those of today's dailies."""

    store: Store
    secret: bytes
    clock: Callable[[], int]

    async def note(self, race: Race) -> None:
        """Store the seeds of a race in a room that was opened, or whose deal is now fixed.

        In a cluster a seed may be on another node than its race, which continues without it.
        """
        if race.opened.kind not in ("live", "deadline"):
            return
        seeds = {bytes.fromhex(race.opened.server_seed)}
        if race.is_mixed:
            seeds.add(race.mixed_seed)
        if race.is_mixed and not race.choosing_until:
            seeds.add(race.seed)
        # No player waits for this; players notice if the race's own node is away.
        with suppress(StoreLost):
            await self.store.note_open_seeds(race.id, map(commitment, seeds), _SEED_KEPT_S)

    async def check(self, seed: str) -> None:
        """Raises Refusal for the seed of a race that is not closed, or that can't be looked up."""
        chosen = seed_from_hex(seed)
        if chosen in await self._seeds_of_today() or await self._is_open(chosen):
            text = sentence("room.seed_in_use")
            raise Refusal("seed", text)

    async def _seeds_of_today(self) -> set[bytes]:
        try:
            return await seeds_of(self.store, daily.today(self.clock()), self.secret)
        except StoreLost:
            raise Refusal("seed", _UNCHECKED) from None

    async def _is_open(self, seed: bytes) -> bool:
        try:
            race = await self.store.race_of_seed(commitment(seed))
            events = await self.store.events(race) if race else []
        except StoreLost:
            raise Refusal("seed", _UNCHECKED) from None
        except Damaged:  # it may have an entry of a newer version
            return True
        # A cancelled room is deleted after a day.
        return bool(events) and not any(isinstance(e, Closed | Cancelled) for e in events)
