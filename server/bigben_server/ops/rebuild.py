"""Computes boards, ratings and histories again from the results.

It uses the same code in the same order, so the outcome is the same. Servers may run, and players
see the boards as they were until all are made. If it is interrupted, start it again.
"""

import logging
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.leaderboards.settler import Settler
from bigben_server.leaderboards.tied import fold, settled_boards
from bigben_server.ops.long_work import SILENT, Progress
from bigben_server.scoring.boards import Board
from bigben_server.scoring.results import Alias, Finish, Ranked
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.batch_ledger import BatchLedger
from bigben_server.storage.admin.correcting import Corrections
from bigben_server.storage.bounds.expiring import Expiring
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Closed, Ledger
from bigben_server.storage.race_log import Store

_log = logging.getLogger(__name__)
_RACES: Final = 500
_RESULTS: Final = 5_000
"""The most races, and about the most results, that are read at once."""


async def rebuild(store: Store, progress: Progress = SILENT, *, ranked: Ranked = "all") -> int:
    """Rebuild everything for this setting. Return the number of races. Raises StoreLost.

    Results that can't be read are logged and left out.
    """
    boards, ledger = Boards(store, ranked), BatchLedger(store)
    corrections = Corrections(store, boards)
    async with ledger.lease(wait=True) as holder:
        await Settler(boards, Ledger(store)).count_tied()
        try:
            await ledger.forget()  # what a rebuild has made that was killed
            await corrections.begin()
            void, races = await ledger.voided(), await _all_races(store)
            async for some in batches(boards, races, progress, "Results"):
                await corrections.correct(some, void)
            await corrections.end(void)
            await ledger.publish(holder, await _settle(boards, ledger, void, progress))
        finally:
            with suppress(StoreLost):
                await ledger.forget()
        await maintenance.make_for(store, ranked)
    return len(races)


async def _all_races(store: Store) -> list[RaceId]:
    """All races that may have results."""
    # Open races have some too. They are read first: a race leaves the agenda after it has come to
    # another list.
    races = await store.due()
    races += [*await Ledger(store).races(), *await Expiring(store).races()]
    return list(dict.fromkeys(races))


async def _settle(
    boards: Boards, ledger: BatchLedger, void: Collection[RaceId], progress: Progress
) -> int:
    """Settle all closed races anew, in their order. Return how many they are."""
    settler, closed, done = Settler(boards, ledger), await ledger.races(), 0
    tied = _Tied(ledger, boards.ranked, [*(await settler.aliases.all()).items()])
    async for some in batches(boards, closed, progress, "Points and ratings"):
        numbered = [Closed(n, race) for n, race in enumerate(some, done)]
        done += len(some)
        counts = [one for one in numbered if one.race not in void]
        found = await boards.results_of([one.race for one in counts], closed=True)
        boards.store.readable(found)  # reports the others
        races = [(o, f) for o, f in zip(counts, found, strict=True) if not isinstance(f, Damaged)]
        while races:
            await tied.count_before(races[0][0].n)
            together, races = tied.until_next(races)
            await ledger.read(((o.n, one) for o, f in together for one in f), boards.ranked)
            for one, finishes in together:
                tied.note(one, finishes)
                await settler.settle_race(one, finishes)
            await ledger.write()
    await tied.count_before(done)
    return done


_Races = list[tuple[Closed, list[Finish]]]


@dataclass(slots=True)
class _Tied:
    """Counts tied players under their accounts at the places, among the races, of the ties."""

    ledger: BatchLedger
    ranked: Ranked
    left: list[tuple[PlayerId, Alias]]
    """Those who are not counted yet, in order."""
    _boards: dict[PlayerId, set[Board]] = field(default_factory=dict)
    """Where those are who are tied later."""

    def until_next(self, races: _Races) -> tuple[_Races, _Races]:
        """The races before the next player was tied, and the later ones."""
        after = self.left[0][1].after if self.left else inf
        n = sum(one.n < after for one, _ in races)
        return races[:n], races[n:]

    def note(self, closed: Closed, finishes: Iterable[Finish]) -> None:
        """These results are settled next."""
        for one in finishes:
            if (who := one.rated_as(closed.n)) != one.counts_for:
                boards = self._boards.setdefault(who, set())
                boards |= settled_boards([one], self.ranked)

    async def count_before(self, n: int) -> None:
        """Count those who were tied before closed race ``n`` was settled. Raises StoreLost."""
        while self.left and self.left[0][1].after <= n:
            player, alias = self.left.pop(0)
            boards = self._boards.pop(player, set())
            await fold(self.ledger, player, alias, boards, self.ranked)
            # The account may be tied to another one later.
            self._boards.setdefault(alias.to, set()).update(boards)


async def batches(
    boards: Boards, races: Sequence[RaceId], progress: Progress, what: str
) -> AsyncIterator[list[RaceId]]:
    """All these races, in order, as many at a time as may be in memory. Raises StoreLost."""
    for some in progress.over(what, races, _RACES):
        batch, results = list[RaceId](), 0
        for race, size in zip(some, await boards.sizes_of(some), strict=True):
            if batch and results + size > _RESULTS:
                yield batch
                batch, results = [], 0
            batch.append(race)
            results += size
        yield batch


async def warn_of_other_boards(store: Store, ranked: Ranked) -> None:
    """Log a warning if the stored boards were made for another setting. Raises StoreLost."""
    made = await maintenance.made_for(store)
    if made == ranked:
        return
    if not (await store.due() or await Ledger(store).count()):
        await maintenance.make_for(store, ranked)  # there are no boards yet
        return
    _log.warning(
        "BIGBEN_RANKED is %s, and the boards were made for %s: stop all servers, and run "
        "`bigben admin rebuild-boards` with the same BIGBEN_RANKED as theirs",
        *(ranked, made),
    )
