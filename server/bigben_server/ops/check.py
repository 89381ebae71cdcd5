"""Names what can't be read in the store. It changes nothing; servers may run."""

from collections.abc import AsyncIterator, Collection
from typing import Final

from bigben_protocol import PlayerId, RaceId
from bigben_server.ops.rebuild import Progress
from bigben_server.race.events import SeatStatus
from bigben_server.race.state import Race
from bigben_server.storage import dailies, race_log
from bigben_server.storage.client import Damaged, reading
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.operators import maintenance
from bigben_server.storage.race_log import Store

_AGAIN: Final = "run `bigben admin void` for it again"


async def damaged(
    store: Store, progress: Progress, there: maintenance.Names | None = None
) -> AsyncIterator[Damaged]:
    """What can't be read or is inconsistent, of ``there`` or of everything. Raises StoreLost."""
    boards, there = Boards(store), there or await maintenance.names(store)
    void = await Ledger(store).voided()
    work: list[tuple[str, str]] = [("Races", race) for race in there.rooms]
    work += [("Results", race) for race in there.recorded]
    work += [("Histories", player) for player in there.players]
    for done, (what, name) in enumerate(work):
        progress.show(what, done, len(work))
        try:
            match what:
                case "Races":
                    async for found in _in_race(store, RaceId(name), void):
                        yield found
                case "Results":
                    await boards.results(RaceId(name))
                case _:
                    for entry in (await boards.histories(PlayerId(name)))[0]:
                        if entry.race in void:
                            key = store.keys.history(PlayerId(name))
                            raise Damaged(key, f"race {entry.race} is void and counts; {_AGAIN}")
        except Damaged as found:
            yield found
    for unreadable in (*there.missing, *await dailies.unreadable(store)):
        yield unreadable


async def _in_race(store: Store, race: RaceId, void: Collection[RaceId]) -> AsyncIterator[Damaged]:
    """The damage in the seats of a race. Raises Damaged if its room can't be read."""
    events = await store.events(race)
    with reading(store.keys.log(race)):
        read = Race(race, events)
    if bool(read.void) != (race in void):
        where = "its log, and not on the list" if read.void else "the list, and not in its log"
        yield Damaged(store.keys.log(race), f"the race is void in {where}; {_AGAIN}")
    for player, seat in read.seats.items():
        log = store.keys.log(race, player)
        try:
            stored = (await store.statuses(race, [player])).get(player)
            if stored:
                read.take_status(player, stored)
            if seat.status.begun_at:
                entries = await store.entries(race, player)
                with reading(log):
                    read.remember(player, entries)
                await _compare(store, read, player, stored)
                if seat.last is not None:
                    after = f"ended after move {seat.status.moves}"
                    raise Damaged(log, f"entries are missing before entry {seat.last}; {after}")
        except Damaged as found:
            yield found


async def _compare(store: Store, read: Race, player: PlayerId, stored: SeatStatus | None) -> None:
    """Compare the status that was stored with the last move, with what the log folds to.

    Raises Damaged. A seat that is just being played is not compared.
    """
    seat = read.seats[player]
    play = None if seat.last is not None else seat.play
    now = (await store.statuses(read.id, [player])).get(player)
    if play and stored and now == stored and play.status != stored:
        log, told = store.keys.log(read.id, player), race_log.write_status(stored)
        folded = race_log.write_status(play.status)
        raise Damaged(log, f"its status is {told!r}, and its moves give {folded!r}")
