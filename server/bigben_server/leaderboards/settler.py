"""Settles closed races in their order: points and ratings, which depend on nothing but results."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bigben_protocol import PlayerId
from bigben_server.leaderboards import tied
from bigben_server.scoring.boards import Board, Order, boards_of
from bigben_server.scoring.ratings import is_rated, points, rated
from bigben_server.scoring.results import DIVISIONS, Finish, in_order, one_each
from bigben_server.storage.admin.audit import Audit
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Damaged
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Closed, Ledger
from bigben_server.tasks import not_cancelled

AGAIN_S = 5.0
"""How often to look for races whose process died before it settled them."""

_SMALL: Final = 8
"""The largest field that is rated in less time than it takes to hand it to a thread and back."""


@dataclass(slots=True, eq=False)
class Settler:
    boards: Boards
    ledger: Ledger
    race_closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set it when a race was closed."""

    @property
    def aliases(self) -> Aliases:
        return Aliases(self.ledger.store)

    async def run(self) -> None:
        """Settle until cancelled. Raises StoreLost."""
        while not_cancelled():
            await self.settle()
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    await self.race_closed.wait()
            self.race_closed.clear()

    async def settle(self) -> None:
        """Settle all, unless another process holds the lease. Raises StoreLost."""
        if await self.ledger.next() or await self.aliases.uncounted():
            async with self.ledger.lease() as ours:
                if ours:
                    await self.count_tied()
                while ours and await self.settle_next():
                    pass

    async def count_tied(self) -> None:
        """Count who is tied under their accounts, also if a process has died meanwhile.

        Hold the lease when you call it, and settle no race before. Raises StoreLost.
        """
        for player in await self.aliases.uncounted():
            try:
                (alias,) = await self.aliases.of([player])
                if alias:
                    await tied.count(self.boards, self.ledger, player, alias)
                    await tied.note(Audit(self.ledger.store), player, alias)
            except Damaged as damaged:  # a rebuild counts what is left
                self.boards.store.report(damaged)
            await self.aliases.counted(player)

    async def settle_next(self) -> bool:
        """False if there is none. Hold the lease when you call it. Raises StoreLost."""
        closed = await self.ledger.next()
        if closed is None:
            return False
        try:
            if not await self.ledger.is_void(closed.race):
                await self.settle_race(closed, await self.boards.results(closed.race, closed=True))
        except Damaged as damaged:  # only of this race: the next ones still count
            self.boards.store.report(damaged)
        await self.ledger.settled(closed)
        return True

    async def settle_race(self, closed: Closed, finishes: Sequence[Finish]) -> None:
        """Apply what these results change. Idempotent. Raises StoreLost and Damaged."""
        ordered = in_order(one_each(finishes))
        for division in DIVISIONS:
            field = [one for one in ordered if one.division(self.boards.ranked) == division]
            await self._apply(closed, "points", field, points([one.key for one in field]))
            if len(field) > 1 and is_rated(field[0].summary.game):
                summary = field[0].summary
                pool = self.ledger.pool(summary.game, summary.rules, division)
                await self._apply(closed, "rating", field, await self._rate(closed, pool, field))

    async def _rate(self, closed: Closed, pool: str, field: Sequence[Finish]) -> list[int]:
        """Rate the players, the best first. Return their ratings after this race."""
        players = [one.rated_as(closed.n) for one in field]
        now, changed = await self.ledger.ratings(closed, pool, players)
        if not changed:
            before = [(one.key, rating) for one, rating in zip(field, now, strict=True)]
            if len(field) <= _SMALL:
                after = rated(before)
            else:  # in a thread: a large field takes longer than a move may wait
                after = await asyncio.to_thread(rated, before)
            await self.ledger.rate(closed, pool, dict(zip(players, after, strict=True)))
            # Use what Redis has, because another process may have been first.
            now, _ = await self.ledger.ratings(closed, pool, players)
        return [rating.shown for rating in now]

    async def _apply(
        self, closed: Closed, order: Order, field: Sequence[Finish], scores: Iterable[int]
    ) -> None:
        changes = defaultdict[Board, list[tuple[PlayerId, int]]](list)
        for one, score in zip(field, scores, strict=True):
            for board in boards_of(one, self.boards.ranked, order):
                changes[board].append((one.rated_as(closed.n), -score))
        for board, change in changes.items():
            await self.ledger.apply(closed, board, change)
