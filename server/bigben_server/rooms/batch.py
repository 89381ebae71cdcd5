"""Group commit: many decisions become durable together, in one round trip.

One commit is under way at a time. All decisions made meanwhile are the next batch.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bigben_protocol import RaceId
from bigben_server.race.events import Append, RoomAppend, RoomEvent, SeatAppend
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision
from bigben_server.storage.client import PartlyLost, StoreLost
from bigben_server.storage.pubsub import PeerUpdate, PubSub
from bigben_server.storage.race_log import Store, log_of


class Batch:
    """Decisions that are committed together."""

    def __init__(self, decisions: list[Decision]) -> None:
        self.decisions = decisions
        self.races = list(dict.fromkeys(decision.race for decision in decisions))
        self.appends = [append for decision in decisions for append in decision.appends]

    def result(
        self, refused: Collection[str], lost: Collection[str] = (), error: StoreLost | None = None
    ) -> "BatchResult":
        """Sort the decisions by the logs that refused an append, and by those whose state is
        unknown because of ``error``.
        """
        gone = {decision.race for decision in self.decisions if touches(decision, lost)}
        stale = {decision.race for decision in self.decisions if touches(decision, refused)} - gone
        # A reply without an append is decided again with the rest of its race.
        again = [
            d for d in self.decisions if d.race in stale and (touches(d, refused) or not d.appends)
        ]
        return BatchResult(
            [a for a in self.appends if a.race not in gone and log_of(a) not in refused],
            [d for d in self.decisions if d.race not in gone and d not in again],
            stale,
            again,
            gone,
            [d for d in self.decisions if d.race in gone],
            error,
        )

    def all_lost(self, error: StoreLost) -> "BatchResult":
        """The result if the state of every decision is unknown."""
        return BatchResult([], [], set(), [], set(self.races), self.decisions, error)


class BatchResult(NamedTuple):
    """Which decisions of a batch are durable, and which are not."""

    appends: list[Append]
    durable: list[Decision]
    """Durable decisions, to be carried out."""
    stale: set[RaceId]
    """Races in which another process was first; load them."""
    again: list[Decision]
    """Decisions in those races; make them again."""
    lost: set[RaceId]
    """Races whose part of the store is away."""
    unknown: list[Decision]
    """Decisions in those races, which may or may not be durable."""
    error: StoreLost | None
    """Why they are lost."""

    def with_events(self, *kinds: type[RoomEvent]) -> list[RaceId]:
        """The races with a durable event of this type."""
        rooms = (append for append in self.appends if isinstance(append, RoomAppend))
        return list(dict.fromkeys(a.race for a in rooms if isinstance(a.event, kinds)))

    def updates(self) -> list[PeerUpdate]:
        """The updates for peers, one for each race."""
        updates: dict[RaceId, PeerUpdate] = {}
        for append in self.appends:
            update = updates.setdefault(append.race, PeerUpdate(append.race, {}, {}))
            match append:
                case SeatAppend():
                    update.statuses[append.player] = append.status
                case RoomAppend():
                    update.events[append.k] = append.event
        return list(updates.values())


def touches(decision: Decision, logs: Collection[str]) -> bool:
    """Whether any append of a decision goes to one of these logs."""
    return bool(logs) and any(log_of(append) in logs for append in decision.appends)


class Batches:
    """The decisions that wait, and the batch that is being committed."""

    def __init__(self) -> None:
        self._waiting: list[Decision] = []
        self._under_way: list[Decision] = []
        self._wake = asyncio.Event()
        self._count = 0
        """How many batches are done."""
        self._done = asyncio.Event()
        """Set at the end of the current batch; each batch has its own event."""
        self._closed = False

    def add(self, decision: Decision) -> None:
        """Commit this with the next batch."""
        self._waiting.append(decision)
        self._wake.set()

    def holds(self, race: RaceId) -> bool:
        """Whether something of this race is not durable yet."""
        return any(decision.race == race for decision in (*self._waiting, *self._under_way))

    def withdraw(self, races: Collection[RaceId]) -> list[Decision]:
        """Remove and return decisions in these races: they depend on something not durable."""
        taken = [decision for decision in self._waiting if decision.race in races]
        self._waiting = [decision for decision in self._waiting if decision.race not in races]
        return taken

    async def settled(self) -> None:
        """Return once all decisions added so far are durable and sent, or lost."""
        last = self._count + sum(map(bool, (self._under_way, self._waiting)))
        # Counted, because two batches may end before this task runs again.
        while self._count < last and not self._closed:
            await self._done.wait()

    async def next(self) -> Batch:
        """Wait for the next batch. Call ``done`` when it is committed.

        It is empty if all of its decisions were withdrawn; ``settled`` counts it all the same.
        """
        self._closed, self._under_way = False, []
        await self._wake.wait()
        self._wake.clear()
        self._under_way, self._waiting = self._waiting, []
        return Batch(self._under_way)

    def done(self) -> None:
        """Call this when the batch that ``next`` returned is committed and sent."""
        self._under_way = []
        self._count += 1
        self._end()

    def close(self) -> None:
        """Batches are not committed for now, so ``settled`` no longer waits."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        self._done.set()
        self._done = asyncio.Event()


@dataclass(slots=True, eq=False)
class GroupCommit:
    """Makes a batch durable in one round trip, and sends it."""

    rooms: Mapping[RaceId, Room]
    store: Store
    pubsub: PubSub
    clock: Callable[[], int]

    async def write(self, batch: Batch) -> BatchResult:
        """Make a batch durable as far as possible, then send what is. Raises Damaged.

        What is lost or was refused is left to the caller.
        """
        now = self.clock()
        rooms = {code: self.rooms[code] for code in batch.races}
        announcements = {code: room.announcement(now) for code, room in rooms.items()}
        of_rooms = [append for append in batch.appends if isinstance(append, RoomAppend)]
        agenda = {append.race: rooms[append.race].due_at(append, now) for append in of_rooms}
        try:
            if opened := [append.race for append in of_rooms if append.k == 1]:
                await self.pubsub.subscribe(*opened)  # before a peer can know of them
            result = batch.result(await self.store.append(batch.appends, agenda))
        except PartlyLost as error:
            result = batch.result(error.refused, error.lost, error)
        except StoreLost as error:
            return batch.all_lost(error)
        for decision in result.durable:
            rooms[decision.race].carry_out(decision)
        sessions = {d.request.session: None for d in batch.decisions if d.request}
        for code, room in rooms.items():
            if code not in result.stale and code not in result.lost:
                room.broadcast(announcements[code])
            sessions.update(dict.fromkeys(room.sessions()))
        for session in sessions:
            session.flush()  # one write to each socket
        return result
