"""Swaps the logs of a race for a packed value, and back. Every method raises StoreLost."""

import secrets
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1
from itertools import chain
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.client import Stored, chunks, reading, script
from bigben_server.storage.entries import RawLog
from bigben_server.storage.exchange import Command
from bigben_server.storage.packing.value import LARGE, Logs, unpack

SEATS_LATER_MS: Final = 60_000
"""The logs of seats expire so much later than that of their room."""
_AT_ONCE: Final = 1_000
"""The most entries that one pipeline writes."""
_UNFINISHED_S: Final = 3_600
"""What a process that died has brought back of a race is deleted after this time."""


@dataclass(slots=True, eq=False)
class Swaps(Stored):
    """Races whose logs become one value, or logs again. Each swap is one step of Redis."""

    async def pack(self, race: RaceId, value: bytes, logs: Logs) -> bool:
        """Put the packed value of these logs in their place; they must have been read before.

        False if they have changed since, or are packed.
        """
        ends = {player: end_of(log) for player, log in logs.items() if player is not None}
        return await self.swap(race, value, logs[None], ends)

    async def swap(
        self, race: RaceId, value: bytes, room: RawLog, ends: Mapping[PlayerId, bytes]
    ) -> bool:
        """The same, by the log of the room and the ends of those of its seats."""
        keys = [self.keys.packed(race), *(self.keys.log(race, each) for each in (None, *ends))]
        digest = sha1(_text(room)).hexdigest()
        (swapped,) = await self.store.ask(_eval("pack", keys, value, digest, *ends.values()))
        return bool(swapped)

    async def unpack(self, race: RaceId, again_at: int) -> bool:
        """Bring the logs of a race back. They may be packed again ``again_at``, ms since 1970.

        False if they are not packed, or another process is doing the same. Raises Damaged.
        """
        packed = self.keys.packed(race)
        (value,) = await self.store.ask(("GET", packed))
        if value is None:
            return False
        with reading(packed):
            large = len(value) > LARGE
            logs = await to_thread(unpack, race, value) if large else unpack(race, value)
        # Before the logs are there: a race that is on this list needlessly does no harm.
        await self.store.ask(("ZADD", self.keys.to_pack, again_at, race))
        players = [None, *(player for player in logs if player is not None)]
        name = secrets.token_hex(8)
        parts = [self.keys.unpacking(race, f"{name}:{i}") for i in range(len(players))]
        for key, player in zip(parts, players, strict=True):
            for some in chunks(logs[player], _AT_ONCE):
                first, *rest = (_command("XADD", key, id_, *words) for id_, words in some)
                # At once: nothing of it may stay for ever if this is broken off.
                await self.store.ask(first, ("EXPIRE", key, _UNFINISHED_S), *rest)
        places = (self.keys.log(race, player) for player in players)
        keys = [packed, *chain.from_iterable(zip(parts, places, strict=True))]
        digest = sha1(value).hexdigest()
        (swapped,) = await self.store.ask(_eval("unpack", keys, digest, SEATS_LATER_MS))
        if not swapped:
            await self.store.ask(*(("UNLINK", key) for key in parts))
        return bool(swapped)


def end_of(log: RawLog) -> bytes:
    """What the script compares of the log of a seat: how many entries it has, and the last."""
    return b"%d %b" % (len(log), _text(log[-1:]))


def _text(log: RawLog) -> bytes:
    """The entries as the script compares them."""
    return b"\n".join(b" ".join((id_, *words)) for id_, words in log)


def _eval(name: str, keys: Sequence[str], *args: str | bytes | int) -> Command:
    return _command("EVAL", script(name), len(keys), *keys, *args)


def _command(*words: str | bytes | int) -> Command:
    """A command of several types of words; of a tuple with a star the type checker knows none."""
    return words
