"""Records the ends of seats and races: results, then boards, then that the race is closed.

No player waits for this. It is idempotent, and a race leaves the agenda last: until then any
process that finds it there repeats all of it. So every acknowledged result reaches its boards.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bigben_protocol import HOUSE_PLAYERS
from bigben_server.leaderboards.settler import Settler
from bigben_server.race.daily import today
from bigben_server.race.events import Cancelled
from bigben_server.race.game import Seat
from bigben_server.race.state import Race
from bigben_server.scoring.results import Finish, RaceSummary, Result
from bigben_server.storage.bounds.expiring import Expiring
from bigben_server.storage.packing.work import AGE_MS, PackingWork
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor

CANCELLED_S = 86_400
"""How long a cancelled room is kept, so that late players learn about it."""
PRACTICE_S = 30 * 86_400
"""How long a player can look at their own practice again."""


@dataclass(slots=True, eq=False)
class Recorder:
    """Records ends. A race whose end is not recorded stays on the agenda."""

    store: Store
    supervisor: Supervisor
    settler: Settler
    """Woken for every race that may now be settled."""
    under_way: set[asyncio.Event] = field(default_factory=set)
    """One for everything that is being recorded, set when it is done or the store is lost."""

    def over(self, seats: Iterable[tuple[Race, Seat]]) -> None:
        """Record these seats, which must be over and durable, in a task.

        It reads the seats at once, because later they may have changes that are not durable.
        """
        if finishes := [finish for race, seat in seats for finish in finishes_of(race, [seat])]:
            self._start(finishes)

    def record_end(self, race: Race, *, recover: bool = False) -> None:
        """Record in a task the end of this race if it has ended, which must be durable.

        ``recover``: otherwise record its seats, as a process that died may not have done; call it
        when no append of the race is under way.
        """
        if race.ended:
            self._start(finishes_of(race, race.seats.values()), race)
        elif recover:
            self.over((race, seat) for seat in race.seats.values())

    def _start(self, finishes: Sequence[Finish], ended: Race | None = None) -> None:
        done = asyncio.Event()
        self.under_way.add(done)
        self.supervisor.start("recording results", self._record, finishes, ended, done)

    async def _record(
        self, finishes: Sequence[Finish], ended: Race | None, done: asyncio.Event
    ) -> None:
        try:
            await record(self.store, self.settler, finishes, ended)
            # A house player whose game is over has a seat free for another room.
            for one in finishes:
                if one.player in HOUSE_PLAYERS:
                    await People(self.store).forget_races([one.race], [one.player])
        finally:
            self.under_way.remove(done)
            done.set()


async def record(
    store: Store, settler: Settler, finishes: Sequence[Finish], ended: Race | None
) -> None:
    """Record these results, and the end of a race whose last ones they are. Raises StoreLost."""
    await settler.boards.record(finishes)
    if ended is None:
        return
    assert ended.ended is not None, "it has ended"
    pack_at = ended.ended.at + AGE_MS
    if isinstance(ended.ended, Cancelled):
        await store.expire(ended.id, ended.seats, CANCELLED_S)
    elif ended.opened.kind == "practice":
        await store.expire(ended.id, ended.seats, PRACTICE_S)
        await PackingWork(store).later(ended.id, pack_at)
    elif ended.kept_until:
        await Expiring(store).note(ended.id, ended.kept_until)
        await PackingWork(store).later(ended.id, pack_at)
    elif finishes:
        await settler.ledger.close(ended.id)
        settler.race_closed.set()
    await People(store).forget_races([ended.id], ended.seats)
    await store.strike(ended.id)


def finishes_of(race: Race, seats: Iterable[Seat]) -> list[Finish]:
    """The results of the seats that are over; practice has none."""
    over = [seat for seat in seats if seat.over]
    if race.opened.kind == "practice" or not over:
        return []
    opened, rules = race.opened, race.opened.rules
    day = today(opened.at if opened.kind == "daily" else race.starts_at or opened.closes_at)
    summary = RaceSummary(opened.kind, rules.game, rules.rules, day.isoformat(), rules.undo)
    finishes: list[Finish] = []
    for seat in over:
        end = seat.status
        ended_at = end.begun_at + end.ms
        result = Result(end.state, end.moves, end.home, end.ms, end.home_ms, ended_at)
        finishes.append(Finish(race.id, summary, seat.player, seat.name, result))
    return finishes
