"""The rooms of this process: how they are loaded and written, when a timer looks at them.

Loading writes nothing, except the first event of today's daily.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from bigben_protocol import PlayerId, RaceId, Rematch
from bigben_protocol.sentence import sentence
from bigben_server.race import daily, deciding, lobby, timers
from bigben_server.race.broadcasts.updates import updates_of
from bigben_server.race.broadcasts.visible import SMALL_FIELD
from bigben_server.race.choosing import UNATTENDED_MS
from bigben_server.race.events import Append, PeerUpdate, Refusal, RoomAppend, check_version
from bigben_server.race.state import Race
from bigben_server.race.views import Announcement
from bigben_server.rooms.batch import Batch, Batches, BatchResult, races_of, requests_of
from bigben_server.rooms.requests import Request
from bigben_server.rooms.room import Room, fold_update, is_older
from bigben_server.rooms.session import Session
from bigben_server.storage.bounds.house import HouseSeats
from bigben_server.storage.client import Damaged, PartlyLost, StoreLost, chunks, reading
from bigben_server.storage.dailies import first_event
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor

DROPPED_TOGETHER: Final = 5
"""Rooms that are dropped in one turn of the event loop, so that no move waits for it."""
MOST_TRIES: Final = 20
AGAIN_S: Final = 0.05
"""How often to look whether a room agrees with the store, and the time in between."""


@dataclass(slots=True, eq=False)
class Reconciliation:
    """What waits until a room agrees with the store."""

    requests: list[Request] = field(default_factory=list)
    """The waiting requests, in the order in which they will be decided."""
    readers: list[tuple[Session, str | None]] = field(default_factory=list)
    """The connections that wait for it, and who has a turn to read until it ends."""
    compare: bool = False
    """Ask the store for changes in all seats, not only for requests that know more."""
    record: bool = False
    """Record the end of the race, if it has ended."""
    recover: bool = False
    """Record also the results of its seats, in case a process died before it did."""


@dataclass(eq=False, repr=False)
class Rooms(dict[RaceId, Room]):
    """The rooms by code. Every coroutine raises StoreLost and Damaged."""

    store: Store
    pubsub: PubSub
    supervisor: Supervisor
    secret: bytes
    clock: Callable[[], int]
    house: HouseSeats = field(init=False)
    batches: Batches = field(default_factory=Batches, init=False)
    reconciling: dict[RaceId, Reconciliation] = field(default_factory=dict, init=False)
    woken: dict[RaceId, None] = field(default_factory=dict, init=False)
    """The rooms that the timer must look at, whatever the time."""
    sooner: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when a room may be due before ``next_at``."""
    _agenda: list[tuple[int, RaceId]] = field(default_factory=list, init=False)
    """A heap of times and rooms. An entry whose room has a new time does no harm."""
    _scheduled: set[tuple[int, RaceId]] = field(default_factory=set, init=False)
    """What the agenda has, so that it has nothing twice."""
    _sending: dict[RaceId, tuple[Room, Announcement]] = field(default_factory=dict, init=False)
    """The rooms of the batch that is being written; one that is dropped meanwhile is among them."""
    _relayed: dict[Session, None] = field(default_factory=dict, init=False)
    """Sessions for which frames of peers were put."""
    _meanwhile: dict[RaceId, list[PeerUpdate]] = field(default_factory=dict, init=False)
    """Updates of races that are being loaded; they may be newer than what was read."""

    def __post_init__(self) -> None:
        self.house = HouseSeats(self.store, self.secret)

    # Timers

    def before_ping(self, session: Session) -> None:
        """Write what the session has not heard of large crowds. The ping is in the same write."""
        for room in self.followed_by(session):
            room.crowd.tell(session)

    def followed_by(self, session: Session) -> list[Room]:
        """The rooms to which a session subscribes."""
        return [self[race] for race in session.subscriptions.races() if race in self]

    def wake(self, code: RaceId) -> None:
        """Let the timer look at this room soon."""
        self.woken[code] = None
        self.sooner.set()

    def schedule(self, room: Room) -> None:
        """Let the timer look at this room when time next changes its race."""
        entry = (timers.next_at(room.race, self.clock()), room.race.id)
        if entry[0] and entry not in self._scheduled:
            self._scheduled.add(entry)
            heappush(self._agenda, entry)
            self.sooner.set()

    def next_at(self) -> int:
        """When a room is next due, ms since 1970; 0 for never."""
        return self._agenda[0][0] if self._agenda else 0

    def due(self, now: int) -> list[Room]:
        """The rooms that the timer must look at, each once."""
        while self._agenda and self._agenda[0][0] <= now:
            self._scheduled.remove(entry := heappop(self._agenda))
            self.woken[entry[1]] = None
        woken, self.woken = self.woken, {}
        return [self[code] for code in woken if code in self]

    # What waits, and dropping

    def is_busy(self, code: RaceId) -> bool:
        """Whether a room is being reconciled, or something of it is not durable yet."""
        return code in self.reconciling or self.batches.holds(code)

    def lacks(self, room: Room, request: Request, *, compared: bool) -> bool:
        """Whether something must be loaded before a request can be decided.

        ``compared``: with the store, which alone may have moves that the request claims.
        """
        if room.stale or room.race.id in self.reconciling:
            return True
        needs = deciding.needs(room.race, request)
        if needs is deciding.NO_NEEDS:
            return False
        is_later = needs.later and not compared
        return needs.log is not None or is_later or (bool(needs.house) and request.house is None)

    async def agreed(self, *codes: RaceId) -> list[Room]:
        """The rooms, once they agree with the store and all that was decided before is committed.

        Empty if one of them was dropped, or it takes too long.
        """
        for _ in range(MOST_TRIES):
            await self.batches.settled()
            rooms = [self[code] for code in codes if code in self]
            if len(rooms) < len(codes):
                break
            if not any(room.stale for room in rooms):
                return rooms
            await asyncio.sleep(AGAIN_S)
        return []

    def withdraw(self, races: Collection[RaceId]) -> list[Request]:
        """Take back what waits to be committed in these races, and return its requests."""
        return requests_of(self.batches.withdraw(races))

    def lose(
        self, error: StoreLost, races: Collection[RaceId], requests: Iterable[Request]
    ) -> None:
        """Mark rooms as stale whose memory may be ahead of the store, and close the connections of
        these requests and of all that wait in them; their clients come back and resume.
        """
        self.supervisor.lost(error)
        for code in races:
            if room := self.get(code):
                room.stale = True
        for request in [*requests, *self.withdraw(races)]:
            request.session.send_away()

    def drop(self, *codes: RaceId) -> None:
        """Forget rooms, and unsubscribe from their updates by peers."""
        for code in codes:
            del self[code]
        self.supervisor.start("unsubscribing", self.pubsub.unsubscribe, *codes)

    async def drop_unused(self) -> None:
        """Forget the rooms that nobody needs, some at a time: each frees thousands of positions."""
        for some in chunks(list(self), DROPPED_TOGETHER):
            if unused := [code for code in some if code in self and self._is_unused(code)]:
                self.drop(*unused)
                await asyncio.sleep(0)

    def _is_unused(self, code: RaceId) -> bool:
        room = self[code]
        # If peers may think that somebody is here, or have asked, they are told first.
        told = room.attendance.told == frozenset()
        return told and not room.subscribers and not self.is_busy(code)

    def abandon(self, code: RaceId, error: Damaged | Refusal, requests: Iterable[Request]) -> None:
        """Drop a race that can't be used, and tell its subscribers and requesters."""
        if isinstance(error, Damaged):
            self.store.report(error)
        unreadable = sentence("race.unreadable", race=code)
        refusal = Refusal("unknown", error.said if isinstance(error, Refusal) else unreadable)
        for request in requests:
            request.refuse(refusal)
        if room := self.get(code):
            for session in list(room.sessions):
                room.unsubscribe(session)
                session.tell(refusal.message(code))
            self.drop(code)

    # Loading

    async def load(self, code: RaceId, pending: Reconciliation) -> Room:
        """The room with everything that its pending requests need.

        More requests may arrive meanwhile. Call it when nothing of the room waits for a commit.
        Raises Refusal if there is no such race.
        """
        compared: set[Request] = set()
        while True:
            room = self.get(code)
            if room is None or room.stale:
                if (race := await self.race(code)) is None:
                    raise lobby.unknown(code)
                if room:
                    room.replace(race)
                else:
                    self[code] = Room(race, self.clock())
                pending.compare = False
                continue
            race = room.race
            needs = {r: deciding.needs(race, r) for r in pending.requests}
            doubted = {r for r in needs if needs[r].later and r not in compared}
            if doubted or pending.compare:
                players = {r.player.id for r in doubted}
                players.update(race.seats if pending.compare else ())
                pending.compare = False
                compared |= doubted
                room.apply(await self._changes(race, players))
                continue
            if await self._ask_house(race, needs):
                continue
            unread = (*room.behind, *(each.log for each in needs.values()))
            player = next((p for p in unread if p and race.seats[p].play is None), None)
            if player is None:
                return room
            try:
                await self._load_seat(race, player)
            except Damaged as damaged:
                self.store.report(damaged)
                room.behind.pop(player, None)
                for request in [r for r in needs if needs[r].log == player]:
                    pending.requests.remove(request)
                    request.refuse(Refusal("unknown", sentence("move.unreadable")))

    async def _ask_house(self, race: Race, needs: Mapping[Request, deciding.Needs]) -> bool:
        """Ask for the house players whom a request needs. False if none needs any."""
        for request, needed in needs.items():
            if request.house is None and needed.house:
                by, address = request.player.id, request.session.address
                code = race.id
                if isinstance(request.message, Rematch):
                    code = next(lobby.rematch_codes(race.opened.server_seed))
                request.house = await self.house.ask(code, needed.house, by, address, self.clock())
                return True
        return False

    async def race(self, code: RaceId) -> Race | None:
        """Subscribe to a race and read it from the store; None if there is none.

        If no process has opened today's daily, this does: its first event is always the same.
        """
        self._meanwhile[code] = []
        was_subscribed = self.pubsub.hears_of(code)
        try:
            await self.pubsub.follow(code)
            while race := await self._read(code):
                meanwhile, self._meanwhile[code] = self._meanwhile[code], []
                if all(fold_update(race, update) for update in meanwhile):
                    return race
            await self.pubsub.unsubscribe(code)
            return None
        except Exception:
            if not was_subscribed:  # no room exists that would unsubscribe later
                await self.pubsub.unsubscribe(code)
            raise
        finally:
            del self._meanwhile[code]

    # Peers

    def publish(self, appends: Iterable[Append]) -> None:
        """Let the peers who follow these races hear of appends that were just sent."""
        followed = [append for append in appends if self.pubsub.is_followed(append.race)]
        for update in updates_of(followed):
            room, _ = self._sending[update.race]
            if len(room.race.seats) <= SMALL_FIELD:
                self.pubsub.publish(room.relayed(update) if self.pubsub.relays else update)
                continue
            if update.events:
                self.pubsub.publish(PeerUpdate(update.race, update.events, {}))
            if update.statuses:
                self.pubsub.publish_late(PeerUpdate(update.race, {}, update.statuses))

    def hear(self, update: PeerUpdate) -> Room | None:
        """Take a peer's update. Returns the room if it must be looked at, maybe read again."""
        room = self.get(update.race)
        if update.asks:
            known = room.known if room else PeerUpdate(update.race, {}, {}, known=0)
            known.process = update.process
            self.pubsub.answer(known)
        if self.keep(update) or room is None:
            return None
        # An answer that was made before is sent later, and must not hide what is newer.
        shown = self.batches.shown(update.race)
        if not shown and room.relay(update):
            self._relayed |= room.sessions
            return None
        room.apply(update, shown)
        return room

    def flush_relayed(self) -> None:
        """Write what peers have encoded for the sessions."""
        relayed, self._relayed = self._relayed, {}
        for session in relayed:
            session.flush()

    def keep(self, update: PeerUpdate) -> bool:
        """Keep an update if its race is being loaded, and return whether it is."""
        if kept := update.race in self._meanwhile:
            self._meanwhile[update.race].append(update)
        return kept

    async def write(self, batch: Batch) -> BatchResult:
        """Make a batch durable as far as possible. Then ``send`` it before you await anything, and
        handle what is lost or was refused.
        """
        now = self.clock()
        self._sending = {code: (self[code], self[code].announcement(now)) for code in batch.races}
        of_rooms = [append for append in batch.appends if isinstance(append, RoomAppend)]
        agenda = {code: _due_at(self[code].race, now) for code in races_of(of_rooms)}
        try:
            if opened := [append.race for append in of_rooms if append.number == 1]:
                await self.pubsub.subscribe(*opened)  # before a peer can know of them
            return batch.result(await self.store.append(batch.appends, agenda))
        except PartlyLost as error:
            return batch.result(error.refused, error.lost, error)
        except StoreLost as error:
            return BatchResult([], [], [], batch.decisions, error)

    def send(self, result: BatchResult) -> None:
        """Send what is durable, with one write to each socket."""
        for decision in result.durable:
            self._sending[decision.race][0].carry_out(decision)
        sessions: dict[Session, None] = {}
        unsent = races_of([*result.again, *result.unknown])
        for code, (room, announcement) in self._sending.items():
            if code not in unsent:
                room.broadcast(announcement)
            sessions |= room.take_unflushed()
            room.crowd.start(self.supervisor)
            room.gathering.start(self.supervisor, self.pubsub)
        for session in sessions:
            session.flush()

    async def _read(self, code: RaceId) -> Race | None:
        race = await self._read_once(code)
        if race and race.lacks_events:  # its seats began after its events were read
            race = await self._read_once(code)
        return race

    async def _read_once(self, code: RaceId) -> Race | None:
        now = self.clock()
        events = await self.store.events(code)
        if not events and daily.is_today(code, now):
            first = await first_event(self.store, daily.daily_named(code, now), self.secret)
            check_version(first, self.store.version)
            await self.store.append([RoomAppend(code, 1, first)], {code: first.closes_at})
            events = await self.store.events(code)
        if not events:
            return None
        with reading(self.store.keys.log(code)):
            race = Race(code, events)
        for player, status in (await self.store.statuses(code, list(race.seats))).items():
            race.take_status(player, status)
        race.take_moved()
        return race

    async def _load_seat(self, race: Race, player: PlayerId) -> None:
        while True:
            known = race.seats[player].status
            entries = await self.store.entries(race.id, player)
            # An update that came meanwhile may be newer than the log. If none came, the store has
            # lost what was known, and the log is the truth.
            status = race.seats[player].status
            if not is_older(entries, status) or status == known:
                break
        with reading(self.store.keys.log(race.id, player)):
            race.remember(player, entries)

    async def _changes(self, race: Race, players: Collection[PlayerId]) -> PeerUpdate:
        """The state of a race and these seats in the store, as an update of a peer.

        A process or a connection may have died before the real update was published.
        """
        known = race.event_count
        events = await self.store.events(race.id, after=known)
        statuses = await self.store.statuses(race.id, list(players))
        return PeerUpdate(race.id, dict(enumerate(events, known + 1)), statuses)


def _due_at(race: Race, now: int) -> int:
    """When a race is due on the agenda, ms since 1970; 0 for never.

    A race that has ended stays due until all of it is recorded. One whose deal is being chosen is
    due when nobody has looked for it for a while. When a countdown is over nothing is written, so
    the race is due at its end; else other processes would load it while it runs. That the time of a
    single seat is up is noticed by the processes that have the room, or at the deadline.
    """
    if race.choosing_until:
        return min(race.choosing_until, now + UNATTENDED_MS)
    if race.phase(now) == "countdown" and not race.mixing_until:
        return race.closes_at
    return now if race.ended else timers.due_at(race, now)
