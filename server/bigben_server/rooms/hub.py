"""The hub of a server process: it owns the rooms and brings every request to its room.

The rooms in memory are a cache of the store. A room that may be wrong is reconciled before another
decision in it. Decisions are sent once they are durable.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final

import bigben_protocol as wire
from bigben_protocol import RaceId
from bigben_server.leaderboards.recorder import Recorder
from bigben_server.race import commands, daily, events, lobby
from bigben_server.race.events import Effect, Refusal, RoomEvent, SeatAppend
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.race.transitions import OVER, RaceMessage
from bigben_server.rooms import services
from bigben_server.rooms.batch import Batch, Batches, BatchResult, GroupCommit
from bigben_server.rooms.loader import Loader, Reconciliation, knows_more, lacks, unread_seat
from bigben_server.rooms.opening import Opening
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.registry import UNREADABLE, Rooms
from bigben_server.rooms.room import Room
from bigben_server.rooms.services import ServiceMessage, Services
from bigben_server.rooms.session import Decision, Request, Session
from bigben_server.storage.client import Damaged, DamageLog, PartlyLost, StoreLost
from bigben_server.storage.pubsub import PeerUpdate, PubSub
from bigben_server.storage.race_log import Store, log_name
from bigben_server.supervisor import Supervisor
from bigben_server.tasks import all_set, not_cancelled

_log = logging.getLogger(__name__)

MOST_REFUSALS: Final = 10
"""After this many refusals in a row without anything new in the store, give the race up."""
RECORDED_S: Final = 1.0
"""How long a server that stops waits for the boards; another process records what is left."""


class Hub:
    """The rooms of this process. Sessions bring their messages to ``receive``."""

    def __init__(
        self,
        store: Store,
        pubsub: PubSub,
        services: Services,
        recorder: Recorder,
        quotas: Quotas,
        supervisor: Supervisor,
        damage: DamageLog,
        secret: bytes,
        *,
        clock: Callable[[], int],
        random_bytes: RandomBytes,
    ) -> None:
        self._pubsub = pubsub
        self._services = services
        self._recorder = recorder
        self._quotas = quotas
        self._supervisor = supervisor
        self._clock = clock
        self.rooms = Rooms(pubsub, supervisor, damage)
        self._batches = Batches()
        self._group_commit = GroupCommit(self.rooms, store, pubsub, clock)
        self._loader = Loader(self.rooms, store, pubsub, damage, secret, clock)
        self._opening = Opening(self.rooms, store, quotas, secret, clock, random_bytes)
        self._reconciling: dict[RaceId, Reconciliation] = {}

    def start(self) -> None:
        """Start committing and listening to peers, as tasks of the supervisor."""
        self._supervisor.keep("the group commit", self._commit_batches)
        self._supervisor.keep("listening to peers", self._listen)

    async def settled(self) -> None:
        """Return once all decisions made so far are durable and sent, or lost.

        Seats that ended are then recorded, unless the boards take too long.
        """
        await self._batches.settled()
        with suppress(TimeoutError):
            async with asyncio.timeout(RECORDED_S):
                await all_set(self._recorder.under_way)

    # Requests

    def receive(self, session: Session, message: wire.ClientMessage) -> None:
        """Handle one message of a connection. The answer is sent once it is durable."""
        request = Request(session, message)
        try:
            if session.player is None and not isinstance(message, wire.Hello | wire.Ping):
                raise Refusal("hello", "Say hello first.")
            if isinstance(message, ServiceMessage):
                self._services.receive(request, message)
            elif isinstance(message, wire.Create):
                self._create(request, message)
            else:
                self._ask(self._race_named(request, message), request)
        except Refusal as refusal:
            services.refuse(request, refusal)

    def leave(self, session: Session) -> None:
        """Remove a closed connection. The seats of its player stay."""
        session.gone = True
        self._quotas.left(session)
        for race in tuple(session.subscriptions.races):
            if room := self.rooms.get(race):
                room.unsubscribe(session)

    def _create(self, request: Request, wanted: wire.Create) -> None:
        self._quotas.check_entering(request, request)
        first = self._opening.events(request, wanted)
        if wanted.seed:
            self._services.answer_later(
                request, lambda: self._open_chosen(request, wanted.seed, first)
            )
        else:
            self._batches.add(self._opening.create(request, first))

    async def _open_chosen(self, request: Request, seed: str, first: list[RoomEvent]) -> None:
        """Open a practice game with a chosen seed, unless an open race has that seed."""
        await self._opening.check_seed(seed)
        self._batches.add(self._opening.create(request, first))

    def _race_named(self, request: Request, message: RaceMessage | wire.Rematch) -> RaceId:
        """The race that a message names. Raises Refusal."""
        if daily.is_daily(message.race):
            race = daily.daily_named(message.race, self._clock()).id
        else:
            race = lobby.code_named(message.race)
        match message:
            case wire.Rematch():
                self._quotas.check_entering(request, request)
            case wire.Join() | wire.Watch() | wire.Resume() | wire.Move():
                self._quotas.check_entering(request, race)
            case _:
                pass  # subscribes to nothing
        return race

    def _ask(self, code: RaceId, request: Request) -> None:
        """Decide a request, once its room has what it needs."""
        room = self.rooms.get(code)
        ready = room and code not in self._reconciling and not lacks(room, request)
        if room and ready and not knows_more(room.race, request):
            self._decide(room, request)
        else:
            self.reconcile(code, [request])

    def _decide(self, room: Room, request: Request) -> None:
        """Decide a request in a room that has what it needs. Raises nothing."""
        race = room.race
        try:
            match request.message:
                case wire.Rematch() as wanted:
                    self._rematch(race, request, wanted)
                case wire.Create() as wanted:  # its code was taken, by this room
                    first = self._opening.events(request, wanted)
                    self._batches.add(self._opening.create(request, first))
                case message:
                    assert isinstance(message, RaceMessage), "services have no room"
                    effects = commands.receive(race, request.player, message, self._clock())
                    self._batches.add(Decision(race.id, request, effects))
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        except Exception:
            room.distrust()  # it may be half changed
            _fail(race.id, [request])

    def _rematch(self, race: Race, request: Request, wanted: wire.Rematch) -> None:
        decision = self._opening.rematch(race, request, wanted)
        # Before the request moves on: the closed race, decided next, may make it a Join as well.
        if isinstance(decision, Decision) or isinstance(request.message, wire.Join):
            code = decision.race if isinstance(decision, Decision) else decision
            self._supervisor.start("naming a rematch", self._name_rematch, race.id, code)
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
            followed = room.race.write(events.Followed(code, self._clock()))
            self._batches.add(Decision(closed, None, [followed]))

    # Timers

    def tick(self) -> None:
        """Make the decisions that are due in rooms, by time or after the end of a seat."""
        now = self._clock()
        for room in self.rooms.due(now):
            code = room.race.id
            if room.stale:
                self.reconcile(code)
            elif self._is_busy(code):
                self.rooms.wake_later(code)
            else:
                try:
                    effects = commands.tick(room.race, now)
                    room.next_at = room.race.next_at(now)  # a peer may have begun a countdown
                except Exception as error:  # dropped, because it would fail again at once
                    self._fence(code, Damaged(log_name(code), f"time breaks it: {error!r}"), [])
                else:
                    self._batches.add(Decision(code, None, effects))

    def sweep(self) -> None:
        """Drop rooms that nobody needs, and compare quiet rooms with the store.

        An update from a peer may have been lost. Call this now and then.
        """
        for code, room in list(self.rooms.items()):
            if room.subscribers:
                if room.quiet and room.race.live and not room.race.ended:
                    self.reconcile(code, compare=True)
                room.quiet = True
            elif not (self.rooms.is_woken(code) or self._is_busy(code)):
                del self.rooms[code]

    def _is_busy(self, code: RaceId) -> bool:
        return code in self._reconciling or self._batches.holds(code)

    # Reconciling

    def reconcile(
        self,
        code: RaceId,
        requests: Sequence[Request] = (),
        *,
        first: bool = False,
        compare: bool = False,
        record: bool = False,
        recover: bool = False,
    ) -> None:
        """Bring a room in line with the store, then decide the requests that wait for it.

        ``first``: put these requests before the waiting ones. ``Reconciliation`` explains the rest.
        """
        pending = self._reconciling.get(code)
        if pending is None:
            pending = self._reconciling[code] = Reconciliation()
            self._supervisor.start(f"reconciling race {code}", self._reconcile, code, pending)
        at = 0 if first else len(pending.requests)
        pending.requests[at:at] = requests
        pending.compare |= compare
        pending.record |= record
        pending.recover |= recover

    async def _reconcile(self, code: RaceId, pending: Reconciliation) -> None:
        try:
            if self._batches.holds(code):
                # If it were loaded now, it would lack what is under way. Nothing more is decided in
                # it until it is loaded.
                await self._batches.settled()
            room = await self._loader.room(code, pending)
        except StoreLost as error:
            self._lost(error, pending.requests)
            return
        except Damaged as damaged:
            self._fence(code, damaged, pending.requests)
            return
        except Exception:
            _fail(code, pending.requests)
            return
        finally:
            del self._reconciling[code]
        if room is None:
            text = f"There is no race {code[:40]}; check its name."
            self.rooms.withdraw(code, text, [*pending.requests, *self._withdrawn(code)])
            return
        # No await from here to the last request, so that what was loaded for it stays.
        try:
            if pending.record:
                self._recorder.see_to(room.race, recover=pending.recover)
            effects = [*room.catch_up(self._clock()), *self._end_broken(room.race)]
        except Exception as error:
            self._give_up(code, error, pending.requests)
            return
        self._batches.add(Decision(code, None, effects))
        for request in pending.requests:
            if unread_seat(room.race, request) in pending.broken:
                request.refuse("unknown", UNREADABLE.format("This game"))
            elif code in self._reconciling or lacks(room, request):  # the one before it failed
                self.reconcile(code, [request])
            else:
                self._decide(room, request)
        self.rooms.wake(code)

    async def _listen(self) -> None:
        """Apply the updates of peers. After an outage, first mark every room as stale."""
        await self._pubsub.again()
        for code, room in list(self.rooms.items()):
            room.distrust()
            self.reconcile(code)
        async for update in self._pubsub.updates():
            self._hear(update)

    def _hear(self, update: PeerUpdate) -> None:
        room = self.rooms.get(update.race)
        if self._loader.keep(update) or room is None:
            return
        room.apply(update)
        if room.stale or room.behind:
            self.reconcile(update.race)
        else:
            self.rooms.wake(update.race)

    def _end_broken(self, race: Race) -> list[Effect]:
        """End the seats whose logs lack entries in between, and tell their players."""
        effects = commands.end_broken(race, self._clock())
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
                self.rooms.committed()
        finally:
            self._batches.close()

    async def _commit(self, batch: Batch) -> None:
        """Make a batch durable, then send it. A failure in one race affects that race alone."""
        try:
            await self._commit_whole(batch)
        except Exception as error:
            for code in batch.races:
                # It may have ended seats that are durable and not recorded yet.
                self.reconcile(code, record=True, recover=True)
                of_race = [decision for decision in batch.decisions if decision.race == code]
                if len(batch.races) > 1:
                    # What is already written is refused now, and found when the race is loaded.
                    await self._commit(Batch(of_race))
                else:
                    self._give_up(code, error, _requests(of_race))

    async def _commit_whole(self, batch: Batch) -> None:
        result = await self._group_commit.write(batch)
        self._follow_up(result)  # before a race that is given up is dropped
        if result.error:
            races = result.lost if isinstance(result.error, PartlyLost) else set(self.rooms)
            self._forget(result.error, races, result.unknown)
        again = [*result.again, *self._batches.withdraw(result.stale)]
        for code in result.stale:
            self._decide_again(code, _requests(d for d in again if d.race == code))
        if result.appends:
            try:
                await self._pubsub.publish(result.updates())
            except StoreLost as error:
                self._supervisor.lost(error)

    def _follow_up(self, result: BatchResult) -> None:
        """Start the work after a batch for which no player waits."""
        races = {a.race: self.rooms[a.race] for a in result.appends if a.race in self.rooms}
        ended = [a for a in result.appends if isinstance(a, SeatAppend) and a.status.state in OVER]
        over = [(race, race.seats[a.player]) for a in ended for race in (races[a.race].race,)]
        self._recorder.over(over)
        for race, _ in over:
            self.rooms.wake(race.id)
        for code in result.with_events(events.Closed, events.Cancelled):
            self._recorder.ended(races[code].race)
        for code in result.with_events(events.Opened, events.Counted):
            race = races[code].race
            self._supervisor.start("noting the seed of a race", self._opening.note_seeds, race)
            self.rooms.wake(code)  # a countdown ends before the next tick
        for code in races.keys() - result.stale:
            races[code].written()

    # When something is wrong

    def _decide_again(self, code: RaceId, requests: list[Request]) -> None:
        """The store refused a decision: a peer was first, or the store has lost something."""
        if self.rooms[code].refused() > MOST_REFUSALS:
            why = "appends are refused, however often the race is read again"
            self._fence(code, Damaged(log_name(code), why), requests)
        else:
            self.reconcile(code, requests, first=True)

    def _forget(
        self, error: StoreLost, races: Collection[RaceId], unknown: Iterable[Decision]
    ) -> None:
        """Mark rooms as stale whose memory may be ahead of the store, and close their requests."""
        decisions = [*unknown, *self._batches.withdraw(races)]
        for code in races:
            if room := self.rooms.get(code):
                room.distrust()
        self._lost(error, _requests(decisions))

    def _lost(self, error: StoreLost, requests: Iterable[Request]) -> None:
        """Close the connections of these requests; their clients come back and resume."""
        self._supervisor.lost(error)
        for session in dict.fromkeys(request.session for request in requests):
            session.close(services.TRY_AGAIN_LATER, services.STORE_AWAY)

    def _give_up(self, code: RaceId, error: Exception, requests: list[Request]) -> None:
        """Give up a race that is damaged, or in which our code failed."""
        if isinstance(error, Damaged):
            self._fence(code, error, requests)
            return
        _fail(code, [*requests, *self._withdrawn(code)])
        if code in self.rooms:
            self._decide_again(code, [])

    def _fence(self, code: RaceId, damaged: Damaged, requests: list[Request]) -> None:
        self.rooms.fence(code, damaged, [*requests, *self._withdrawn(code)])

    def _withdrawn(self, code: RaceId) -> list[Request]:
        """The requests of decisions that waited to be committed in this race."""
        return _requests(self._batches.withdraw([code]))


def _requests(decisions: Iterable[Decision]) -> list[Request]:
    return [decision.request for decision in decisions if decision.request]


def _fail(code: RaceId, requests: Iterable[Request]) -> None:
    """Log the current exception, and close the connections; their clients reconnect."""
    _log.exception("race %s can't go on", code)
    for request in requests:
        request.session.fail()
