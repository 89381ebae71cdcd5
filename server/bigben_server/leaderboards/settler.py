"""Settles closed races in their order: points and ratings, which depend on nothing but results."""

import asyncio
import dataclasses
from collections.abc import Mapping
from typing import Literal

from bigben_protocol import PlayerId
from bigben_server.race.ranking import Key
from bigben_server.scoring.boards import Board, long_boards
from bigben_server.scoring.ratings import points, rated
from bigben_server.scoring.results import DIVISIONS, RaceSummary, Result, division_of, in_order
from bigben_server.storage.client import Damaged, DamageLog
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Closed, Ledger
from bigben_server.tasks import not_cancelled

AGAIN_S = 5.0
"""How often to look for races whose process died before it settled them."""
Results = Mapping[PlayerId, Result]


@dataclasses.dataclass(slots=True, eq=False)
class Settler:
    boards: Boards
    ledger: Ledger
    damage: DamageLog
    race_closed: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)
    """Set it when a race was closed."""

    async def run(self) -> None:
        """Settle until cancelled. Raises StoreLost."""
        while not_cancelled():
            await self.settle()
            try:
                async with asyncio.timeout(AGAIN_S):
                    await self.race_closed.wait()
            except TimeoutError:
                pass
            self.race_closed.clear()

    async def settle(self) -> None:
        """Settle all, unless another process holds the lease. Raises StoreLost."""
        if await self.ledger.next():
            async with self.ledger.lease() as ours:
                while ours and await self.settle_next():
                    pass

    async def settle_next(self) -> bool:
        """False if there is none. Hold the lease when you call it. Raises StoreLost."""
        closed = await self.ledger.next()
        if closed is None:
            return False
        try:
            found = await self.boards.results_of_closed(closed.race)
            await self._settle(closed, *found)
        except Damaged as damaged:  # only of this race: the next ones still count
            self.damage.report(damaged)
        await self.ledger.settled(closed)
        return True

    async def _settle(self, closed: Closed, summary: RaceSummary, results: Results) -> None:
        ordered = in_order(summary, results)
        for division in DIVISIONS:
            field = {
                player: key
                for key, player in ordered
                if division_of(player, self.boards.ranked, bot=results[player].bot) == division
            }
            if summary.kind == "daily":
                earned = dict(zip(field, points([*field.values()]), strict=True))
                await self._apply(closed, summary, results, "points", earned)
            if len(field) > 1:
                pool = self.ledger.pool(summary, division)
                after = await self._rate(closed, pool, field)
                await self._apply(closed, summary, results, "rating", after)

    async def _rate(
        self, closed: Closed, pool: str, field: Mapping[PlayerId, Key]
    ) -> dict[PlayerId, int]:
        """Rate the players, the best first. Return their ratings after this race."""
        players = list(field)
        now, changed = await self.ledger.ratings(closed, pool, players)
        if not changed:
            # In a thread: a large field takes longer than a move may wait.
            before = list(zip(field.values(), now, strict=True))
            after = await asyncio.to_thread(rated, before)
            await self.ledger.rate(closed, pool, dict(zip(players, after, strict=True)))
            # Use what Redis has, because another process may have been first.
            now, _ = await self.ledger.ratings(closed, pool, players)
        return {player: rating.shown for player, rating in zip(players, now, strict=True)}

    async def _apply(
        self,
        closed: Closed,
        summary: RaceSummary,
        results: Results,
        order: Literal["points", "rating"],
        scores: Mapping[PlayerId, int],
    ) -> None:
        changes: dict[Board, list[tuple[PlayerId, int]]] = {}
        for player, score in scores.items():
            for board in long_boards(summary, player, results[player], self.boards.ranked, order):
                changes.setdefault(board, []).append((player, -score))
        for board, change in changes.items():
            await self.ledger.apply(closed, board, change)
