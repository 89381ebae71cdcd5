"""Group commit: many decisions become durable together, in one round trip.

One batch is committed at a time. All decisions made meanwhile are the next batch. It waits a moment
for company, because a round trip costs nearly the same for ten decisions as for one.
"""

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from bigben_protocol import RaceId
from bigben_server.race.events import Append
from bigben_server.rooms.session import Decision
from bigben_server.storage.client import StoreLost
from bigben_server.storage.race_log import log_of

GATHERING_S: Final = 0.003
"""The shortest time between the beginnings of two batches, unless ``COMPANY`` decisions wait. At
1,000 moves a second there are 0.27 round trips a move instead of 0.59: a sixth less CPU, a fifth
less of Redis."""
COMPANY: Final = 16


class BatchResult(NamedTuple):
    """Which decisions of a batch are durable, and which are not."""

    appends: list[Append]
    """The durable appends."""
    durable: list[Decision]
    """Durable decisions, to be carried out."""
    again: list[Decision]
    """Decisions in races in which another process was first: load these, and decide again."""
    unknown: list[Decision]
    """Decisions in races whose part of the store is away, which may or may not be durable."""
    error: StoreLost | None = None
    """Why they are unknown."""


@dataclass(eq=False)
class Batch:
    """Decisions that are committed together."""

    decisions: list[Decision] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is committed and sent, or lost."""
    races: dict[RaceId, None] = field(init=False)
    """The races of the decisions, in order; so a timer finds out at once whether one is here."""

    def __post_init__(self) -> None:
        self.races = races_of(self.decisions)

    def add(self, decision: Decision) -> None:
        self.decisions.append(decision)
        self.races[decision.race] = None

    def withdraw(self, races: Collection[RaceId]) -> list[Decision]:
        """Remove and return the decisions in these races."""
        withdrawn = [each for each in self.decisions if each.race in races]
        self.decisions = [each for each in self.decisions if each.race not in races]
        self.races = races_of(self.decisions)
        return withdrawn

    @cached_property
    def appends(self) -> list[Append]:
        """The appends of all decisions. Add no decision once this was read."""
        return [append for decision in self.decisions for append in decision.appends]

    def result(
        self, refused: Collection[str], lost: Collection[str] = (), error: StoreLost | None = None
    ) -> BatchResult:
        """Sort the decisions by the logs that refused an append, and by those that are lost."""
        if not refused and not lost:
            return BatchResult(self.appends, self.decisions, [], [], error)
        gone = races_of(decision for decision in self.decisions if touches(decision, lost))
        stale = races_of(decision for decision in self.decisions if touches(decision, refused))
        written = [a for a in self.appends if a.race not in gone and log_of(a) not in refused]
        result = BatchResult(written, [], [], [], error)
        for decision in self.decisions:
            if decision.race in gone:
                result.unknown.append(decision)
            # A reply without an append is decided again with the rest of its race.
            elif touches(decision, refused) or (decision.race in stale and not decision.appends):
                result.again.append(decision)
            else:
                result.durable.append(decision)
        return result


def races_of(items: Iterable[Decision | Append]) -> dict[RaceId, None]:
    """The races of decisions or appends, each once and in order."""
    return {item.race: None for item in items}


def touches(decision: Decision, logs: Collection[str]) -> bool:
    """Whether any append of a decision goes to one of these logs."""
    return bool(logs) and any(log_of(append) in logs for append in decision.appends)


class Batches:
    """The decisions that wait, and the batch that is being committed."""

    def __init__(self) -> None:
        self._waiting = Batch()
        self._under_way: Batch | None = None
        self._wake = asyncio.Event()
        self._earliest = 0.0
        """The loop time from which a batch may begin with fewer decisions than ``COMPANY``."""
        self._alarm: asyncio.TimerHandle | None = None

    def add(self, decision: Decision) -> None:
        """Commit this with the next batch, at once if there was a pause."""
        self._waiting.add(decision)
        waiting = len(self._waiting.decisions)
        if waiting >= COMPANY:
            self._wake.set()
        elif waiting == 1:
            loop = asyncio.get_running_loop()
            if self._earliest <= loop.time():
                self._wake.set()
            else:
                self._alarm = loop.call_at(self._earliest, self._wake.set)

    def holds(self, race: RaceId) -> bool:
        """Whether something of this race is not durable yet."""
        under_way = self._under_way.races if self._under_way else {}
        return race in self._waiting.races or race in under_way

    def withdraw(self, races: Collection[RaceId]) -> list[Decision]:
        """Remove and return decisions in these races: they depend on something not durable."""
        return self._waiting.withdraw(races)

    async def settled(self) -> None:
        """Return once all decisions added so far are durable and sent, or lost."""
        last = self._waiting if self._waiting.decisions else self._under_way
        if last:
            await last.ended.wait()

    async def next(self) -> Batch:
        """Wait for the next batch. Call ``done`` when it is committed.

        It is empty if all of its decisions were withdrawn.
        """
        self._under_way = None
        await self._wake.wait()
        self._wake.clear()
        if self._alarm:
            self._alarm.cancel()
        self._earliest = asyncio.get_running_loop().time() + GATHERING_S
        self._under_way, self._waiting = self._waiting, Batch()
        self._under_way.ended.clear()  # ``close`` may have set it
        return self._under_way

    def done(self) -> None:
        """Call this when the batch that ``next`` returned is committed and sent."""
        assert self._under_way, "next comes first"
        self._under_way.ended.set()
        self._under_way = None

    def close(self) -> None:
        """Batches are not committed for now, so ``settled`` no longer waits."""
        self._waiting.ended.set()
        if self._under_way:
            self._under_way.ended.set()
