"""Names what can't be read in the store. It changes nothing of it; servers may run.

Every game is played again. If there are many, processes of their own do it, as many as the machine
has cores. They are nice to all others, so players who move meanwhile come first. How far it is, is
noted in the store: if it is interrupted, the next one reads only the other races.
"""

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.long_work import Progress, pool_for, shared
from bigben_server.ops.rebuild import batches
from bigben_server.race.events import Joined, RoomEvent
from bigben_server.race.state import Race
from bigben_server.storage import dailies
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.checkpoint import Checkpoint
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.challenges import ChallengeStore
from bigben_server.storage.client import Damaged, chunks, reading
from bigben_server.storage.games import Games, damage
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store
from bigben_server.storage.seasons.stored import StoredSeasons
from bigben_server.tasks import ahead
from bigben_server.thinking.pool import Pool

_AGAIN: Final = "run `bigben admin void` for it again"
_RACES: Final = 100
_SEATS: Final = 100
"""The most races, and about the most seats, that are read at once."""
_FEW: Final = 500
"""So many races are played again in less time than other processes need to start."""


async def damaged(
    store: Store,
    progress: Progress,
    there: maintenance.Names | None = None,
    checkpoint: Checkpoint | None = None,
) -> AsyncIterator[Damaged]:
    """What can't be read or is inconsistent, of ``there`` or of everything. Raises StoreLost.

    ``checkpoint``: of a check to go on with, if it was interrupted.
    """
    there = there or await maintenance.names(store)
    checkpoint = checkpoint or Checkpoint(store)
    void = await Ledger(store).voided()
    rooms = checkpoint.left(there.rooms)

    async def read(some: Sequence[RaceId]) -> tuple[Sequence[RaceId], list[Damaged]]:
        return some, await _in_races(store, pool, some, void)

    async with pool_for(len(rooms) if store.url else 0, few=_FEW) as pool:
        work = (read(some) for some in progress.over("Races", rooms, _RACES))
        async for some, found in ahead(work, bool(pool.size)):
            for one in found:
                yield one
            await checkpoint.note(some, found)
    async for one in _in_results(store, there.recorded, progress):
        yield one
    async for one in _in_histories(store, there.players, void, progress):
        yield one
    try:
        await Aliases(store).all()
    except Damaged as damaged:
        yield damaged
    unread = [*await dailies.unreadable(store), *await ChallengeStore(store).unreadable()]
    for one in (*there.missing, *unread, *await _in_seasons(store)):
        yield one
    await checkpoint.forget()


async def _in_races(
    store: Store, pool: Pool, races: Sequence[RaceId], void: Collection[RaceId]
) -> list[Damaged]:
    """The damage in the logs of rooms and seats."""
    found: list[Damaged] = []
    readable: list[tuple[Race, list[RoomEvent]]] = []
    for name, events in zip(races, await store.events_of(races), strict=True):
        try:
            if isinstance(events, Damaged):
                raise events
            with reading(store.keys.log(name)):
                race = Race(name, events)
        except Damaged as unread:
            found.append(unread)
            continue
        if bool(race.void) != (name in void):
            where = "its log, and not on the list" if race.void else "the list, and not in its log"
            found.append(Damaged(store.keys.log(name), f"the race is void in {where}; {_AGAIN}"))
        readable.append((race, events))
    work = (shared(pool, store, _played, seats) for seats in _seats(readable))
    async for some in ahead(work, 2 * pool.size):
        found += some
    return found


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


async def _played(store: Store, seats: _Seats) -> list[Damaged]:
    """Read the logs of these seats, and play their games; perhaps in another process."""
    asked = [(race, who) for race, _, some in seats for who in some]
    logs = iter(await store.raw_logs(asked))
    found: list[Damaged] = []
    games: list[Games] = []
    for race, events, some in seats:
        read = dict(zip(some, logs, strict=False))
        unread = (log for log in read.values() if isinstance(log, Damaged))
        found += {one.key: one for one in unread}.values()  # a packed race has one for all seats
        sound = {who: log for who, log in read.items() if not isinstance(log, Damaged)}
        games.append(Games(race, events, sound))
    return found + damage(store.keys, games)


async def _in_seasons(store: Store) -> list[Damaged]:
    """The seasons that can't be read."""
    seasons = StoredSeasons(store)
    found = await seasons.of(await seasons.logs.all())
    return [one for one in found if isinstance(one, Damaged)]


async def _in_results(
    store: Store, races: Sequence[RaceId], progress: Progress
) -> AsyncIterator[Damaged]:
    async for some in batches(Boards(store), races, progress, "Results"):
        for found in await Boards(store).results_of(some):
            if isinstance(found, Damaged):
                yield found


async def _in_histories(
    store: Store, players: Sequence[PlayerId], void: Collection[RaceId], progress: Progress
) -> AsyncIterator[Damaged]:
    for some in progress.over("Histories", players, _RACES):
        for player, found in zip(some, await Boards(store).histories_of(some), strict=True):
            if isinstance(found, Damaged):
                yield found
                continue
            for entry in found:
                if entry.race in void:
                    key = store.keys.history(player)
                    yield Damaged(key, f"race {entry.race} is void and counts; {_AGAIN}")
                    break
