"""Closed races in the order in which they count, and the changes that each makes, applied once.

Boards and ratings have the number of the last change to them, and accept only later ones. So a race
may be settled again after a crash, or by two processes at a time. Every method raises StoreLost if
Redis fails.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.scoring.boards import Board
from bigben_server.scoring.ratings import Rating, read_rating, write_rating
from bigben_server.storage.client import Connection, Stored, StoreLost, chunks, reading, script
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import upto

AT_ONCE: Final = 1_000
"""The most changes to a board in one step."""
STEPS: Final = 100_000
"""More steps than any race needs, so that race and step make one growing number."""
LEASE_MS: Final = 10_000
"""How long a process that died while it held a lease delays the others."""
_WAIT_S: Final = 0.1
OVERTAKEN: Final = "a server settled races meanwhile; start it again"


class Closed(NamedTuple):
    """A closed race; ``n`` counts them, from 0."""

    n: int
    race: RaceId


@dataclass(slots=True, eq=False)
class Ledger(Stored):
    """All closed races, and how many of them are settled."""

    async def close(self, race: RaceId) -> None:
        """Add a race whose results are all recorded. Idempotent."""
        await self.store.ask(("EVAL", script("close"), 1, self.keys.closed, race))

    async def next(self) -> Closed | None:
        """The first race that is not settled."""
        (settled,) = await self.store.ask(("GET", self.keys.settled))
        n = int(settled or 0)
        (races,) = await self.store.ask(("ZRANGE", self.keys.closed, n, n))
        return Closed(n, RaceId(races[0].decode(errors="replace"))) if races else None

    async def count(self) -> int:
        """How many closed races there are."""
        (count,) = await self.store.ask(("ZCARD", self.keys.closed))
        return int(count)

    async def races(self) -> list[RaceId]:
        """All closed races, in order."""
        (races,) = await self.store.ask(("ZRANGE", self.keys.closed, 0, -1))
        return [RaceId(race.decode(errors="replace")) for race in races]

    async def void(self, race: RaceId, reason: str) -> None:
        """Let the race count no more from now on. What it has changed before stays."""
        await self.store.ask(("HSET", self.keys.void, race, reason))

    async def voided(self) -> dict[RaceId, str]:
        """All void races, and why each is."""
        (found,) = await self.store.ask(("HGETALL", self.keys.void))
        return {RaceId(race.decode()): reason.decode() for race, reason in found.items()}

    async def is_void(self, race: RaceId) -> bool:
        (found,) = await self.store.ask(("HEXISTS", self.keys.void, race))
        return bool(found)

    async def has_begun(self, race: RaceId) -> bool:
        """Whether changes of this race may be applied. Hold the lease when you call it."""
        settled, n = await self.store.ask(
            ("GET", self.keys.settled), ("ZSCORE", self.keys.closed, race)
        )
        return n is not None and int(n) <= int(settled or 0)

    async def settled(self, first: Closed, last: Closed | None = None) -> None:
        """Note that all changes of this race are applied, or of all from ``first`` to ``last``."""
        words = first.n, (last or first).n
        await self.store.ask(("EVAL", script("advance"), 1, self.keys.settled, *words))

    async def apply(
        self, closed: Closed, board: Board, scores: Sequence[tuple[PlayerId, int]]
    ) -> None:
        """Put the scores of a race on a board: points are added up, ratings replaced. Idempotent.

        The scores of a race must always be the same, in the same order.
        """
        steps = enumerate(chunks(scores, AT_ONCE), closed.n * STEPS)
        await self.store.ask(*(self.change(step, board, some) for step, some in steps))

    def change(self, step: int, board: Board, scores: Iterable[tuple[PlayerId, int]]) -> Command:
        """The command of one step: of a race's changes to a board, or of those of several."""
        command = "ZINCRBY" if board.order == "points" else "ZADD"
        pairs = ((score, player) for player, score in scores)
        return _change(step, self.board(board), command, pairs)

    def board(self, board: Board) -> str:
        """The key of a board that races change."""
        return self.keys.board(board.name)

    def pool(self, game: str, rules: str, division: str) -> str:
        """The name of the ratings that races change for the players of a division."""
        return self.keys.ratings(game, rules, division)

    async def stored_ratings(self, pool: str, players: Sequence[PlayerId]) -> list[Rating | None]:
        """The ratings as they are stored; None for players without one. Raises Damaged."""
        (texts,) = await self.store.ask(("HMGET", pool, *players))
        ratings = zip(texts, read_ratings(pool, texts), strict=True)
        return [rating if text else None for text, rating in ratings]

    async def ratings(
        self, closed: Closed, pool: str, players: Sequence[PlayerId]
    ) -> tuple[list[Rating], bool]:
        """The ratings, and whether this race has changed them already. Raises Damaged."""
        # In this order: once the number says so, the ratings are those after the race. If they
        # change between the two, a change that is computed from them is not accepted.
        number, texts = await self.store.ask(("GET", upto(pool)), ("HMGET", pool, *players))
        return read_ratings(pool, texts), int(number or -1) >= closed.n

    async def rate(self, closed: Closed, pool: str, ratings: Mapping[PlayerId, Rating]) -> None:
        """Change the ratings in one step. Idempotent for each race."""
        await self.store.ask(self.rating_change(closed.n, pool, ratings))

    def rating_change(self, n: int, pool: str, ratings: Mapping[PlayerId, Rating]) -> Command:
        """The command of one step: of a race's changes to ratings, or of those of several."""
        texts = ((player, write_rating(rating)) for player, rating in ratings.items())
        return _change(n, pool, "HSET", texts)

    @asynccontextmanager
    async def lease(self, *, wait: bool = False) -> AsyncIterator[str]:
        """Hold the lease to settle until the end of the block; see ``leased``."""
        async with leased(self.store, self.keys.lease, wait=wait) as holder:
            yield holder


