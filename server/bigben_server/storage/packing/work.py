"""Which races may be packed: the closed ones in their order, and others from a list.

Every method raises StoreLost.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bigben_protocol import RaceId
from bigben_server.storage.client import Stored, chunks, script

AGE_MS: Final = 3_600_000
"""How long a race stays as it was written after its end: until then it may get a rematch."""

_AT_ONCE: Final = 1_000


class Candidate(NamedTuple):
    """A race that may be packed, unless its logs say otherwise."""

    race: RaceId
    n: int | None
    """Which of the closed races it is; None if it comes from the list."""
    now: int
    """When it was looked for, ms since 1970."""


class Progress(NamedTuple):
    """How far the packer is."""

    looked: int
    """So many of the closed races were packed, or can't be."""
    closed: int
    listed: int
    """How many races are on the list besides."""


@dataclass(slots=True, eq=False)
class PackingWork(Stored):
    """The work of the packer."""

    async def next(self, now: int) -> Candidate | None:
        """One of the list that is due, else the next closed race that is settled."""
        keys = self.keys
        due, settled, upto = await self.store.ask(
            ("ZRANGEBYSCORE", keys.to_pack, "-inf", now, "LIMIT", 0, 1),
            ("GET", keys.settled),
            ("GET", keys.packed_upto),
        )
        if due:
            return Candidate(RaceId(due[0].decode(errors="replace")), None, now)
        n = int(upto or 0)
        if n >= int(settled or 0):
            return None
        (races,) = await self.store.ask(("ZRANGE", keys.closed, n, n))
        return Candidate(RaceId(races[0].decode(errors="replace")), n, now) if races else None

    async def is_packed(self, race: RaceId) -> bool:
        (packed,) = await self.store.ask(("EXISTS", self.keys.packed(race)))
        return bool(packed)

    async def later(self, race: RaceId, at: int) -> None:
        """Put a race on the list, or look at it again ``at``, ms since 1970."""
        await self.store.ask(("ZADD", self.keys.to_pack, at, race))

    async def done(self, candidate: Candidate) -> None:
        """Nothing is left to do for this race. Calling it again changes nothing."""
        race, n, now = candidate
        if n is None:  # unless it was unpacked meanwhile, and is to be packed again later
            await self.store.ask(("EVAL", script("strike"), 1, self.keys.to_pack, race, now))
        else:
            await self.store.ask(("EVAL", script("advance"), 1, self.keys.packed_upto, n, n))

    async def progress(self) -> Progress:
        looked, closed, listed = await self.store.ask(
            ("GET", self.keys.packed_upto),
            ("ZCARD", self.keys.closed),
            ("ZCARD", self.keys.to_pack),
        )
        return Progress(min(int(looked or 0), closed), closed, listed)

    async def kept(self) -> list[RaceId]:
        """The closed races that the packer has left as they were: they do not reproduce."""
        (upto,) = await self.store.ask(("GET", self.keys.packed_upto))
        kept: list[RaceId] = []
        for some in chunks(range(int(upto or 0)), _AT_ONCE):
            (found,) = await self.store.ask(("ZRANGE", self.keys.closed, some[0], some[-1]))
            races = [RaceId(race.decode(errors="replace")) for race in found]
            logs = await self.store.ask(*(("EXISTS", self.keys.room_log(race)) for race in races))
            there = [race for race, log in zip(races, logs, strict=True) if log]
            listed = await self.store.ask(*(("ZSCORE", self.keys.to_pack, race) for race in there))
            kept += (race for race, at in zip(there, listed, strict=True) if at is None)
        return kept
