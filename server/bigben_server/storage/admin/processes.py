"""The living server processes, and what each says of itself every few seconds.

Every method raises StoreLost if Redis fails.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import msgspec

from bigben_protocol import PlayerId
from bigben_server.storage.client import Stored, read_each, script

REPORT_S: Final = 5.0
"""How often a process reports."""
KEPT_MS: Final = 15_000
"""A process from which nothing has come for so long is dead."""
ANSWER_S: Final = 2.0
"""How long to wait for the answers of all processes."""
_LOOK_S: Final = 0.05
_encode = msgspec.json.Encoder().encode


class Figures(msgspec.Struct, frozen=True):
    """What a process counts. Defaults, because a process may be of another version."""

    connections: int = 0
    """Connections that have said Hello."""
    players: int = 0
    """Their players, each once."""
    playing: int = 0
    """Of these, the players with a game under way."""
    front_ends: Mapping[str, int] = {}
    """The connections by front end."""
    races: Mapping[str, int] = {}
    """The races in memory by kind and phase, like ``daily running``."""
    moves: int = 0
    """Moves since the start."""
    loop_ms: int = 0
    """By how much the event loop was late at most since the last report."""
    store_ms: int = 0
    """How long the store took to answer the last time."""
    house: tuple[PlayerId, ...] = ()
    """The house players with a connection."""


class Process(msgspec.Struct, frozen=True):
    id: str
    host: str = ""
    """The name of the machine."""
    pid: int = 0
    port: int = 0
    worker: int = 0
    """Which of several processes on one port it is, from 1; 0 for the only one."""
    version: str = ""
    since: int = 0
    """When it started, ms since 1970."""
    at: int = 0
    """When it said this, ms since 1970 by its own clock."""
    draining: bool = False
    keeps_out: tuple[str, ...] = ()
    """The marks of players who are being deleted, and can't come to this process any more."""
    figures: Figures = Figures()
    reasons: tuple[str, ...] = ()
    """Why no players should be sent there, in sentences."""

    @property
    def drained(self) -> bool:
        """Whether nobody plays here any more after a drain."""
        return self.draining and not self.figures.playing


_decoder = msgspec.json.Decoder(Process)


@dataclass(slots=True, eq=False)
class Processes(Stored):
    async def report(self, process: Process) -> list[Process]:
        """Say that a process lives, and return all that live, also this one."""
        return await self._living(process.id, _encode(process))

    async def living(self) -> list[Process]:
        """The living processes, by machine and start."""
        return await self._living()

    async def asked(self) -> tuple[list[Process], frozenset[str]]:
        """What the living processes say when they are asked, and the ids of those that do not."""
        living, silent = await self._asked_once(frozenset())
        # What a process says first, it may have been about to say before it was asked.
        living, also = await self._asked_once(silent)
        return living, silent | also

    async def _asked_once(self, silent: frozenset[str]) -> tuple[list[Process], frozenset[str]]:
        """The living processes once all but the ``silent`` ones have answered, and who has not."""
        before = {one.id: one.at for one in await self.living() if one.id not in silent}
        await self.store.ask(("PUBLISH", self.keys.ordered, ""))
        until = asyncio.get_running_loop().time() + ANSWER_S
        while True:
            living = await self.living()
            missing = frozenset(one.id for one in living if one.at == before.get(one.id))
            if not missing or asyncio.get_running_loop().time() > until:
                return living, missing
            await asyncio.sleep(_LOOK_S)

    async def open_races(self) -> int:
        """How many races are not closed, or not all recorded."""
        (count,) = await self.store.ask(("ZCARD", self.keys.agenda))
        return int(count)

    async def leave(self, process: str) -> None:
        """A process ends."""
        await self.store.ask(("HDEL", self.keys.living, process))

    async def _living(self, *said: str | bytes) -> list[Process]:
        key = self.keys.living
        (found,) = await self.store.ask(("EVAL", script("living"), 1, key, KEPT_MS, *said))
        read = read_each(repeat(key, len(found)), found, lambda _, text: _decoder.decode(text))
        living = self.store.readable(read)
        return sorted(living, key=lambda one: (one.host, one.since, one.worker, one.id))
