"""A ledger for rebuilds: what many closed races change is kept here, and written in one pipeline.

It goes to new boards and ratings, which nobody sees. At the end they replace those in use in one
step. The changes have the numbers that a server gives them, one race after another, so a server
goes on with the next race.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from bigben_protocol import PlayerId
from bigben_server.scoring.boards import Board
from bigben_server.scoring.ratings import Rating
from bigben_server.scoring.results import Finish, Ranked
from bigben_server.storage.client import StoreLost, chunks, script
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import DAYS, NEW
from bigben_server.storage.ledger import (
    AT_ONCE,
    OVERTAKEN,
    STEPS,
    Closed,
    Ledger,
    read_ratings,
)


@dataclass(slots=True, eq=False)
class BatchLedger(Ledger):
    """Hold the lease. Call ``read`` before some races are settled, and ``write`` after them.

    Call ``forget`` before the first, and ``publish`` after the last.
    """

    _ratings: dict[str, dict[PlayerId, Rating]] = field(default_factory=dict)
    """By pool: the ratings of all players of these races, after those that are settled."""
    _rated: dict[str, tuple[int, dict[PlayerId, Rating]]] = field(default_factory=dict)
    """By pool: the last race that has changed it, and what these races have changed."""
    _scores: dict[Board, tuple[int, dict[PlayerId, int]]] = field(default_factory=dict)
    """By board: the number of the last change, and what will be changed in one step."""
    _commands: list[Command] = field(default_factory=list)
    """The steps that are full."""

    async def read(self, results: Iterable[tuple[int, Finish]], ranked: Ranked) -> None:
        """Read the ratings that these results of numbered races can change.

        Raises StoreLost and Damaged.
        """
        wanted: dict[str, dict[PlayerId, None]] = {}
        for n, one in results:
            pool = self.pool(one.summary.game, one.summary.rules, one.division(ranked))
            wanted.setdefault(pool, {})[one.rated_as(n)] = None
        found = await self.store.ask(*(("HMGET", pool, *who) for pool, who in wanted.items()))
        self._ratings = {
            pool: dict(zip(who, read_ratings(pool, texts), strict=True))
            for (pool, who), texts in zip(wanted.items(), found, strict=True)
        }

    async def write(self) -> None:
        """Write what these races have changed. Raises StoreLost."""
        for board in list(self._scores):
            self._end_step(board)
        rated = [self.rating_change(n, pool, some) for pool, (n, some) in self._rated.items()]
        await self.store.ask(*rated, *self._commands)
        self._rated.clear()
        self._commands.clear()

    def board(self, board: Board) -> str:
        return _new(self.keys.board(board.name))

    def pool(self, game: str, rules: str, division: str) -> str:
        return _new(Ledger.pool(self, game, rules, division))

    async def forget(self) -> None:
        """Delete what was made and not published. Raises StoreLost."""
        for some in chunks([key for key in await self._rankings() if NEW in key], AT_ONCE):
            await self.store.ask(*(("UNLINK", key) for key in some))

    async def publish(self, holder: str, settled: int) -> None:
        """Let everybody see what was made, of so many settled races, and nothing older.

        In a cluster a board at a time, in an order in which a server goes on correctly after an
        interruption. Raises StoreLost, also if ``holder`` has lost the lease.
        """
        there = await self._rankings()
        places = {key: key.replace(NEW, "}", 1) for key in there if NEW in key}
        stay = {*places, *places.values()}
        days = self.keys.board(DAYS)[:-1]
        gone = [key for key in there if key not in stay and not key.startswith(days)]
        if self.store.cluster:
            await self._publish_each(holder, settled, places, gone)
            return
        keys = self.keys.lease, self.keys.settled, *chain(*places.items()), *gone
        words = holder, settled, len(places)
        (done,) = await self.store.ask(("EVAL", script("replace"), len(keys), *keys, *words))
        if not done:
            raise StoreLost(OVERTAKEN)

    async def _publish_each(
        self, holder: str, settled: int, places: Mapping[str, str], gone: Sequence[str]
    ) -> None:
        (held,) = await self.store.ask(("GET", self.keys.lease))
        if held != holder.encode():
            raise StoreLost(OVERTAKEN)
        renamed: list[Command] = [("RENAME", *pair) for pair in places.items()]
        for some in chunks([*renamed, *(("UNLINK", key) for key in gone)], AT_ONCE):
            await self.store.ask(*some)
        note: Command = ("SET", self.keys.settled, settled)
        await self.store.ask(note if settled else ("DEL", self.keys.settled))

    async def _rankings(self) -> list[str]:
        return [key for prefix in self.keys.rankings async for key in self.store.scan(prefix)]

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


def _new(key: str) -> str:
    return key.replace("}", NEW, 1)
