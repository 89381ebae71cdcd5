"""The analyses of closed races: kept for a while, and computed by one process at a time.

Their keys name no player, only a digest of what was analysed, so a deleted player needs no care.
They expire, so no export has them. Every method raises StoreLost.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from bigben_protocol import RaceId
from bigben_server.storage.client import Connection, StoreLost, script
from bigben_server.storage.exchange import Command

KEPT_S: Final = 30 * 86_400
LEASE_MS: Final = 10_000
"""How long a process that died while it computed delays the others."""


class Done(NamedTuple):
    """How much of an analysis is computed."""

    done: int = 0
    of: int = 1


@dataclass(frozen=True, slots=True)
class Analyses:
    store: Connection

    async def get(self, race: RaceId, digest: str) -> bytes | None:
        """The analysis with this digest, if it is kept."""
        (found,) = await self.store.ask(("GET", self.store.keys.analysis(race, digest)))
        return found if isinstance(found, bytes) else None

    async def put(self, race: RaceId, digest: str, text: bytes) -> None:
        key = self.store.keys.analysis(race, digest)
        await self.store.ask(("SET", key, text, "EX", KEPT_S))

    async def progress(self, race: RaceId, digest: str) -> Done:
        """How far the process is that has the lease."""
        (found,) = await self.store.ask(("GET", self._progress(race, digest)))
        return Done(*map(int, found.split())) if found else Done()

    async def show(self, race: RaceId, digest: str, done: Done) -> None:
        """Tell the other processes how far this one is."""
        key, text = self._progress(race, digest), f"{done.done} {done.of}"
        await self.store.ask(("SET", key, text, "PX", LEASE_MS))

    @asynccontextmanager
    async def lease(self, race: RaceId, digest: str) -> AsyncIterator[bool]:
        """Hold the lease to compute this until the end of the block; False if another has it."""
        key, holder = f"{self.store.keys.analysis(race, digest)}:lease", secrets.token_hex(8)
        if await self.store.ask(("SET", key, holder, "NX", "PX", LEASE_MS)) == [None]:
            yield False
            return
        renewing = asyncio.create_task(self._renew(key, holder))
        try:
            yield True
        finally:
            renewing.cancel()
            with suppress(StoreLost):  # then it expires
                await self.store.ask(_if_held(key, holder, "DEL"))

    async def _renew(self, key: str, holder: str) -> None:
        """Keep the lease until cancelled. If Redis is away, the holder notices it too."""
        with suppress(StoreLost):
            while True:
                await asyncio.sleep(LEASE_MS / 3000)
                await self.store.ask(_if_held(key, holder, "PEXPIRE", LEASE_MS))

    def _progress(self, race: RaceId, digest: str) -> str:
        return f"{self.store.keys.analysis(race, digest)}:progress"


def _if_held(key: str, holder: str, command: str, *words: int) -> Command:
    return ("EVAL", script("if_equal"), 1, key, holder, command, *words)
