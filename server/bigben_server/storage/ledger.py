"""Closed races in the order in which they count, and the changes that each makes, applied once.

Boards and ratings have the number of the last change to them, and accept only later ones. So a race
may be settled again after a crash, or by two processes at a time. Every method raises StoreLost if
Redis fails.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.scoring.boards import Board
from bigben_server.scoring.ratings import Rating, read_rating, write_rating
from bigben_server.scoring.results import Division, RaceSummary
from bigben_server.storage import keys
from bigben_server.storage.client import Connection, StoreLost, chunks, reading, script
from bigben_server.storage.exchange import Command

AT_ONCE: Final = 1_000
"""The most changes to a board in one step."""
_STEPS: Final = 100_000
"""More steps than any race needs, so that race and step make one growing number."""
LEASE_MS: Final = 10_000
"""How long a process that died while it settled delays the others."""
_WAIT_S: Final = 0.1


class Closed(NamedTuple):
    """A closed race; ``n`` counts them, from 0."""

    n: int
    race: RaceId


@dataclass(slots=True, eq=False)
class Ledger:
    """All closed races, and how many of them are settled."""

    store: Connection

    async def close(self, race: RaceId) -> None:
        """Add a race whose results are all recorded. Idempotent."""
        await self.store.ask(("EVAL", script("close"), 1, keys.CLOSED, race))

    async def next(self) -> Closed | None:
        """The first race that is not settled."""
        (settled,) = await self.store.ask(("GET", keys.SETTLED))
        n = int(settled or 0)
        (races,) = await self.store.ask(("ZRANGE", keys.CLOSED, n, n))
        return Closed(n, RaceId(races[0].decode(errors="replace"))) if races else None

    async def races(self) -> list[RaceId]:
        """All closed races, in order."""
        (races,) = await self.store.ask(("ZRANGE", keys.CLOSED, 0, -1))
        return [RaceId(race.decode(errors="replace")) for race in races]

    async def settled(self, closed: Closed) -> None:
        """Note that all changes of this race are applied."""
        await self.store.ask(("EVAL", script("advance"), 1, keys.SETTLED, closed.n))

    async def apply(
        self, closed: Closed, board: Board, scores: Sequence[tuple[PlayerId, int]]
    ) -> None:
        """Put the scores of a race on a board: points are added up, ratings replaced. Idempotent.

        The scores of a race must always be the same, in the same order.
        """
        command = "ZINCRBY" if board.order == "points" else "ZADD"
        key, steps = keys.board(board.name), enumerate(chunks(scores, AT_ONCE), closed.n * _STEPS)
        pairs = ((step, ((score, player) for player, score in some)) for step, some in steps)
        await self.store.ask(*(_change(step, key, command, some) for step, some in pairs))

    def pool(self, summary: RaceSummary, division: Division) -> str:
        """The name of the ratings that a race changes for the players of a division."""
        return keys.ratings(summary.game, summary.rules, division)

    async def ratings(
        self, closed: Closed, pool: str, players: Sequence[PlayerId]
    ) -> tuple[list[Rating], bool]:
        """The ratings, and whether this race has changed them already. Raises Damaged."""
        # In this order: once the number says so, the ratings are those after the race. If they
        # change between the two, a change that is computed from them is not accepted.
        upto, texts = await self.store.ask(("GET", keys.upto(pool)), ("HMGET", pool, *players))
        with reading(pool):
            ratings = [read_rating(text.decode()) if text else Rating() for text in texts]
        return ratings, int(upto or -1) >= closed.n

    async def rate(self, closed: Closed, pool: str, ratings: Mapping[PlayerId, Rating]) -> None:
        """Change the ratings in one step. Idempotent for each race."""
        texts = ((player, write_rating(rating)) for player, rating in ratings.items())
        await self.store.ask(_change(closed.n, pool, "HSET", texts))

    @asynccontextmanager
    async def lease(self, *, wait: bool = False) -> AsyncIterator[bool]:
        """Hold the lease to settle until the end of the block: one process at a time settles.

        Without ``wait``, False if another process holds it. With it, waits for the lease holder,
        and raises StoreLost at the end if the lease expired and somebody else could take it.
        """
        holder = secrets.token_hex(8)
        while await self.store.ask(("SET", keys.LEASE, holder, "NX", "PX", LEASE_MS)) == [None]:
            if not wait:
                yield False
                return
            await asyncio.sleep(_WAIT_S)
        renewing = asyncio.create_task(self._renew(holder))
        try:
            yield True
        finally:
            renewing.cancel()
            (was_ours,) = await self.store.ask(_if_held(holder, "DEL"))
        if wait and not was_ours:
            raise StoreLost("a server settled races meanwhile; start it again")

    async def _renew(self, holder: str) -> None:
        """Keep the lease until cancelled. If Redis is away, the holder notices it too."""
        with suppress(StoreLost):
            while True:
                await asyncio.sleep(LEASE_MS / 3000)
                await self.store.ask(_if_held(holder, "PEXPIRE", LEASE_MS))


def _change(n: int, key: str, command: str, pairs: Iterable[tuple[str | int, str]]) -> Command:
    """Change number ``n`` of a board or of ratings."""
    return (
        "EVAL",
        script("apply"),
        2,
        key,
        keys.upto(key),
        n,
        command,
        *chain.from_iterable(pairs),
    )


def _if_held(holder: str, command: str, *words: int) -> Command:
    return ("EVAL", script("if_equal"), 1, keys.LEASE, holder, command, *words)
