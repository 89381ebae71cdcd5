"""Reads the logs of races as Redis has them, also those of packed races.

A race has either its logs or its packed value; a script swaps them in one step.
"""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.client import Connection, Damaged, reading, sound
from bigben_server.storage.entries import RawLog, as_sent
from bigben_server.storage.exchange import Raw
from bigben_server.storage.keys import Keys
from bigben_server.storage.packing.value import LARGE, Packed

_KEPT: Final = 2
"""How many values stay unpacked: most of what is read of a race is read at once."""


class Part(NamedTuple):
    """What is wanted of a log: all of it, unless the fields say otherwise."""

    race: RaceId
    player: PlayerId | None = None
    """The player of a seat; None for the log of the room."""
    since: int = 0
    """Only entries that begin with this number or a later one."""
    most: int = 0
    """Only so many; 0 for all."""
    last: bool = False
    """Only the last entry."""

    def command(self, keys: Keys) -> Raw:
        log = keys.log(self.race, self.player)
        if self.last:
            return Raw(("XREVRANGE", log, "+", "-", "COUNT", 1))
        count = ("COUNT", self.most) if self.most else ()
        return Raw(("XRANGE", log, f"{self.since}-0" if self.since else "-", "+", *count))

    def of(self, packed: Packed) -> RawLog:
        """The same of a packed race. Raises ValueError."""
        if self.last:
            return packed.last(self.player)
        log = packed.log(self.player)
        if self.since:
            log = [entry for entry in log if int(entry[0].partition(b"-")[0]) >= self.since]
        return log[: self.most or None]


async def read_logs(store: Connection, parts: Sequence[Part]) -> list[RawLog | Damaged]:
    """Each of these parts; nothing of a log that has not begun. Raises StoreLost."""
    answers, packed = await _ask(store, parts)
    found = zip(parts, answers, strict=True)

    def read() -> list[RawLog | Damaged]:
        return [_found(store.keys, part, answer, packed[part.race]) for part, answer in found]

    if any(isinstance(value, bytes) and len(value) > LARGE for value in packed.values()):
        return await asyncio.to_thread(read)
    return read()


async def _ask(
    store: Connection, parts: Sequence[Part]
) -> tuple[list[Any], dict[RaceId, bytes | Damaged | None]]:
    """What Redis has of each part, and the packed value of each race. ``Any``: see ``_found``."""
    races = dict.fromkeys(part.race for part in parts)
    keys, many = [store.keys.packed(race) for race in races], len(races)
    while True:
        answers = await store.ask_each(
            *(("EXISTS", key) for key in keys),
            *(part.command(store.keys) for part in parts),
            *(("GET", key) for key in keys),
        )
        there, found, values = answers[:many], answers[many:][: len(parts)], answers[-many:]
        # One that was there before and is not after the logs may have been unpacked in between.
        if not any(was and value is None for was, value in zip(there, values, strict=False)):
            return found, dict(zip(races, values, strict=False))


def _found(keys: Keys, part: Part, answer: Any, value: bytes | Damaged | None) -> RawLog | Damaged:
    """``Any``: what Redis has sent of the log, which is nothing if the race is packed."""
    if isinstance(answer, Damaged):
        return answer
    if answer or value is None:
        return as_sent(answer)
    try:
        return part.of(packed_in(keys, part.race, value))
    except ValueError as error:
        return Damaged(keys.packed(part.race), str(error))
    except Damaged as damaged:
        return damaged


async def read_log(store: Connection, part: Part) -> RawLog:
    """One part. Raises StoreLost and Damaged."""
    (log,) = await read_logs(store, [part])
    return sound(log)


def packed_in(keys: Keys, race: RaceId, value: bytes | Damaged) -> Packed:
    """A packed race to read from. Raises Damaged, and later ValueError."""
    with reading(keys.packed(race)):
        return _packed(race, sound(value))


_packed: Final = lru_cache(_KEPT)(Packed)
