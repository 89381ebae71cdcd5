"""The hub of a server process: it brings every request to its room, and commits what is decided.

The rooms in memory are a cache of the store. A room that may be wrong is reconciled before another
decision in it. Decisions are sent once they are durable.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import bigben_protocol as wire
from bigben_protocol import RaceId
from bigben_server.leaderboards.recorder import Recorder
from bigben_server.race import commands, daily, events, lobby
from bigben_server.race.events import Effect, Refusal, RoomEvent, SeatAppend
from bigben_server.race.state import Race
from bigben_server.race.transitions import OVER, RaceMessage
from bigben_server.rooms import services
from bigben_server.rooms.batch import Batch, Batches, BatchResult, races_of
from bigben_server.rooms.opening import Opening
from bigben_server.rooms.registry import Reconciliation, Rooms, knows_more, unread_seat
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision, Request, Session
from bigben_server.storage.client import Damaged, PartlyLost, StoreLost
from bigben_server.storage.pubsub import PeerUpdate
from bigben_server.storage.race_log import log_name
from bigben_server.tasks import all_set, not_cancelled

_log = logging.getLogger(__name__)

MOST_REFUSALS: Final = 10
"""After this many refusals in a row without anything new in the store, give the race up."""
RECORDED_S: Final = 1.0
"""How long a server that stops waits for the boards; another process records what is left."""


@dataclass(eq=False)
class Hub:
    """Decides requests in rooms. Sessions bring their messages to ``receive``."""

    rooms: Rooms
    opening: Opening
    services: services.Services
    recorder: Recorder
    _batches: Batches = field(default_factory=Batches, init=False)
    _reconciling: dict[RaceId, Reconciliation] = field(default_factory=dict, init=False)

    def start(self) -> None:
        """Start committing and listening to peers, as tasks of the supervisor."""
        self.rooms.supervisor.keep("the group commit", self._commit_batches)
        self.rooms.supervisor.keep("listening to peers", self._listen)

    async def settled(self) -> None:
        """Return once all decisions made so far are durable and sent, or lost.

        Seats that ended are then recorded, unless the boards take too long.
        """
        await self._batches.settled()
        with suppress(TimeoutError):
            async with asyncio.timeout(RECORDED_S):
                await all_set(self.recorder.under_way)

    # Requests

    def receive(self, session: Session, message: wire.ClientMessage) -> None:
        """Handle one message of a connection. The answer is sent once it is durable."""
        request = Request(session, message)
        try:
            if session.player is None and not isinstance(message, wire.Hello | wire.Ping):
                raise Refusal("hello", "Say hello first.")
            if isinstance(message, services.ServiceMessage):
                self.services.receive(request, message)
            elif isinstance(message, wire.Create):
                self._create(request, message)
            else:
                self._ask(self._race_named(request, message), request)
        except Refusal as refusal:
            services.refuse(request, refusal)

    def leave(self, session: Session) -> None:
        """Remove a closed connection. The seats of its player stay."""
        session.gone = True
        self.opening.quotas.left(session)
        for race in session.subscriptions.races():
            if room := self.rooms.get(race):
                room.unsubscribe(session)

    def _create(self, request: Request, wanted: wire.Create) -> None:
        self.opening.quotas.check_entering(request, request)
        first = self.opening.events(request, wanted)
        if wanted.seed:
            self.services.answer_later(
                request, lambda: self._open_chosen(request, wanted.seed, first)
            )
        else:
            self._batches.add(self.opening.create(request, first))

    async def _open_chosen(self, request: Request, seed: str, first: list[RoomEvent]) -> None:
        """Open a practice game with a chosen seed, unless an open race has that seed."""
        await self.opening.check_seed(seed)
        self._batches.add(self.opening.create(request, first))

    def _race_named(self, request: Request, message: RaceMessage | wire.Rematch) -> RaceId:
        """The race that a message names. Raises Refusal."""
        if daily.is_daily(message.race):
            race = daily.daily_named(message.race, self.rooms.clock()).id
        else:
            race = lobby.code_named(message.race)
        if isinstance(message, wire.Rematch):
            self.opening.quotas.check_entering(request, request)
        elif isinstance(message, wire.Join | wire.Watch | wire.Resume | wire.Move):
            self.opening.quotas.check_entering(request, race)
        return race

    def _ask(self, code: RaceId, request: Request) -> None:
        """Decide a request, once its room has what it needs."""
        room = self.rooms.get(code)
        if room and not self._lacks(room, request) and not knows_more(room.race, request):
            self._decide(room, request)
        else:
            self.reconcile(code).requests.append(request)

    def _lacks(self, room: Room, request: Request) -> bool:
        """Whether something must be loaded before a request can be decided."""
        reconciling = room.stale or room.race.id in self._reconciling
        return reconciling or unread_seat(room.race, request) is not None

    def _decide(self, room: Room, request: Request) -> None:
        """Decide a request in a room that has what it needs. Raises nothing."""
        race = room.race
        try:
            match request.message:
                case wire.Rematch() as wanted:
                    self._rematch(race, request, wanted)
                case wire.Create() as wanted:  # its code was taken, by this room
                    first = self.opening.events(request, wanted)
                    self._batches.add(self.opening.create(request, first))
                case message:
                    assert isinstance(message, RaceMessage), "services have no room"
                    now = self.rooms.clock()
                    effects = commands.receive(race, request.player, message, now)
                    self._batches.add(Decision(race.id, request, effects))
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        except Exception:
            room.stale = True  # it may be half changed
            _fail(race.id, [request])

    def _rematch(self, race: Race, request: Request, wanted: wire.Rematch) -> None:
        decision = self.opening.rematch(race, request, wanted)
        # Before the request moves on: the closed race, decided next, may make it a Join as well.
        if isinstance(decision, Decision) or isinstance(request.message, wire.Join):
            code = decision.race if isinstance(decision, Decision) else decision
            self.rooms.supervisor.start("naming a rematch", self._name_rematch, race.id, code)
        if isinstance(decision, Decision):
            self._batches.add(decision)
        else:
            self._ask(decision, request)

    async def _name_rematch(self, closed: RaceId, code: RaceId) -> None:
        """Write into the closed race which room follows it, once that room is durable."""
        await self._batches.settled()
        room, there = self.rooms.get(closed), self.rooms.get(code)
        if not room or room.stale or not there or there.stale or room.race.rematch == code:
            return  # lost, or a peer has written it; the next request for a rematch finds out
        if there.race.is_rematch_of(room.race):
            followed = room.race.write(events.Followed(code, self.rooms.clock()))
            self._batches.add(Decision(closed, None, [followed]))

    # Timers

    def tick(self) -> None:
        """Make the decisions that are due in rooms, by time or after the end of a seat."""
        now = self.rooms.clock()
        for room in self.rooms.due(now):
            code = room.race.id
            if room.stale:
                self.reconcile(code)
            elif self._is_busy(code):
                self.rooms.woken[code] = None  # until the next batch is committed
            else:
                try:
                    effects = commands.tick(room.race, now)
                    self.rooms.schedule(room)  # a peer may have begun a countdown
                except Exception as error:  # dropped, because it would fail again at once
                    damaged = Damaged(log_name(code), f"time breaks it: {error!r}")
                    self._give_up(code, damaged, [])
                else:
                    self._batches.add(Decision(code, None, effects))

    def sweep(self) -> None:
        """Drop rooms that nobody needs, and compare quiet rooms with the store.

        An update from a peer may have been lost. Call this now and then.
        """
        self.tick()  # then all rooms that the timer must look at are busy
        for code, room in list(self.rooms.items()):
            if room.subscribers:
                if room.quiet and room.race.live and not room.race.ended:
                    self.reconcile(code).compare = True
                room.quiet = True
            elif not self._is_busy(code):
                self.rooms.drop(code)

    def _is_busy(self, code: RaceId) -> bool:
        return code in self._reconciling or self._batches.holds(code)

    # Reconciling

    def reconcile(self, code: RaceId) -> Reconciliation:
        """Bring a room in line with the store, then decide the requests that wait for it.

        Write into the result at once what else it must do.
        """
        if code not in self._reconciling:
            pending = self._reconciling[code] = Reconciliation()
            what = f"reconciling race {code}"
            self.rooms.supervisor.start(what, self._reconcile, code, pending)
        return self._reconciling[code]

    async def _reconcile(self, code: RaceId, pending: Reconciliation) -> None:
        try:
            try:
                if self._batches.holds(code):
                    # If it were loaded now, it would lack what is under way. Nothing more is
                    # decided in it until it is loaded.
                    await self._batches.settled()
                room = await self.rooms.load(code, pending)
            finally:
                del self._reconciling[code]
            # No await from here to the last request, so that what was loaded for it stays.
            if pending.record:
                self.recorder.see_to(room.race, recover=pending.recover)
            effects = [*room.catch_up(self.rooms.clock()), *self._end_broken(room.race)]
        except StoreLost as error:
            self._lose(error, [code], pending.requests)
            return
        except Exception as error:
            self._give_up(code, error, pending.requests)
            return
        self._batches.add(Decision(code, None, effects))
        for request in pending.requests:
            if self._lacks(room, request):  # the one before it failed
                self.reconcile(code).requests.append(request)
            else:
                self._decide(room, request)
        self.rooms.wake(code)

    async def _listen(self) -> None:
        """Apply the updates of peers. After an outage, first mark every room as stale."""
        await self.rooms.pubsub.again()
        for code, room in self.rooms.items():
            room.stale = True
            self.reconcile(code)
        async for update in self.rooms.pubsub.updates():
            self._hear(update)

    def _hear(self, update: PeerUpdate) -> None:
        room = self.rooms.get(update.race)
        if self.rooms.keep(update) or room is None:
            return
        room.apply(update)
        if room.stale or room.behind:
            self.reconcile(update.race)
        else:
            self.rooms.wake(update.race)

    def _end_broken(self, race: Race) -> list[Effect]:
        """End the seats whose logs lack entries in between, and tell their players."""
        effects = commands.end_broken(race, self.rooms.clock())
        for append in effects:
            if isinstance(append, SeatAppend):
                lost = f"entry {append.entry.n} is missing before entry {append.follows}"
                log = log_name(race.id, append.player)
                _log.error("%s: %s; the seat is ended there", log, lost)
        return effects

    # Committing

    async def _commit_batches(self) -> None:
        try:
            while not_cancelled():
                await self._commit(await self._batches.next())
                self._batches.done()
                if self.rooms.woken:
                    self.rooms.sooner.set()
        finally:
            self._batches.close()

    async def _commit(self, batch: Batch) -> None:
        """Make a batch durable, then send it. A failure in one race affects that race alone."""
        try:
            await self._commit_whole(batch)
        except Exception as error:
            races = races_of(batch.decisions)
            for code in races:
                # It may have ended seats that are durable and not recorded yet.
                pending = self.reconcile(code)
                pending.record = pending.recover = True
                of_race = [decision for decision in batch.decisions if decision.race == code]
                if len(races) > 1:
                    # What is already written is refused now, and found when the race is loaded.
                    await self._commit(Batch(of_race))
                else:
                    self._give_up(code, error, _requests(of_race))

    async def _commit_whole(self, batch: Batch) -> None:
        rooms = self.rooms
        result = await batch.write(rooms, rooms.store, rooms.pubsub, rooms.clock())
        self._follow_up(result)  # before a race that is given up is dropped
        if result.error:
            partly = isinstance(result.error, PartlyLost)
            lost = races_of(result.unknown) if partly else list(rooms)
            self._lose(result.error, lost, _requests(result.unknown))
        stale = races_of(result.again)
        again = [*result.again, *self._batches.withdraw(stale)]
        for code in stale:
            self._decide_again(code, _requests(d for d in again if d.race == code))
        if result.appends:
            try:
                await rooms.pubsub.publish(result.updates())
            except StoreLost as error:
                rooms.supervisor.lost(error)

    def _follow_up(self, result: BatchResult) -> None:
        """Start the work after a batch for which no player waits."""
        over = []
        for append in result.appends:
            room = self.rooms.get(append.race)
            if room is None:
                continue
            if isinstance(append, SeatAppend):
                if append.status.state in OVER:
                    over.append((room.race, room.race.seats[append.player]))
                    self.rooms.wake(append.race)
                continue
            self.rooms.schedule(room)
            if isinstance(append.event, events.Closed | events.Cancelled):
                self.recorder.see_to(room.race)
            elif isinstance(append.event, events.Opened | events.Counted):
                what = "noting the seed of a race"
                self.rooms.supervisor.start(what, self.opening.note_seeds, room.race)
        self.recorder.over(over)

    # When something is wrong

    def _decide_again(self, code: RaceId, requests: list[Request]) -> None:
        """The store refused a decision: a peer was first, or the store has lost something."""
        if self.rooms[code].refused() > MOST_REFUSALS:
            why = "appends are refused, however often the race is read again"
            self._give_up(code, Damaged(log_name(code), why), requests)
        else:
            self.reconcile(code).requests[:0] = requests

    def _lose(
        self, error: StoreLost, races: Collection[RaceId], requests: Iterable[Request]
    ) -> None:
        """Mark rooms as stale whose memory may be ahead of the store, and close the connections of
        these requests and of all that wait in them; their clients come back and resume.
        """
        self.rooms.supervisor.lost(error)
        for code in races:
            if room := self.rooms.get(code):
                room.stale = True
        for request in [*requests, *_requests(self._batches.withdraw(races))]:
            request.session.close(services.TRY_AGAIN_LATER, services.STORE_AWAY)

    def _give_up(self, code: RaceId, error: Exception, requests: list[Request]) -> None:
        """Give up a race that can't be read, or what was decided in it when our code failed."""
        requests = [*requests, *_requests(self._batches.withdraw([code]))]
        if isinstance(error, Damaged | Refusal):
            self.rooms.withdraw(code, error, requests)
            return
        _fail(code, requests)
        if code in self.rooms:
            self._decide_again(code, [])


def _requests(decisions: Iterable[Decision]) -> list[Request]:
    return [decision.request for decision in decisions if decision.request]


def _fail(code: RaceId, requests: Iterable[Request]) -> None:
    """Log the current exception, and close the connections; their clients reconnect."""
    _log.exception("race %s can't go on", code)
    for request in requests:
        request.session.fail()
