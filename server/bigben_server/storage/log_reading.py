"""Reads the logs of races, as Redis has them."""

from collections.abc import Sequence
from typing import NamedTuple

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.client import Connection, Damaged, sound
from bigben_server.storage.entries import RawLog, as_sent
from bigben_server.storage.exchange import Raw
from bigben_server.storage.keys import Keys


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


async def read_logs(store: Connection, parts: Sequence[Part]) -> list[RawLog | Damaged]:
    """Each of these parts; nothing of a log that has not begun. Raises StoreLost."""
    answers = await store.ask_each(*(part.command(store.keys) for part in parts))
    return [one if isinstance(one, Damaged) else as_sent(one) for one in answers]


async def read_log(store: Connection, part: Part) -> RawLog:
    """One part. Raises StoreLost and Damaged."""
    (log,) = await read_logs(store, [part])
    return sound(log)
