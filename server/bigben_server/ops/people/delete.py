"""Deletes a player; everything that names them gets another id, the logs of their races too.

So boards keep their places, and closed races can still be verified. In open races the player's seat
is ended first, and the log then tells every server process to read all of it again. If a deletion
is interrupted, start it again.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import PlayerId, RaceId
from bigben_server.leaderboards.recorder import finishes_of
from bigben_server.leaderboards.settler import Settler
from bigben_server.ops.command import now_ms
from bigben_server.ops.long_work import SILENT, Progress
from bigben_server.race import timers
from bigben_server.race.deciding import decide, end_broken
from bigben_server.race.decisions import Request
from bigben_server.race.events import (
    Append,
    Deleted,
    Joined,
    Left,
    Nonced,
    Opened,
    Player,
    Readied,
    Renamed,
    RoomAppend,
    RoomEvent,
    Unreadied,
)
from bigben_server.race.state import Race
from bigben_server.scoring.results import DELETED, Ranked, deleted_id, ties
from bigben_server.storage.admin import maintenance
from bigben_server.storage.admin.appending import (
    append,
    check_version,
    let_read_again,
    read_race,
    tell_servers,
)
from bigben_server.storage.admin.audit import Audit
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.admin.maintenance import NotDone, NotThere
from bigben_server.storage.admin.processes import Processes
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.challenges import ChallengeStore
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.packing.work import PackingWork
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.storage.seasons.stored import StoredSeasons
from bigben_server.thinking.packer import Packer
from bigben_server.thinking.pool import Pool

NOT_RECORDED: Final = (
    "{} is closed, but not all of it is recorded; try again in a minute, with a server running"
)
_TRIES: Final = 100
"""How often a race is read again because a server was first."""
_WAIT_S: Final = 0.1
_PATIENCE_S: Final = 20.0
"""How long to wait for servers to start a race or to record it."""


class Deletion(NamedTuple):
    instead: PlayerId
    """The new id of their results."""
    unread: list[Damaged]
    """The races that can't be read; they do not contain the player's id."""


async def delete(
    store: Store,
    player: PlayerId,
    new: str,
    mark: str = "",
    *,
    ranked: Ranked = "all",
    progress: Progress = SILENT,
    clock: Callable[[], int] = now_ms,
) -> Deletion:
    """Delete a player. ``new`` is random text for the new id of their results.

    ``mark`` is the keyed hash by which servers know the player; empty to keep nobody out. Raises
    NotDone, StoreLost, and Damaged if the player's own data can't be read.
    """
    races, unread = await _named_in(store, player, progress)
    if not (races or await maintenance.is_known(store, player)):
        raise NotThere(f"there is no player {player}")
    if not await maintenance.is_served(store):
        await _check_recorded(store, player, races.keys() - unread.keys())
    book = DirectiveStore(store)
    if await People(store).all_races(player):
        check_version(store, Deleted(player, 0))
    aliases = Aliases(store)
    async with Ledger(store).lease(wait=True):
        await Settler(Boards(store, ranked), Ledger(store)).count_tied()
        # Kept until the end, so that a second run after an interruption uses the same id.
        instead = await maintenance.deleted_as(store, player, deleted_id(player, new))
        if mark:
            await book.keep_out(mark, 0)
            await _kept_out(store, mark)
        await aliases.called(player, instead)
        deleting = _Deleting(store, player, instead, mark, ranked, clock)
        for race in progress.each("Races of the player", list(races)):
            await deleting.in_race(race, readable=race not in unread)
        # A server may have written something that it had decided before it knew.
        for race in await _listed(store, player):
            await deleting.in_race(race, readable=race not in unread)
        await maintenance.swap_on_boards(store, player, instead)
        await Audit(store).rename(player, instead)
        await _rename_in_seasons(store, player, instead)
        await book.forget_player(player)
        if mark:
            await book.keep_out(mark, clock())
        await People(store).leave_lists(player)
        await ChallengeStore(store).forget(player)
        await maintenance.swap_in_histories(store, player, instead)
        await aliases.forget(player)  # last: by it they are known if this breaks off
    return Deletion(instead, list(unread.values()))


async def _rename_in_seasons(store: Store, player: PlayerId, instead: PlayerId) -> None:
    """Put another id in the place of the player's in all seasons, which lists no more name."""
    seasons = StoredSeasons(store)
    for season in await seasons.logs.all():
        try:
            while not await seasons.rename(season, player, instead, DELETED):
                pass  # somebody has changed it meanwhile
        except Damaged as damaged:
            store.report(damaged)
    await seasons.logs.forget_player(player)


