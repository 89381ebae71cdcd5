"""Loads rooms from the store and reconciles them with it while peers publish updates.

Loading writes nothing, except the first event of today's daily.
"""

from collections.abc import Callable, Collection, MutableMapping, Sequence
from dataclasses import dataclass, field

from bigben_protocol import PlayerId, RaceId
from bigben_server.race import commands, daily
from bigben_server.race.events import Entry, RoomAppend, SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.rooms.room import Room, fold_update
from bigben_server.rooms.session import Request
from bigben_server.storage.client import Damaged, DamageLog, reading
from bigben_server.storage.pubsub import PeerUpdate, PubSub
from bigben_server.storage.race_log import Store, log_name


@dataclass(slots=True)
class Reconciliation:
    """What waits until a room agrees with the store."""

    requests: list[Request] = field(default_factory=list)
    """The waiting requests, in the order in which they will be decided."""
    compare: bool = False
    """Ask the store for changes in all seats, not only for requests that know more."""
    record: bool = False
    """Record the end of the race, if it has ended."""
    recover: bool = False
    """Also record the results of its seats, in case a process died before it did."""
    broken: set[PlayerId] = field(default_factory=set)
    """Players whose logs can't be read."""


@dataclass(slots=True, eq=False)
class Loader:
    """Fills the rooms of this process. Every coroutine raises StoreLost and Damaged."""

    rooms: MutableMapping[RaceId, Room]
    store: Store
    pubsub: PubSub
    damage: DamageLog
    secret: bytes
    clock: Callable[[], int]
    _meanwhile: dict[RaceId, list[PeerUpdate]] = field(default_factory=dict)
    """Updates of races that are being loaded; they may be newer than what was read."""

    async def room(self, code: RaceId, pending: Reconciliation) -> Room | None:
        """The room with everything that its pending requests need; None if there is no such race.

        More requests may arrive meanwhile. Call it when nothing of the room waits for a commit.
        """
        compared: set[Request] = set()
        while True:
            room = self.rooms.get(code)
            if room is None or room.stale:
                race = await self.race(code)
                if race is None:
                    return None
                if room:
                    room.replace(race)
                else:
                    self.rooms[code] = Room(race, self.clock())
                pending.compare = False
                continue
            race = room.race
            doubted = {r for r in pending.requests if r not in compared and knows_more(race, r)}
            if doubted or pending.compare:
                players = {r.player.id for r in doubted}
                if pending.compare:
                    players.update(race.seats)
                pending.compare = False
                compared |= doubted
                room.apply(await self.changes(race, players))
                continue
            needed = [*room.behind, *(unread_seat(race, r) for r in pending.requests)]
            unread = (p for p in needed if p and race.seats[p].play is None)
            player = next((p for p in unread if p not in pending.broken), None)
            if player is None:
                for unreadable in pending.broken:
                    room.behind.pop(unreadable, None)
                return room
            try:
                await self.seat(race, player)
            except Damaged as damaged:
                self.damage.report(damaged)
                pending.broken.add(player)

    async def race(self, race: RaceId) -> Race | None:
        """Subscribe to a race and read it from the store; None if there is none.

        If no process has opened today's daily, this does: its first event is always the same.
        """
        self._meanwhile[race] = []
        was_subscribed = self.pubsub.hears_of(race)
        try:
            await self.pubsub.subscribe(race)
            while loaded := await self._fold(race):
                meanwhile, self._meanwhile[race] = self._meanwhile[race], []
                if fold_update(loaded, _merged(race, meanwhile)):
                    return loaded
            await self.pubsub.unsubscribe(race)
            return None
        except Exception:
            if not was_subscribed:  # no room exists that would unsubscribe later
                await self.pubsub.unsubscribe(race)
            raise
        finally:
            del self._meanwhile[race]

    async def seat(self, race: Race, player: PlayerId) -> None:
        """Load the log of one seat into the race."""
        while True:
            known = race.seats[player].status
            entries = await self.store.entries(race.id, player)
            # An update that came meanwhile may be newer than the log. If none came, the store has
            # lost what was known, and the log is the truth.
            if not _older(entries, race.seats[player].status) or race.seats[player].status == known:
                break
        with reading(log_name(race.id, player)):
            race.remember(player, entries)

    async def changes(self, race: Race, players: Collection[PlayerId]) -> PeerUpdate:
        """The state of a race and these seats in the store, as an update of a peer.

        A process or a connection may have died before the real update was published.
        """
        k = race.k
        events = await self.store.events(race.id, after=k)
        statuses = await self.store.statuses(race.id, list(players))
        return PeerUpdate(race.id, dict(enumerate(events, k + 1)), statuses)

    def keep(self, update: PeerUpdate) -> bool:
        """Keep an update if its race is being loaded, and return whether it is."""
        if update.race in self._meanwhile:
            self._meanwhile[update.race].append(update)
            return True
        return False

    async def _fold(self, race: RaceId) -> Race | None:
        now = self.clock()
        events = await self.store.events(race)
        if not events and daily.is_today(race, now):
            first = daily.opened(daily.daily_named(race, now), self.secret)
            await self.store.append([RoomAppend(race, 1, first)], {race: first.closes_at})
            events = await self.store.events(race)
        if not events:
            return None
        with reading(log_name(race)):
            loaded = Race(race, events)
        for player, status in (await self.store.statuses(race, list(loaded.seats))).items():
            loaded.take_status(player, status)
        loaded.take_moved()
        return loaded


def lacks(room: Room, request: Request) -> bool:
    """Whether something must be loaded before a request can be decided."""
    return room.stale or unread_seat(room.race, request) is not None


def knows_more(race: Race, request: Request) -> bool:
    """Whether a client knows, or claims to know, more moves of its seat than ``race`` has."""
    return commands.ahead(race, request.player.id, request.message)


def unread_seat(race: Race, request: Request) -> PlayerId | None:
    """The player whose log must be loaded before a request can be decided, if any."""
    if isinstance(request.message, RaceMessage):
        return commands.unread(race, request.player.id, request.message)
    return None


def _older(entries: list[Entry], status: SeatStatus) -> bool:
    """Whether a seat's log was read before ``status`` was written to it.

    A timeout may have been decided here that is not written yet.
    """
    last = entries[-1].n if entries else 0
    return last < status.moves - (status.state == "timed out")


def _merged(race: RaceId, updates: Sequence[PeerUpdate]) -> PeerUpdate:
    """Several updates as one. Each process publishes in order, but processes interleave."""
    merged = PeerUpdate(race, {}, {}, all(update.readable for update in updates))
    for update in updates:
        merged.events.update(update.events)
        for player, status in update.statuses.items():
            known = merged.statuses.get(player)
            if known is None or known.moves <= status.moves:
                merged.statuses[player] = status
    return merged
