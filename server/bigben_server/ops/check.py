"""Names what can't be read in the store. It changes nothing; servers may run."""

from collections.abc import AsyncIterator

from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.rebuild import Progress
from bigben_server.race.state import Race
from bigben_server.storage import maintenance
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.race_log import Store, log_name


async def damaged(store: Store, progress: Progress) -> AsyncIterator[Damaged]:
    """Everything that can't be read or is inconsistent. Raises StoreLost."""
    boards, there = Boards(store), await maintenance.names(store)
    work: list[tuple[str, str]] = [("Races", race) for race in there.rooms]
    work += [("Results", race) for race in there.recorded]
    work += [("Histories", player) for player in there.players]
    for done, (what, name) in enumerate(work):
        progress.show(what, done, len(work))
        try:
            match what:
                case "Races":
                    async for found in _in_race(store, RaceId(name)):
                        yield found
                case "Results":
                    await boards.results(RaceId(name))
                case _:
                    await boards.histories(PlayerId(name))
        except Damaged as found:
            yield found
    for missing in there.missing:
        yield missing


async def _in_race(store: Store, race: RaceId) -> AsyncIterator[Damaged]:
    """The damage in the seats of a race. Raises Damaged if its room can't be read."""
    events = await store.events(race)
    with reading(log_name(race)):
        read = Race(race, events)
    for player, seat in read.seats.items():
        log = log_name(race, player)
        try:
            for status in (await store.statuses(race, [player])).values():
                read.take_status(player, status)
            if seat.status.begun_at:
                entries = await store.entries(race, player)
                with reading(log):
                    read.remember(player, entries)
                if seat.last is not None:
                    after = f"ended after move {seat.status.moves}"
                    raise Damaged(log, f"entries are missing before entry {seat.last}; {after}")
        except Damaged as found:
            yield found
