"""Closed races in the order in which they count, and the changes that each makes, applied once.

Boards and ratings have the number of the last change to them, and accept only later ones. So a race
may be settled again after a crash, or by two processes at a time. Every method raises StoreLost if
Redis fails.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.scoring.boards import Board
from bigben_server.scoring.ratings import Rating, read_rating, write_rating
from bigben_server.scoring.results import Division, RaceSummary
from bigben_server.storage import keys
from bigben_server.storage.client import (
    Command,
    Connection,
    StoreLost,
    chunks,
    reading,
    script,
)

AT_ONCE: Final = 1_000
"""The most changes to a board in one step; a race with more needs several steps."""
_STEPS: Final = 100_000
"""More steps than any race needs, so that race and step make one growing number."""
LEASE_MS: Final = 10_000
"""How long a process that died while it settled delays the others."""
_WAIT_S: Final = 0.1

_APPLY: Final = script("apply")
_CLOSE: Final = script("close")
_ADVANCE: Final = script("advance")
_RENEW: Final = script("renew")
_RELEASE: Final = script("release")


class Closed(NamedTuple):
    """A closed race; ``n`` counts them, from 0."""

    n: int
    race: RaceId


class Ledger:
    """All closed races, and how many of them are settled."""

    def __init__(self, store: Connection) -> None:
        self._store = store

    async def close(self, race: RaceId) -> None:
        """Add a race whose results are all recorded. Idempotent."""
        await self._store.ask(("EVAL", _CLOSE, 1, keys.CLOSED, race))

    async def next(self) -> Closed | None:
        """The first race that is not settled."""
        (settled,) = await self._store.ask(("GET", keys.SETTLED))
        n = int(settled or 0)
        (races,) = await self._store.ask(("ZRANGE", keys.CLOSED, n, n))
        return Closed(n, RaceId(races[0].decode(errors="replace"))) if races else None

    async def races(self) -> list[RaceId]:
        """All closed races, in order."""
        (races,) = await self._store.ask(("ZRANGE", keys.CLOSED, 0, -1))
        return [RaceId(race.decode(errors="replace")) for race in races]

    async def settled(self, closed: Closed) -> None:
        """Note that all changes of this race are applied."""
        await self._store.ask(("EVAL", _ADVANCE, 1, keys.SETTLED, closed.n))

    async def apply(
        self, closed: Closed, board: Board, scores: Sequence[tuple[PlayerId, int]]
    ) -> None:
        """Put the scores of a race on a board: points are added up, ratings replaced. Idempotent.

        The scores of a race must always be the same, in the same order.
        """
        key = keys.board(board.name)
        command = "ZINCRBY" if board.order == "points" else "ZADD"
        commands: list[Command] = []
        for n, some in enumerate(chunks(scores, AT_ONCE), start=closed.n * _STEPS):
            words = (word for player, score in some for word in (score, player))
            commands.append(("EVAL", _APPLY, 2, key, keys.upto(key), n, command, *words))
        await self._store.ask(*commands)

    def pool(self, summary: RaceSummary, division: Division) -> str:
        """The name of the ratings that a race changes for the players of a division."""
        return keys.ratings(summary.game, summary.rules, division)

    async def ratings(
        self, closed: Closed, pool: str, players: Sequence[PlayerId]
    ) -> tuple[list[Rating], bool]:
        """The ratings, and whether this race has changed them already. Raises Damaged."""
        # In this order: if the number is still too small, the ratings are those before the race.
        texts, upto = await self._store.ask(("HMGET", pool, *players), ("GET", keys.upto(pool)))
        changed = int(upto or -1) >= closed.n
        if changed:
            (texts,) = await self._store.ask(("HMGET", pool, *players))
        with reading(pool):
            return [read_rating(text.decode()) if text else Rating() for text in texts], changed

    async def rate(self, closed: Closed, pool: str, ratings: Mapping[PlayerId, Rating]) -> None:
        """Change the ratings in one step. Idempotent for each race."""
        words = (w for player, new in ratings.items() for w in (player, write_rating(new)))
        await self._store.ask(("EVAL", _APPLY, 2, pool, keys.upto(pool), closed.n, "HSET", *words))

    # One process at a time: settling twice is harmless, but not during a rebuild.

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[str]:
        """Hold the lease to settle until the end of the block; empty if another process does."""
        holder = secrets.token_hex(8)
        (taken,) = await self._store.ask(("SET", keys.LEASE, holder, "NX", "PX", LEASE_MS))
        if taken is None:
            yield ""
            return
        renewing = asyncio.create_task(self._renew(holder))
        try:
            yield holder
        finally:
            renewing.cancel()
            await self._store.ask(("EVAL", _RELEASE, 1, keys.LEASE, holder))

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Hold the lease to settle until the end of the block. Waits for the lease holder.

        Raises StoreLost at the end if the lease expired and somebody else could take it.
        """
        while True:
            async with self.lease() as holder:
                if holder:
                    yield
                    (now,) = await self._store.ask(("GET", keys.LEASE))
                    if now != holder.encode():
                        raise StoreLost("a server settled races meanwhile; start it again")
                    return
            await asyncio.sleep(_WAIT_S)

    async def _renew(self, holder: str) -> None:
        """Keep the lease until cancelled. If Redis is away, the holder notices it too."""
        with suppress(StoreLost):
            while True:
                await asyncio.sleep(LEASE_MS / 3000)
                await self._store.ask(("EVAL", _RENEW, 1, keys.LEASE, holder, LEASE_MS))
