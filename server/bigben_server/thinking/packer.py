"""Packs races that are over, of all processes of a deployment one at a time, and gently."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Cancelled, Joined, Refusal, RoomEvent
from bigben_server.race.state import Race
from bigben_server.storage.client import Damaged, chunks, reading, sound
from bigben_server.storage.entries import RawLog, read_events
from bigben_server.storage.ledger import leased
from bigben_server.storage.log_reading import Part as Wanted
from bigben_server.storage.log_reading import read_log, read_logs
from bigben_server.storage.packing.checking import checked_part
from bigben_server.storage.packing.parts import Part
from bigben_server.storage.packing.swapping import Swaps, end_of
from bigben_server.storage.packing.value import SEATS, value_of
from bigben_server.storage.packing.work import AGE_MS, Candidate, PackingWork
from bigben_server.storage.race_log import Store
from bigben_server.tasks import not_cancelled
from bigben_server.thinking.pool import Pool, Urgent

_log = logging.getLogger(__name__)

SINCE: Final = 5
"""The version of the data in which races may be packed."""
LOOK_S: Final = 60.0
REST: Final = 9
"""It rests so many times as long as it has worked."""
LATE_S: Final = 0.02
"""If the event loop is later than this, players need the machine."""
BUSY_S: Final = 5.0
"""How long it waits then, until it looks again."""
TRIES: Final = 3
"""After so many tries to pack a race that all failed, others come first."""
_ENDS: Final = 500
"""The most logs whose ends are read at once."""

Became = Literal["packed", "kept", "changed", "young", "early", "failed", "gone"]
"""What became of a race: ``kept`` because it does not reproduce, ``changed`` meanwhile, ``young``
because it has ended a short time ago, ``early`` because it ends in the future by this clock, or
``failed`` several times; ``gone`` if there are no logs of a race that has ended."""


@dataclass(slots=True, eq=False)
class Packer:
    store: Store
    pool: Pool
    clock: Callable[[], int]
    gently: bool = True
    """Whether it rests, because nobody waits for it."""
    _tries: Counter[RaceId] = field(default_factory=Counter)
    """How often it has tried to pack a race without any result."""

    async def run(self) -> None:
        """Pack now and then what may be packed. Raises StoreLost."""
        while not_cancelled():
            await asyncio.sleep(LOOK_S)
            await self.look()

    async def look(self) -> None:
        """Pack all that may be packed, unless another process does. Raises StoreLost."""
        work = PackingWork(self.store)
        async with leased(self.store, self.store.keys.packer) as ours:
            while ours and self.store.version >= SINCE:  # the operator may lower it meanwhile
                candidate = await work.next(self.clock())
                if candidate is None or not await self._goes_on(work, candidate):
                    return

    async def _goes_on(self, work: PackingWork, candidate: Candidate) -> bool:
        """Pack a race, or put it aside for a while. False if nothing more can be packed now."""
        race, n, _ = candidate
        self._tries[race] += 1
        became: Became = "failed"
        if self._tries[race] <= TRIES:
            try:
                became = await self.pack(race)
            except Refusal as refusal:  # the pool is full, or stops, or the race ends its process
                _log.info("packing goes on later: %s", refusal)
                return False
        else:
            _log.warning("race %s is put aside: it could not be packed %s times", race, TRIES)
        del self._tries[race]
        if became == "young" and n is not None:
            return False  # the next ones are younger
        if again := became in ("young", "early", "changed", "failed"):
            await work.later(race, self.clock() + AGE_MS)
        if n is not None or not again:
            await work.done(candidate)
        return True

    async def pack(self, name: RaceId) -> Became:
        """Pack one race. Raises StoreLost, and Refusal if nothing can be computed now."""
        try:
            return await self._pack(name)
        except Damaged as damaged:
            self.store.report(damaged)
            return "kept"

    async def _pack(self, name: RaceId) -> Became:
        packed = await PackingWork(self.store).is_packed(name)
        room = () if packed else await read_log(self.store, Wanted(name))
        if not room:
            return "gone"
        with reading(self.store.keys.log(name)):
            events = read_events(room)
            race = Race(name, events)
        if race.ended is None or isinstance(race.ended, Cancelled):
            return "gone"
        if race.ended.at + AGE_MS > self.clock():
            return "early" if race.ended.at > self.clock() else "young"
        ends: dict[PlayerId, bytes] = {}
        parts: list[bytes] = []
        async for part in self._parts(race, room):
            ends |= {who: end_of(log) for who, log in part.logs.items() if who is not None}
            packed_part = await self._compute(name, _events_of(race, events, part), part)
            if packed_part is None:
                _log.warning("race %s stays as it is: it does not reproduce", name)
                return "kept"
            parts.append(packed_part)
        swapped = await Swaps(self.store).swap(name, value_of(parts), room, ends)
        return "packed" if swapped else "changed"

    async def _parts(self, race: Race, room: RawLog) -> AsyncIterator[Part]:
        """The parts of the value, of which a large field has many; see ``value.parts_of``."""
        last: dict[PlayerId, RawLog] = {}
        for some in chunks([*race.seats], _ENDS):
            wanted = (Wanted(race.id, player, last=True) for player in some)
            read = await read_logs(self.store, [*wanted])
            last |= {who: end for who, one in zip(some, read, strict=True) if (end := sound(one))}
        if len(last) <= SEATS:
            logs: dict[PlayerId | None, RawLog] = {None: room}
            yield Part(logs | await self._logs(race, [*last]))
            return
        yield Part({None: room}, last)
        for some in chunks([*last], SEATS):
            yield Part(await self._logs(race, some))

    async def _logs(
        self, race: Race, players: Sequence[PlayerId | None]
    ) -> dict[PlayerId | None, RawLog]:
        read = await read_logs(self.store, [Wanted(race.id, player) for player in players])
        return {player: sound(one) for player, one in zip(players, read, strict=True)}

    async def _compute(self, race: RaceId, events: Sequence[RoomEvent], part: Part) -> bytes | None:
        """See ``checked_part``. Rests afterwards, and for as long as players need the machine."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        args = self.store.keys, race, events, part
        if self.pool.size:
            packed = await self.pool.ask(checked_part, *args, urgent=Urgent.LATER)
        else:
            packed = await asyncio.to_thread(checked_part, *args)
        if self.gently:
            await _rest(REST * (loop.time() - began))
        return packed


async def _rest(seconds: float) -> None:
    """Do nothing for so long, and then until the event loop has been in time."""
    loop = asyncio.get_running_loop()
    due = loop.time() + seconds
    await asyncio.sleep(seconds)
    while loop.time() - due > LATE_S:
        due = loop.time() + BUSY_S
        await asyncio.sleep(BUSY_S)


def _events_of(race: Race, events: Sequence[RoomEvent], part: Part) -> Sequence[RoomEvent]:
    """The events that concern the seats of a part."""
    if race.live:
        return events
    # Each seat begins alone, and there may be thousands.
    return [events[0], *(e for e in events if isinstance(e, Joined) and e.player in part.logs)]
