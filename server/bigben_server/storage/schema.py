"""Which version of the server the stored data are for, and who still needs an older one.

A version is a number that grows when the data get something that older servers can't read. All
servers announce which one they read. They raise the version of the data to what all of them read;
until then they write nothing newer. See docs/durability.md.
"""

import asyncio
import logging
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bigben_server.race.events import VERSION, RoomEvent, version_of
from bigben_server.storage.client import StoreLost, script
from bigben_server.storage.embedded import RedisFailed
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled

_log = logging.getLogger(__name__)

BEAT_S: Final = 5.0
"""How often a process announces itself."""
COUNTS_MS: Final = 20_000
"""How long a process counts that announces itself no more."""


@dataclass(eq=False)
class Schema:
    """What one process reads, and what it may write, which is ``store.version``."""

    store: Store
    process: str
    """Its id, also in pub/sub."""
    reads: int = VERSION
    """The newest version that it reads, and the one that it writes if all others read it too."""
    _told: bool = False
    """Whether the log says already that versions differ."""

    async def join(self) -> None:
        """Announce this process. Raises RedisFailed if it can't use the data, and StoreLost.

        Call ``leave`` at the end.
        """
        await self.beat()
        if self.store.version > self.reads:
            raise RedisFailed(newer(self.store.version, self.reads))

    async def beat(self) -> None:
        """Announce this process, and raise the version if all processes can read it.

        Raises RedisFailed if they have no version any more, and StoreLost.
        """
        ids = await self._announce()
        if self.store.version < self.reads:
            if not await self._are_others(ids):
                await self._announce(raises=True)
            if self.store.version < self.reads and not self._told:
                self._told = True
                _log.warning(
                    "servers of an older version use this Redis; until they have left, nothing "
                    "is written that they can't read"
                )

    async def run(self) -> None:
        """Announce this process endlessly."""
        while not_cancelled():
            await asyncio.sleep(BEAT_S)
            with suppress(StoreLost):  # others may think that this process is gone
                try:
                    await self.beat()
                except RedisFailed as error:  # what is written remains what it was
                    if not self._told:
                        self._told = True
                        _log.error("%s", error)
            if self.store.version > self.reads and not self._told:
                self._told = True
                _log.error("%s", newer(self.store.version, self.reads))

    async def leave(self) -> None:
        """This process ends. Raises StoreLost."""
        await self.store.ask(("HDEL", self.store.keys.readers, self.process))

    async def _announce(self, *, raises: bool = False) -> list[str]:
        """The ids of all announced processes; sets ``store.version``."""
        keys = self.store.keys.schema, self.store.keys.readers
        words = COUNTS_MS, self.process, self.reads, int(raises)
        ((version, ids),) = await self.store.ask(("EVAL", script("schema"), 2, *keys, *words))
        if not isinstance(version, int):
            raise RedisFailed(_no_version(self.store, version))
        self.store.version = version
        return [one.decode() for one in ids]

    async def _are_others(self, ids: list[str]) -> bool:
        """Whether a process may have subscribed that did not announce itself, as in version 1."""
        processes = self.store.keys.processes
        channels = [processes, *(f"{processes}:{one}" for one in ids)]
        try:
            nodes = await self.store.everywhere("PUBSUB", "NUMSUB", *channels)
        except StoreLost:  # of one node, on which it may have subscribed
            return True
        counts = [sum(node[i] for node in nodes.values()) for i in range(1, 2 * len(channels), 2)]
        return bool(counts[0] > sum(counts[1:]))


async def check_readable(store: Store, reads: int = VERSION) -> None:
    """Set ``store.version`` for a command of the operator.

    Raises RedisFailed if the data are too new or have no version, and StoreLost.
    """
    (text,) = await store.ask(("GET", store.keys.schema))
    if text is not None and not re.fullmatch(rb"[1-9][0-9]{0,8}", text):
        raise RedisFailed(_no_version(store, text))
    store.version = int(text or 1)
    if store.version > reads:
        raise RedisFailed(newer(store.version, reads))


async def may_write(store: Store, event: RoomEvent) -> bool:
    """Whether every server that uses these data can read such an event; for an operator's command.

    Raises the version of the data if only that is missing. Raises StoreLost.
    """
    if version_of(event) > store.version:
        one = Schema(store, "admin", _told=True)
        await one.beat()
        await one.leave()
    return version_of(event) <= store.version


async def lower(store: Store, version: int) -> bool:
    """Lower the version of the data, which must have nothing newer in them. Raises StoreLost.

    False if a server process is announced, or was until a short time ago.
    """
    words = store.keys.schema, store.keys.readers, store.version, version
    (lowered,) = await store.ask(("EVAL", script("lower"), 2, *words))
    if lowered:
        store.version = version
    return bool(lowered)


def _no_version(store: Store, text: bytes) -> str:
    return (
        f"The key {store.keys.schema} should have the version of the data, a number like {VERSION},"
        f" and has {text[:40]!r}: write there what a backup has, or the number of the newest"
        " version that has used these data."
    )


def newer(version: int, reads: int) -> str:
    """The sentence about data that are too new."""
    return (
        f"The data are of version {version}, and this program reads them up to version {reads}"
        ": use the version of Big Ben that wrote them, or a later one."
    )