def read_ratings(pool: str, texts: Iterable[bytes | None]) -> list[Rating]:
    """The ratings in these fields of a pool. Raises Damaged."""
    with reading(pool):
        return [read_rating(text.decode()) if text else Rating() for text in texts]


@asynccontextmanager
async def leased(store: Connection, key: str, *, wait: bool = False) -> AsyncIterator[str]:
    """Hold this lease until the end of the block: one process at a time does the work.

    Gives what the lease says while it is held. Without ``wait``, it is empty if another process
    holds the lease. With it, waits for the lease holder, and raises StoreLost at the end if the
    lease expired and somebody else could take it.
    """
    holder = secrets.token_hex(8)
    take = ("SET", key, holder, "NX", "PX", LEASE_MS)
    while await store.ask(take) == [None]:
        if not wait:
            yield ""
            return
        await asyncio.sleep(_WAIT_S)
    renewing = asyncio.create_task(_renew(store, key, holder))
    try:
        yield holder
    finally:
        renewing.cancel()
        with nullcontext() if wait else suppress(StoreLost):  # then it expires
            (was_ours,) = await store.ask(_if_held(key, holder, "DEL"))
    if wait and not was_ours:
        raise StoreLost(OVERTAKEN)


async def _renew(store: Connection, key: str, holder: str) -> None:
    """Keep the lease until cancelled. If Redis is away, the holder notices it too."""
    with suppress(StoreLost):
        while True:
            await asyncio.sleep(LEASE_MS / 3000)
            await store.ask(_if_held(key, holder, "PEXPIRE", LEASE_MS))


def _if_held(key: str, holder: str, command: str, *words: int) -> Command:
    return ("EVAL", script("if_equal"), 1, key, holder, command, *words)


def _change(n: int, key: str, command: str, pairs: Iterable[tuple[str | int, str]]) -> Command:
    """Change number ``n`` of a board or of ratings."""
    return (
        "EVAL",
        script("apply"),
        2,
        key,
        upto(key),
        n,
        command,
        *chain.from_iterable(pairs),
    )
