"""What is written when seats and races end: results, then boards, then that the race is closed.

A race leaves the agenda last. Until then any process that finds it there does all of it again,
which is the same as once; so a result is never lost between the finish and the board.
"""

from collections.abc import Callable, Iterable

from bigben_server.log import Cancelled, Closed
from bigben_server.race import Race
from bigben_server.redis_boards import Boards
from bigben_server.redis_ledger import Ledger
from bigben_server.redis_store import Store
from bigben_server.results import Finish, finishes_of
from bigben_server.seat import Seat

CANCELLED_S = 86_400
"""For a day one who comes late is told that the room was cancelled."""
PRACTICE_S = 30 * 86_400
"""For so long one's own practice can be looked at again."""


class Recorder:
    """Writes ends; ``closed`` is told of every race that may now be settled."""

    def __init__(self, store: Store, closed: Callable[[], None]) -> None:
        self._store = store
        self._boards = Boards(store)
        self._ledger = Ledger(store)
        self._closed = closed

    async def over(self, seats: Iterable[tuple[Race, Seat]]) -> None:
        """These seats are over, and durable. Raises StoreLost."""
        finishes: list[Finish] = []
        for race, seat in seats:
            finishes += finishes_of(race, [seat])
        await self._boards.record(finishes)

    async def see_to(self, race: Race, *, recover: bool) -> None:
        """Write what a process left unwritten that died at the end of a seat or of the race.

        ``recover``: also of a race that has not ended. Raises StoreLost.
        """
        if race.ended:
            await self.ended(race)
        elif recover:
            await self.recover(race)

    async def ended(self, race: Race) -> None:
        """This race has ended, and that is durable. Raises StoreLost."""
        if seconds := _kept_s(race):
            await self._store.keep(race.id, race.seats, seconds)
        finishes = await self.recover(race)
        if isinstance(race.ended, Closed) and finishes:
            await self._ledger.close(race.id)
            self._closed()
        await self._store.strike(race.id)

    async def recover(self, race: Race) -> list[Finish]:
        """Record again all that is over in this race. Raises StoreLost."""
        finishes = finishes_of(race, race.seats.values())
        await self._boards.record(finishes)
        return finishes


def _kept_s(race: Race) -> int:
    """How long a race is kept that no board speaks of; 0 for always."""
    if isinstance(race.ended, Cancelled):
        return CANCELLED_S
    return PRACTICE_S if race.opened.kind == "practice" else 0
