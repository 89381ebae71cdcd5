"""Group commit: many decisions become durable together, in one round trip.

One batch is committed at a time. All decisions made meanwhile are the next batch. It waits a moment
for more, because a round trip costs nearly the same for ten decisions as for one; but not if all
whom the last batch has answered have asked again, because then it is likely that nobody else will.
"""

import asyncio
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Final, NamedTuple

from bigben_protocol import Move, PlayerId, RaceId
from bigben_server.counters import COUNTS
from bigben_server.race.events import TIMEOUT, Append, Log, RoomAppend, log_of
from bigben_server.race.transitions import OVER
from bigben_server.rooms.requests import Decision, Request
from bigben_server.rooms.session import Session
from bigben_server.storage.client import StoreLost

GATHERING_S: Final = 0.012
"""The longest time between the beginnings of two batches, if decisions wait. With less, batches are
smaller, and Redis has more work for each move."""
PATIENT_S: Final = 0.036
"""The same if only moves in large fields wait. Their players race nobody in sight, and each of
several processes has few of them, so that batches are small."""
ENOUGH: Final = 10
"""A batch of this many decisions begins without waiting for more."""
_NOBODY: Final[frozenset[PlayerId]] = frozenset()


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

    def add_to_counters(self) -> None:
        """Count what is durable. Call it when the answers are on their way."""
        now, moves = perf_counter(), 0
        requests = requests_of(self.durable)
        COUNTS.acknowledgements.add(
            *[now - request.at for request in requests if isinstance(request.message, Move)]
        )
        for one in self.appends:
            if isinstance(one, RoomAppend):
                COUNTS.room_events[str(one.event.__struct_config__.tag)] += 1
            elif one.entry.n:
                moves += 1
                if one.status.state in OVER:
                    moves -= one.entry.move == TIMEOUT
                    COUNTS.seats[one.status.state] += 1
        COUNTS.moves += moves


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
        self.shown: dict[RaceId, set[PlayerId]] = {}
        """Whom the answers show a race as it was when they were decided."""
        for decision in self.decisions:
            self._note_shown(decision)
        self.began = perf_counter()
        """Set it again when the batch is about to be written."""

    def add(self, decision: Decision) -> None:
        self.decisions.append(decision)
        self.races[decision.race] = None
        self._note_shown(decision)

    def withdraw(self, races: Collection[RaceId]) -> list[Decision]:
        """Remove and return the decisions in these races."""
        withdrawn = [each for each in self.decisions if each.race in races]
        self.decisions = [each for each in self.decisions if each.race not in races]
        self.races = races_of(self.decisions)
        for race in races:
            self.shown.pop(race, None)
        return withdrawn

    def _note_shown(self, decision: Decision) -> None:
        request = decision.request
        # An answer to a move shows only its player's seat.
        if request is not None and not isinstance(request.message, Move):
            self.shown.setdefault(decision.race, set()).add(request.player.id)

    @cached_property
    def appends(self) -> list[Append]:
        """The appends of all decisions. Add no decision once this was read."""
        return [append for decision in self.decisions for append in decision.appends]

    def result(
        self, refused: Collection[Log], lost: Collection[Log] = (), error: StoreLost | None = None
    ) -> BatchResult:
        """Sort the decisions by the logs that refused an append, and by those that are lost.

        Call it at once when the store has answered.
        """
        COUNTS.commits.add(perf_counter() - self.began)
        COUNTS.batches.add(len(self.decisions))
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


def requests_of(decisions: Iterable[Decision]) -> list[Request]:
    """The requests of these decisions; a timer's decision has none."""
    return [decision.request for decision in decisions if decision.request]


def touches(decision: Decision, logs: Collection[Log]) -> bool:
    """Whether any append of a decision goes to one of these logs."""
    return bool(logs) and any(log_of(append) in logs for append in decision.appends)


class Batches:
    """The decisions that wait, and the batch that is being committed."""

    def __init__(self) -> None:
        self._waiting = Batch()
        self._under_way: Batch | None = None
        self._wake = asyncio.Event()
        self._earliest = 0.0
        """The loop time from which a batch may begin with fewer decisions than ``ENOUGH``."""
        self._alarm: asyncio.TimerHandle | None = None
        """Begins the batch that waits."""
        self._begins_at = 0.0
        """When it does; the handle of uvloop does not say it if no time is left."""
        self._awaited: set[Session] = set()
        """Those whose requests were in the last batch, and who have not asked again."""

    def add(self, decision: Decision, *, patient: bool = False) -> None:
        """Commit this with the next batch, at once if there was a pause.

        ``patient``: see ``PATIENT_S``.
        """
        self._waiting.add(decision)
        waiting = len(self._waiting.decisions)
        if waiting >= ENOUGH or self._is_last_awaited(decision):
            self._wake.set()
        else:
            at = self._earliest + (PATIENT_S - GATHERING_S) * patient
            if waiting == 1 or at < self._begins_at:
                self._begin_at(at)

    def _begin_at(self, at: float) -> None:
        loop = asyncio.get_running_loop()
        if self._alarm:
            self._alarm.cancel()
        self._begins_at = at
        self._alarm = loop.call_at(at, self._wake.set) if at > loop.time() else None
        if self._alarm is None:
            self._wake.set()

    def _is_last_awaited(self, decision: Decision) -> bool:
        """Whether all whom the last batch answered have asked again, now that this one has.

        Otherwise each move of a few players alone would wait for others who do not come.
        """
        session = decision.request.session if decision.request else None
        if session is None or session not in self._awaited:
            return False
        self._awaited.remove(session)
        return not self._awaited

    @property
    def idle(self) -> bool:
        """Whether no batch waits or is being committed."""
        return not self._waiting.decisions and self._under_way is None

    def holds(self, race: RaceId) -> bool:
        """Whether something of this race is not durable yet."""
        under_way = self._under_way.races if self._under_way else {}
        return race in self._waiting.races or race in under_way

    def shown(self, race: RaceId) -> AbstractSet[PlayerId]:
        """Who will be shown this race as it was before now."""
        waiting = self._waiting.shown.get(race, _NOBODY)
        under_way = self._under_way.shown.get(race, _NOBODY) if self._under_way else _NOBODY
        return waiting | under_way

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
            self._alarm = None
        self._earliest = asyncio.get_running_loop().time() + GATHERING_S
        self._under_way, self._waiting = self._waiting, Batch()
        self._awaited = {request.session for request in requests_of(self._under_way.decisions)}
        self._under_way.ended.clear()  # ``close`` may have set it
        self._under_way.began = perf_counter()
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
