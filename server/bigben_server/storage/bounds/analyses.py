"""Stores the analyses of closed races: for a while, and computed by one process at a time.

Their keys name no player, only a digest of what was analysed, so a deleted player needs no care.
They expire, so no export has them. Every method raises StoreLost.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, NamedTuple

from bigben_protocol import RaceId
from bigben_server.storage.client import Stored
from bigben_server.storage.ledger import LEASE_MS, leased

KEPT_S: Final = 30 * 86_400


class Done(NamedTuple):
    """How much of an analysis is computed."""

    done: int = 0
    of: int = 1


@dataclass(slots=True, eq=False)
class Analyses(Stored):
    async def get(self, race: RaceId, digest: str) -> bytes | None:
        """The analysis with this digest, if it is kept."""
        (found,) = await self.store.ask(("GET", self.keys.analysis(race, digest)))
        return found if isinstance(found, bytes) else None

    async def put(self, race: RaceId, digest: str, text: bytes) -> None:
        await self.store.ask(("SET", self.keys.analysis(race, digest), text, "EX", KEPT_S))

    async def progress(self, race: RaceId, digest: str) -> Done:
        """How far the process is that has the lease."""
        (found,) = await self.store.ask(("GET", self._progress(race, digest)))
        return Done(*map(int, found.split())) if found else Done()

    async def show(self, race: RaceId, digest: str, done: Done) -> None:
        """Tell the other processes how far this one is."""
        key, text = self._progress(race, digest), f"{done.done} {done.of}"
        await self.store.ask(("SET", key, text, "PX", LEASE_MS))

    def lease(self, race: RaceId, digest: str) -> AbstractAsyncContextManager[str]:
        """The lease to compute this; empty if another process has it."""
        return leased(self.store, f"{self.keys.analysis(race, digest)}:lease")

    def _progress(self, race: RaceId, digest: str) -> str:
        return f"{self.keys.analysis(race, digest)}:progress"
