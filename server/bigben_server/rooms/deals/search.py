"""Looks for the deals that rules ask for, in the pool of processes that compute."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from bigben_protocol import Chosen, PlayerId, Rules
from bigben_protocol.sentence import sentence
from bigben_server.race import choosing
from bigben_server.race.events import Opened, Refusal, RoomEvent
from bigben_server.thinking.deals import chosen_deal
from bigben_server.thinking.pool import Pool, Urgent

_log = logging.getLogger(__name__)

AGAIN_S: Final = 0.25
"""How long to wait before a pool that has refused is asked again."""
_ONE_AT_A_TIME: Final = sentence("deal.one_at_a_time")


@dataclass(slots=True, eq=False)
class Search:
    """Every process with the same version finds the same deal of a seed."""

    pool: Pool
    _waiting: set[PlayerId] = field(default_factory=set)
    """Who waits for a room that is opened with its deal."""

    def check(self) -> None:
        """Raises Refusal if this process chooses no deals."""
        self.pool.check()

    async def find(self, seed: bytes, rules: Rules) -> Chosen | None:
        """The deal of a seed that these rules ask for; None if it is not found in time."""
        deals = 0
        for _ in range(choosing.MOST_SEARCHES):
            found = await self.step(seed, rules, deals, choosing.CHOOSING_MS)
            if not isinstance(found, int):
                return found
            deals = found
            if choosing.is_exhausted(deals):
                break
        return None

    async def step(self, seed: bytes, rules: Rules, deals: int, ms: int) -> Chosen | int | None:
        """Look for the deal of a seed for about a second; the first ``deals`` are ruled out.

        Returns the deal, or how many are ruled out now; None if the pool has not answered in time.
        A pool that is full, or whose processes are killed, is asked again meanwhile.
        """
        asked = (seed, rules.game, rules.rules, rules.grade, deals)
        try:
            async with asyncio.timeout(ms / 1000):
                while True:
                    with suppress(Refusal):
                        return await self.pool.ask(chosen_deal, *asked, urgent=Urgent.COUNTDOWN)
                    await asyncio.sleep(AGAIN_S)
        except TimeoutError:
            return None
        except Exception as error:
            # Its text may have cards, which no log may show.
            _log.error("a deal can't be chosen: %s", type(error).__name__)
            return None

    async def opened(self, events: list[RoomEvent], player: PlayerId) -> list[RoomEvent]:
        """The first events of a room that is opened with its deal. Raises Refusal.

        If no deal is found in time, it is the first one.
        """
        first, *others = events
        assert isinstance(first, Opened), "a room's first event is Opened"
        if first.kind == "live" or not first.rules.winnable:
            return events
        if player in self._waiting:
            raise Refusal("limit", _ONE_AT_A_TIME)
        self._waiting.add(player)
        try:
            seed = bytes.fromhex(first.server_seed)
            found = await self.find(seed, first.rules)
        finally:
            self._waiting.remove(player)
        return [replace(first, chosen=found or first.chosen), *others]
