"""Settles closed races: points, and ratings in the order in which races closed.

It uses only results and that order, so everything can be computed again with the same outcome.
"""

import asyncio
from collections.abc import Mapping
from typing import Literal

from bigben_protocol import PlayerId
from bigben_server.race.ranking import Key
from bigben_server.scoring.boards import Board, long_boards
from bigben_server.scoring.divisions import DIVISIONS, Ranked, division_of
from bigben_server.scoring.points import points
from bigben_server.scoring.ratings import rated
from bigben_server.scoring.results import RaceSummary, Result, in_order
from bigben_server.storage.client import Damaged, DamageLog
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Closed, Ledger
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled

AGAIN_S = 5.0
"""How often to look for races whose process died before it settled them."""

Results = Mapping[PlayerId, Result]


class Settler:
    """Settles closed races in order, in one process at a time."""

    def __init__(
        self,
        store: Store,
        damage: DamageLog,
        *,
        ranked: Ranked = "all",
    ) -> None:
        self._boards = Boards(store, ranked)
        self._ranked: Ranked = ranked
        self._ledger = Ledger(store)
        self._damage = damage
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Call this when a race was closed."""
        self._wake.set()

    async def run(self) -> None:
        """Settle until cancelled. Raises StoreLost."""
        while not_cancelled():
            await self.settle()
            try:
                async with asyncio.timeout(AGAIN_S):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()

    async def settle(self) -> None:
        """Settle all closed races, unless another process holds the lease. Raises StoreLost."""
        if await self._ledger.next():
            async with self._ledger.lease() as ours:
                while ours and await self.settle_next():
                    pass

    async def settle_next(self) -> bool:
        """Settle the next closed race; False if there is none. The caller holds the lease.

        Raises StoreLost.
        """
        closed = await self._ledger.next()
        if closed is None:
            return False
        try:
            found = await self._boards.results_of_closed(closed.race)
            await self._settle(closed, *found)
        except Damaged as damaged:  # only of this race: the next ones still count
            self._damage.report(damaged)
        await self._ledger.settled(closed)
        return True

    async def _settle(self, closed: Closed, summary: RaceSummary, results: Results) -> None:
        ordered = in_order(summary, results)
        for division in DIVISIONS:
            field = {
                player: key
                for key, player in ordered
                if division_of(player, self._ranked, bot=results[player].bot) == division
            }
            if summary.kind == "daily":
                earned = dict(zip(field, points([*field.values()]), strict=True))
                await self._apply(closed, summary, results, "points", earned)
            if len(field) > 1:
                pool = self._ledger.pool(summary, division)
                after = await self._rate(closed, pool, field)
                await self._apply(closed, summary, results, "rating", after)

    async def _rate(
        self, closed: Closed, pool: str, field: Mapping[PlayerId, Key]
    ) -> dict[PlayerId, int]:
        """Rate the players, the best first. Return their ratings after this race."""
        players = list(field)
        now, changed = await self._ledger.ratings(closed, pool, players)
        if not changed:
            # In a thread: a large field takes longer than a move may wait.
            before = list(zip(field.values(), now, strict=True))
            after = await asyncio.to_thread(rated, before)
            await self._ledger.rate(closed, pool, dict(zip(players, after, strict=True)))
            # Use what Redis has, because another process may have been first.
            now, _ = await self._ledger.ratings(closed, pool, players)
        return {player: rating.shown for player, rating in zip(players, now, strict=True)}

    async def _apply(
        self,
        closed: Closed,
        summary: RaceSummary,
        results: Results,
        order: Literal["points", "rating"],
        scores: Mapping[PlayerId, int],
    ) -> None:
        """Add points to the boards of these players, or set their ratings there."""
        changes: dict[Board, list[tuple[PlayerId, int]]] = {}
        for player, score in scores.items():
            for board in long_boards(summary, player, results[player], self._ranked, order):
                changes.setdefault(board, []).append((player, -score))
        for board, change in changes.items():
            await self._ledger.apply(closed, board, change)
