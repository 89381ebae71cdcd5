"""``bigben admin check``: reads everything in the store and names what can't be read.

Changes nothing; servers may go on.
"""

from collections.abc import AsyncIterator

from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.progress import Progress, silent
from bigben_server.race.state import Race
from bigben_server.storage import board_keys, keys
from bigben_server.storage.damage import Damaged, reading
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.store import Store

_ROOM = ":room"
_RESULTS = ":results"
_HISTORY = board_keys.history(PlayerId(""))


async def damaged(store: Store, progress: Progress = silent) -> AsyncIterator[Damaged]:
    """Everything that can't be read or does not hold together. Raises StoreLost."""
    boards = Boards(store)
    there = [key async for key in store.keys("bb:{")]
    rooms = {_race_of(key) for key in there if key.endswith(_ROOM)}
    recorded = {_race_of(key) for key in there if key.endswith(_RESULTS)}
    histories = [key async for key in store.keys(_HISTORY)]
    of = len(rooms) + len(recorded) + len(histories)
    for done, race in enumerate(sorted(rooms)):
        progress("Races", done, of)
        async for broken in _in_race(store, race):
            yield broken
    for done, race in enumerate(sorted(recorded), start=len(rooms)):
        progress("Results", done, of)
        try:
            await boards.results(race)
        except Damaged as found:
            yield found
    for done, key in enumerate(sorted(histories), start=len(rooms) + len(recorded)):
        progress("Histories", done, of)
        try:
            await boards.histories(PlayerId(key.removeprefix(_HISTORY)))
        except Damaged as found:
            yield found
    async for missing in _in_lists(store, rooms, recorded):
        yield missing


async def _in_race(store: Store, race: RaceId) -> AsyncIterator[Damaged]:
    """The damage in the logs of a race; if the room can't be read, only that."""
    try:
        events = await store.events(race)
        with reading(keys.room_log(race)):
            read = Race(race, events)
    except Damaged as found:
        yield found
        return
    for player, seat in read.seats.items():
        log = keys.seat_log(race, player)
        try:
            for status in (await store.statuses(race, [player])).values():
                read.heard(player, status)
            if not seat.begun_at:
                continue
            entries = await store.entries(race, player)
            with reading(log):
                read.remember(player, entries)
        except Damaged as found:
            yield found
        else:
            if seat.last is not None:
                after = f"ended after move {seat.status.moves}"
                yield Damaged(log, f"entries are missing before entry {seat.last}; {after}")


async def _in_lists(
    store: Store, rooms: set[RaceId], recorded: set[RaceId]
) -> AsyncIterator[Damaged]:
    """Races on the agenda that are not there, and closed ones without results."""
    agenda, closed = await store.ask(
        ("ZRANGE", keys.AGENDA, 0, -1), ("ZRANGE", board_keys.CLOSED, 0, -1)
    )
    for key, names, known in ((keys.AGENDA, agenda, rooms), (board_keys.CLOSED, closed, recorded)):
        for name in names:
            if name.decode(errors="replace") not in known:
                yield Damaged(key, f"there is no such race: {name!r}")


def _race_of(key: str) -> RaceId:
    return RaceId(key[len("bb:{") : key.index("}")])
