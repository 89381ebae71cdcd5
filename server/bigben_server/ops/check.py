"""Names what can't be read in the store. It changes nothing; servers may run.

Every game is played again. If there are many, processes of their own do it, as many as the machine
has cores. They are nice to all others, so players who move meanwhile come first.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.rebuild import Progress, batches
from bigben_server.race.events import Joined, RoomEvent
from bigben_server.race.state import Race
from bigben_server.storage import dailies
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.games import Games, damage
from bigben_server.storage.client import Damaged, chunks, reading
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.opening import store_at
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Pool, pool_for

_AGAIN: Final = "run `bigben admin void` for it again"
_RACES: Final = 100
_SEATS: Final = 100
"""The most races, and about the most seats, that are read at once."""
_FEW: Final = 500
"""So many races are played again in less time than other processes need to start."""


async def damaged(
    store: Store, progress: Progress, there: maintenance.Names | None = None
) -> AsyncIterator[Damaged]:
    """What can't be read or is inconsistent, of ``there`` or of everything. Raises StoreLost."""
    there = there or await maintenance.names(store)
    void = await Ledger(store).voided()
    async with pool_for(len(there.rooms) if store.url else 0, few=_FEW) as pool:
        async for found in _in_races(store, pool, there.rooms, void, progress):
            yield found
    async for found in _in_results(store, there.recorded, progress):
        yield found
    async for found in _in_histories(store, there.players, void, progress):
        yield found
    for unreadable in (*there.missing, *await dailies.unreadable(store)):
        yield unreadable


async def _in_races(
    store: Store,
    pool: Pool,
    races: Sequence[RaceId],
    void: Collection[RaceId],
    progress: Progress,
) -> AsyncIterator[Damaged]:
    """The damage in the logs of rooms and seats."""
    playing = deque[asyncio.Task[list[Damaged]]]()
    done = 0
    try:
        for some in chunks(races, _RACES):
            progress.show("Races", done, len(races))
            done += len(some)
            readable: list[tuple[Race, list[RoomEvent]]] = []
            for name, events in zip(some, await store.events_of(some), strict=True):
                try:
                    race = _race(store, name, events)
                except Damaged as unread:
                    yield unread
                    continue
                if bool(race.void) != (name in void):
                    where = (
                        "its log, and not on the list"
                        if race.void
                        else "the list, and not in its log"
                    )
                    yield Damaged(store.keys.log(name), f"the race is void in {where}; {_AGAIN}")
                assert not isinstance(events, Damaged), "there is a race"
                readable.append((race, events))
            for seats in _seats(readable):
                playing.append(asyncio.create_task(_play(store, pool, seats)))
                while len(playing) > 2 * pool.size:
                    for found in await playing.popleft():
                        yield found
        while playing:
            for found in await playing.popleft():
                yield found
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def _race(store: Store, name: RaceId, events: list[RoomEvent] | Damaged) -> Race:
    """Raises Damaged if its room can't be read."""
    if isinstance(events, Damaged):
        raise events
    with reading(store.keys.log(name)):
        return Race(name, events)


_Seats = list[tuple[RaceId, list[RoomEvent], list[PlayerId]]]


def _seats(races: Sequence[tuple[Race, list[RoomEvent]]]) -> Iterator[_Seats]:
    """The seats of these races, some at a time, with the events that concern them."""
    some, count = _Seats(), 0
    for race, events in races:
        for players in chunks(list(race.seats), _SEATS):
            theirs = events
            if not race.live:  # each seat begins alone, and there may be thousands
                mine = {*players}
                theirs = [
                    events[0],
                    *(e for e in events if isinstance(e, Joined) and e.player in mine),
                ]
            some.append((race.id, theirs, list(players)))
            count += len(players)
            if count >= _SEATS:
                yield some
                some, count = _Seats(), 0
    if some:
        yield some


async def _play(store: Store, pool: Pool, seats: _Seats) -> list[Damaged]:
    """Read the logs of these seats, and play their games; perhaps in another process."""
    if pool.size:
        return await pool.ask(_played_from, store.url, store.keys.prefix, seats)
    return await _played(store, seats)


def _played_from(url: str, prefix: str, seats: _Seats) -> list[Damaged]:
    """The same in a process that has no store yet. Raises StoreLost."""

    async def play() -> list[Damaged]:
        async with store_at(url, prefix) as store:
            return await _played(store, seats)

    return asyncio.run(play())


async def _played(store: Store, seats: _Seats) -> list[Damaged]:
    keys = store.keys
    asked = [(race, who) for race, _, some in seats for who in some]
    logs = iter(await store.raw_logs(asked))
    found: list[Damaged] = []
    games: list[Games] = []
    for race, events, some in seats:
        read = dict(zip(some, logs, strict=False))
        found += (log for log in read.values() if isinstance(log, Damaged))
        sound = {who: log for who, log in read.items() if not isinstance(log, Damaged)}
        games.append(Games(race, events, sound))
    return found + damage(keys, games)


async def _in_results(
    store: Store, races: Sequence[RaceId], progress: Progress
) -> AsyncIterator[Damaged]:
    done = 0
    async for some in batches(Boards(store), races):
        progress.show("Results", done, len(races))
        done += len(some)
        for found in await Boards(store).results_of(some):
            if isinstance(found, Damaged):
                yield found


async def _in_histories(
    store: Store, players: Sequence[PlayerId], void: Collection[RaceId], progress: Progress
) -> AsyncIterator[Damaged]:
    done = 0
    for some in chunks(players, _RACES):
        progress.show("Histories", done, len(players))
        done += len(some)
        for player, found in zip(some, await Boards(store).histories_of(some), strict=True):
            if isinstance(found, Damaged):
                yield found
                continue
            for entry in found:
                if entry.race in void:
                    key = store.keys.history(player)
                    yield Damaged(key, f"race {entry.race} is void and counts; {_AGAIN}")
                    break