async def _kept_out(store: Store, mark: str) -> None:
    """Wait until no server process takes the player. Raises NotDone."""
    until = time.monotonic() + _PATIENCE_S
    while missing := [p for p in await Processes(store).living() if mark not in p.keeps_out]:
        if time.monotonic() > until:
            names = ", ".join(f"{process.host} {process.pid}" for process in missing)
            raise NotDone(
                f"these server processes do not answer, or are of an older version: {names}"
                "; end them, and delete the player again"
            )
        await asyncio.sleep(_WAIT_S)


async def _named_in(
    store: Store, player: PlayerId, progress: Progress
) -> tuple[dict[RaceId, None], dict[RaceId, Damaged]]:
    """The races that name a player, and the races of others that can't be read.

    Raises NotDone if a race names the player and can't be read.
    """
    races = dict.fromkeys(await _listed(store, player))
    unread: dict[RaceId, Damaged] = {}
    for race in progress.each("All races", (await maintenance.names(store)).rooms):
        try:
            events = await store.events(race)
            if events != _renamed(events, player, PlayerId("")):
                races[race] = None
        except Damaged as damaged:
            if await maintenance.is_named_in(store, race, player):
                raise NotDone(
                    f"{player} is named in a race that can't be read ({damaged}); restore"
                    f" it from a backup, or delete the key {damaged.key}"
                    "; then delete the player again"
                ) from None
            unread[race] = damaged
    return races, unread


async def _check_recorded(store: Store, player: PlayerId, races: Collection[RaceId]) -> None:
    """Raises NotDone if the end of a race is not recorded yet, which only servers do."""
    for race in await store.due():
        if race in races:
            read = await read_race(store, race, player)
            if read and read.ended and player in read.seats:
                raise NotDone(NOT_RECORDED.format(race))


async def _listed(store: Store, player: PlayerId) -> list[RaceId]:
    """The races of the player's history and list, and of a guest also those in the account's."""
    people, boards = People(store), Boards(store)
    (alias,) = await Aliases(store).of([player])
    histories = await boards.histories(player, *([alias.account] if alias else ()))
    recorded = [entry.race for history in histories for entry in history]
    theirs = await maintenance.results_of_player(store, player, recorded)
    listed = [entry.race for entry in histories[0]] + await people.all_races(player)
    return [*dict.fromkeys([*listed, *theirs])]


