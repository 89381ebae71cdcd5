"""A ledger for rebuilds: what many closed races change is kept here, and written in one pipeline.

The changes have the numbers that a server gives them, one race after another. So a server goes on
correctly after a rebuild that was interrupted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bigben_protocol import PlayerId
from bigben_server.scoring.boards import Board
from bigben_server.scoring.ratings import Rating
from bigben_server.scoring.results import Finish, Ranked
from bigben_server.storage.client import chunks
from bigben_server.storage.exchange import Command
from bigben_server.storage.ledger import AT_ONCE, STEPS, Closed, Ledger, read_ratings


@dataclass(slots=True, eq=False)
class BatchLedger(Ledger):
    """Hold the lease. Call ``read`` before some races are settled, and ``write`` after them."""

    _ratings: dict[str, dict[PlayerId, Rating]] = field(default_factory=dict)
    """By pool: the ratings of all players of these races, after those that are settled."""
    _rated: dict[str, tuple[int, dict[PlayerId, Rating]]] = field(default_factory=dict)
    """By pool: the last race that has changed it, and what these races have changed."""
    _scores: dict[Board, tuple[int, dict[PlayerId, int]]] = field(default_factory=dict)
    """By board: the number of the last change, and what will be changed in one step."""
    _commands: list[Command] = field(default_factory=list)
    """The steps that are full."""

    async def read(self, results: Iterable[Finish], ranked: Ranked) -> None:
        """Read the ratings that these results can change. Raises StoreLost and Damaged."""
        wanted: dict[str, dict[PlayerId, None]] = {}
        for one in results:
            pool = self.pool(one.summary, one.division(ranked))
            wanted.setdefault(pool, {})[one.player] = None
        found = await self.store.ask(*(("HMGET", pool, *who) for pool, who in wanted.items()))
        self._ratings = {
            pool: dict(zip(who, read_ratings(pool, texts), strict=True))
            for (pool, who), texts in zip(wanted.items(), found, strict=True)
        }

    async def write(self, first: Closed, last: Closed) -> None:
        """Write what the races from ``first`` to ``last`` have changed. Raises StoreLost."""
        for board in list(self._scores):
            self._end_step(board)
        rated = [self.rating_change(n, pool, some) for pool, (n, some) in self._rated.items()]
        await self.store.ask(*rated, *self._commands)
        self._rated.clear()
        self._commands.clear()
        await self.settled(first, last)

    async def ratings(
        self, closed: Closed, pool: str, players: Sequence[PlayerId]
    ) -> tuple[list[Rating], bool]:
        return [self._ratings[pool][player] for player in players], False

    async def rate(self, closed: Closed, pool: str, ratings: Mapping[PlayerId, Rating]) -> None:
        _, rated = self._rated.get(pool, (0, {}))
        self._rated[pool] = closed.n, rated
        rated.update(ratings)
        self._ratings[pool].update(ratings)

    async def apply(
        self, closed: Closed, board: Board, scores: Sequence[tuple[PlayerId, int]]
    ) -> None:
        step = closed.n * STEPS
        if len(scores) > AT_ONCE:  # as many steps as a server makes of it
            self._end_step(board)
            steps = enumerate(chunks(scores, AT_ONCE), step)
            self._commands += [self.change(n, board, some) for n, some in steps]
            return
        if len(scores) + len(self._scores.get(board, (0, {}))[1]) > AT_ONCE:
            self._end_step(board)
        _, changed = self._scores.get(board, (0, {}))
        for player, score in scores:
            changed[player] = score + (changed.get(player, 0) if board.order == "points" else 0)
        self._scores[board] = step, changed

    def _end_step(self, board: Board) -> None:
        if found := self._scores.pop(board, None):
            step, changed = found
            self._commands.append(self.change(step, board, list(changed.items())))