@dataclass(frozen=True, slots=True)
class _Deleting:
    """One deletion that is under way."""

    store: Store
    player: PlayerId
    instead: PlayerId
    mark: str
    ranked: Ranked
    clock: Callable[[], int]
    told: set[RaceId] = field(default_factory=set)
    """The open races of which servers know."""

    async def in_race(self, race: RaceId, *, readable: bool) -> None:
        """End the player's seat, and replace their id. Raises NotDone and StoreLost."""
        if not readable:
            await self._swap_results(race)
            return
        until = time.monotonic() + _PATIENCE_S
        for _ in range(_TRIES):
            read = await read_race(self.store, race, self.player)
            if read is None:  # it has expired
                await self._swap_results(race)
                return
            if why := await self._waits_for(read):
                if time.monotonic() > until or not await maintenance.is_served(self.store):
                    raise NotDone(why)
                await asyncio.sleep(_WAIT_S)
            elif appends := self._ending(read):
                await append(self.store, appends, self._agenda(read, appends))
            elif await self._swap(read):
                return
        raise StoreLost(f"{race} changes all the time; start it again")

    async def _waits_for(self, race: Race) -> str:
        """Why the race can't be changed yet; empty if it can be."""
        if self.player not in race.seats:
            return ""
        now = self.clock()
        if race.phase(now) == "countdown" and now < timers.due_at(race, now):
            return f"{race.id} is just starting; try again in a few seconds"
        if race.ended and race.id in await self.store.due():
            return NOT_RECORDED.format(race.id)  # its server would write the name once more
        return ""

    def _ending(self, race: Race) -> Sequence[Append]:
        """What ends the seat of the player: they leave before the start, and resign later."""
        seat, now = race.seats.get(self.player), self.clock()
        if seat is None or seat.over or race.ended:
            return []
        who = Player(self.player, seat.name)
        made: Sequence[Append]
        if race.phase(now) == "countdown":
            made = timers.tick(race, now)  # no server has chosen its deal in time
        elif race.phase(now) == "open":
            made = decide(race, Request(wire.Leave(race.id), who), now).appends
        elif not seat.status.begun_at:
            return []  # it never begins, and the race closes without it
        elif seat.last is not None:
            made, _ = end_broken(race, now)
        elif now >= race.ends_at(seat):
            made = [race.stop(seat)]
        else:
            resign = wire.Move(race.id, seat.status.moves + 1, "resign")
            made = decide(race, Request(resign, who), now).appends
        assert made, "an open seat can be ended"
        return made

    def _agenda(self, race: Race, appends: Iterable[Append]) -> dict[RaceId, int]:
        """A race whose seat was ended may be ready to be closed, even if nobody is there."""
        now = self.clock()
        in_room = any(isinstance(append, RoomAppend) for append in appends)
        return {race.id: timers.due_at(race, now) if in_room and not race.ended else now}

    async def _swap(self, race: Race) -> bool:
        """Replace the id where the player's seat has ended. False if the race has changed."""
        seat = race.seats.get(self.player)
        if seat and not race.ended:
            # Before the id is replaced: groups, and whether it is a bot, are known of the old one.
            results = await Boards(self.store).results(race.id)
            if all(one.player != self.instead for one in results):
                await Boards(self.store, self.ranked).record(finishes_of(race, [seat]))
        await self._swap_results(race.id)
        events = await self.store.events(race.id)
        if len(events) != race.event_count:
            return False
        renamed = _renamed(events, self.player, self.instead)
        if renamed == events:
            if not race.ended and race.id not in self.told:
                await let_read_again(self.store, race.id)
            return True
        deleted = None
        if not race.ended:
            begun = bool(seat and seat.status.begun_at)
            deleted = Deleted(self.instead, self.clock(), self.mark if begun else "")
        ids, now = (self.player, self.instead), self.clock()
        was_packed = await PackingWork(self.store).is_packed(race.id)
        if not await maintenance.swap_in_logs(self.store, race.id, *ids, renamed, deleted, now):
            return False
        if deleted:
            await tell_servers(self.store, [RoomAppend(race.id, race.event_count + 1, deleted)])
            self.told.add(race.id)
        if was_packed:  # at once: the logs of many races may be more than Redis has room for
            await Packer(self.store, Pool(0), self.clock, gently=False).pack(race.id)
        return True

    async def _swap_results(self, race: RaceId) -> None:
        # The last first, so that an interruption does not change the order.
        changed = ties(await Boards(self.store).results(race), self.player)[::-1]
        await maintenance.swap_in_results(self.store, race, self.player, self.instead, changed)


def _renamed(events: Iterable[RoomEvent], old: PlayerId, new: PlayerId) -> list[RoomEvent]:
    """The events with another id in the place of the player's."""
    return [_renamed_event(event, old, new) for event in events]


def _renamed_event(event: RoomEvent, old: PlayerId, new: PlayerId) -> RoomEvent:
    match event:
        case Opened(host=host, invited=invited):
            host, *others = (new if who == old else who for who in (host, *invited))
            return replace(event, host=host, invited=tuple(others))
        case Joined() | Renamed() if event.player == old:
            return replace(event, player=new, name=DELETED)
        case Left() | Readied() | Nonced() | Unreadied() if event.player == old:
            return replace(event, player=new)
        case _:
            return event
