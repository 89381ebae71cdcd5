"""The hub of a server process: it brings every request to its room, and commits what is decided.

The rooms in memory are a cache of the store. A room that may be wrong is reconciled before another
decision in it. Decisions are sent once they are durable.
"""

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import bigben_protocol as wire
from bigben_protocol.sentence import sentence
from bigben_server import logs
from bigben_server.leaderboards.recorder import Recorder
from bigben_server.race import choosing, daily, deciding, events, lobby, timers
from bigben_server.race.broadcasts.visible import SMALL_FIELD
from bigben_server.race.decisions import Decision
from bigben_server.race.events import PeerUpdate, Refusal, RoomAppend, SeatAppend
from bigben_server.race.transitions import OVER, RaceMessage
from bigben_server.rooms import comparing, registry, services
from bigben_server.rooms.admin.gate import Gate
from bigben_server.rooms.answers.analyses import Analyses
from bigben_server.rooms.answers.challenges import ChallengeMessage, Challenges
from bigben_server.rooms.answers.curves import Curves
from bigben_server.rooms.answers.hinting import Hinting
from bigben_server.rooms.answers.identities import Identities
from bigben_server.rooms.answers.seasons import SeasonMessage, Seasons
from bigben_server.rooms.batch import Batch, BatchResult, races_of, requests_of
from bigben_server.rooms.deals.chooser import Chooser
from bigben_server.rooms.deals.openings import Openings
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.requests import Request, entering
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Session
from bigben_server.sharing.turns import Turns
from bigben_server.storage.client import Damaged, PartlyLost, StoreLost
from bigben_server.tasks import all_set, not_cancelled

_log = logging.getLogger(__name__)

_OfRace = RaceMessage | wire.Rematch | wire.GetHint | wire.GetAnalysis
_Subscribing = wire.Move | wire.Join | wire.Watch | wire.Resume
RECORDED_S: Final = 1.0
"""How long a server that stops waits for the boards; another process records what is left."""


@dataclass(eq=False)
class Hub:
    """Brings requests to the rooms that they are about. Sessions call ``receive``."""

    rooms: registry.Rooms
    gate: Gate
    quotas: Quotas
    services: services.Services
    openings: Openings
    recorder: Recorder
    hinting: Hinting
    analyses: Analyses
    curves: Curves
    identities: Identities
    seasons: Seasons
    challenges: Challenges
    chooser: Chooser
    reads: Turns

    def start(self) -> None:
        """Start committing and listening to peers, as tasks of the supervisor."""
        self.rooms.supervisor.keep_running("the group commit", self._commit_batches)
        self.rooms.supervisor.keep_running("listening to peers", self._listen)
        self.rooms.supervisor.keep_running("publishing to peers", self.rooms.pubsub.publish_all)
        self.rooms.supervisor.keep_running("telling of challenges", self.challenges.tell)

    async def settled(self) -> None:
        """Return once all decisions made so far are durable, sent and published, or lost.

        Seats that ended are then recorded, unless the boards take too long.
        """
        await self.rooms.batches.settled()
        with suppress(TimeoutError, StoreLost):
            async with asyncio.timeout(RECORDED_S):
                await self.rooms.pubsub.flush(late=True)
                await all_set(self.recorder.under_way)

    # Requests

    def receive(self, session: Session, message: wire.ClientMessage) -> None:
        """Handle one message of a connection. The answer is sent once it is durable."""
        request = Request.of(session, message)
        if wait_s := self.quotas.charge(request):
            session.hold()
            asyncio.get_running_loop().call_later(wait_s, session.release)
        try:
            if session.player is None and not isinstance(message, services.BeforeHello):
                raise Refusal("hello", sentence("hello.first"))
            if isinstance(message, _OfRace):
                self._receive_of_race(request, message)
            elif isinstance(message, wire.Create):
                self._create(request, message)
            elif isinstance(message, wire.Tie | wire.LogOut):
                self.identities.answer(request, message)
            elif isinstance(message, SeasonMessage):
                self.seasons.answer(request, message)
            elif isinstance(message, ChallengeMessage):
                self.challenges.answer(request, message)
            else:
                self.services.receive(request, message)
        except Refusal as refusal:
            services.refuse(request, refusal)

    def leave(self, session: Session) -> None:
        """Remove a closed connection. The seats of its player stay."""
        session.gone = True
        self.quotas.left(session)
        for room in self.rooms.followed_by(session):
            room.unsubscribe(session)

    def _create(self, request: Request, wanted: wire.Create) -> None:
        self.quotas.check_entering(request, request)
        if wanted.seed or wanted.daily or choosing.opens_with_deal(wanted):
            create = self.openings.create_chosen
            self.services.answer_later(request, lambda: create(request, wanted))
        else:
            self.openings.create(request, wanted)

    def _receive_of_race(self, request: Request, message: _OfRace) -> None:
        """Handle a message about a race. Raises Refusal."""
        code = wire.RaceId(message.race)
        room = self.rooms.get(code)
        if room is None:  # else it is written as the server does
            code = self._code_named(code)
            room = self.rooms.get(code)
        if isinstance(message, _Subscribing):
            if room is None or request.session not in room.sessions:
                self.quotas.check_entering(request, code)
                if isinstance(message, wire.Resume):
                    request.session.count_resume()
        elif isinstance(message, wire.Rematch):
            self.quotas.check_entering(request, request)
        self._ask(code, request)

    def _code_named(self, race: str) -> wire.RaceId:
        """The race that a player means. Raises Refusal if there can be none."""
        if daily.is_daily(race):
            return daily.daily_named(race, self.rooms.clock()).id
        return lobby.code_named(race)

    def _ask(self, code: wire.RaceId, request: Request) -> None:
        """Decide a request, once its room has what it needs."""
        room, waits = self.rooms.get(code), code in request.session.queued
        if room and not waits and not self.rooms.lacks(room, request, compared=False):
            self._decide(room, request)
            return
        request.session.begin_read()
        payer = request.session.payer
        if not waits and code in self.rooms.reconciling:  # it reads for all
            self._load_for(code, request, None)
        elif not waits and self.reads.take(payer):
            self._load_for(code, request, payer)
        else:
            request.session.queued[code] += 1
            self.rooms.supervisor.start("waiting to load", self._load_later, code, request)

    def _load_for(self, code: wire.RaceId, request: Request, payer: str | None) -> None:
        """Load what a request needs, and decide it. ``payer`` has a turn that ends with it."""
        pending = self.reconcile(code)
        pending.requests.append(request)
        pending.readers.append((request.session, payer))

    async def _load_later(self, code: wire.RaceId, request: Request) -> None:
        """Wait for a turn before; those that come meanwhile for the same race wait behind it."""
        session, payer = request.session, request.session.payer
        try:
            await self.reads.wait(payer)
        except Refusal as refusal:
            session.end_read()
            request.refuse(refusal)
        else:
            self._load_for(code, request, payer)
        finally:
            session.queued -= Counter((code,))

    def _decide(self, room: Room, request: Request) -> None:
        """Decide a request in a room that has what it needs. Raises nothing."""
        race, now = room.race, self.rooms.clock()
        try:
            self.gate.check(room, request, now)
            match request.message:
                case wire.Move():  # first, because most are
                    patient = len(race.seats) > SMALL_FIELD
                    self.rooms.batches.add(deciding.decide(race, request, now), patient=patient)
                case wire.GetHint() as wanted:
                    self.hinting.answer(room, request, wanted)
                case wire.GetAnalysis() as wanted:
                    self.analyses.answer(race, request, wanted)
                case wire.GetCurves() as wanted:
                    self.curves.answer(race, request, wanted)
                case wire.Create() as wanted:  # its code was taken, by this room
                    self.openings.create(request, wanted)
                case wire.Rematch() as wanted:
                    if other := self.openings.rematch(race, request, wanted):
                        self._ask(other, request)
                case wire.Join() if self.seasons.asks_to_race(race, request, now):
                    self.seasons.let_in(request, race, lambda: self._ask(race.id, request))
                case wire.Join() | wire.Watch():
                    decided = deciding.decide(race, request, now)
                    self.rooms.batches.add(entering(decided, self.openings.homes))
                case _:
                    self.rooms.batches.add(deciding.decide(race, request, now))
        except Refusal as refusal:
            request.refuse(refusal)
        except Exception:
            with logs.about(request.session.id):
                _log.exception("race %s can't go on", race.id)
            room.stale = True  # it may be half changed
            request.session.fail()

    # Timers

    def tick(self) -> None:
        """Make the decisions that are due in rooms, by time or after the end of a seat."""
        now = self.rooms.clock()
        for room in self.rooms.due(now):
            code = room.race.id
            if room.stale:
                self.reconcile(code)
            elif self.rooms.is_busy(code):
                self.rooms.woken[code] = None  # until the next batch is committed
            else:
                try:
                    due = self.chooser.start(room) or timers.tick(room.race, now)
                    self.rooms.schedule(room)  # a peer may have begun a countdown
                except Exception as error:  # dropped, because it would fail again at once
                    damaged = Damaged(self.rooms.store.keys.log(code), f"time breaks it: {error!r}")
                    self._give_up(code, damaged, [])
                else:
                    self.rooms.batches.add(Decision(code, None, due))

    def sweep(self) -> None:
        """Drop rooms that nobody needs, and compare quiet rooms with the store.

        An update from a peer may have been lost. Call this now and then.
        """
        self.tick()  # then all rooms that the timer must look at are busy
        self.rooms.supervisor.start("dropping unused rooms", self.rooms.drop_unused)
        quiet = [room for room in self.rooms.values() if comparing.is_due(room)]
        self.rooms.supervisor.start("comparing quiet races", self._compare, quiet)

    async def _compare(self, quiet: list[Room]) -> None:
        for code in await comparing.changed(quiet, self.rooms.store, self.rooms.pubsub):
            self.reconcile(code).compare = True

    # Reconciling

    def reconcile(self, code: wire.RaceId) -> registry.Reconciliation:
        """Bring a room in line with the store, then decide the requests that wait for it.

        Write into the result at once what else it must do.
        """
        if code not in self.rooms.reconciling:
            pending = self.rooms.reconciling[code] = registry.Reconciliation()
            what = f"reconciling race {code}"
            self.rooms.supervisor.start(what, self._reconcile, code, pending)
        return self.rooms.reconciling[code]

    async def _reconcile(self, code: wire.RaceId, pending: registry.Reconciliation) -> None:
        try:
            try:
                if self.rooms.batches.holds(code):
                    # If it were loaded now, it would lack what is under way. Nothing more is
                    # decided in it until it is loaded.
                    await self.rooms.batches.settled()
                room = await self.rooms.load(code, pending)
            finally:
                del self.rooms.reconciling[code]
            # No await from here to the last request, so that what was loaded for it stays.
            if pending.record:
                self.recorder.record_end(room.race, recover=pending.recover)
            now = self.rooms.clock()
            missed = room.catch_up(now)
            ends, told = deciding.end_broken(room.race, now)
        except StoreLost as error:
            self.rooms.lose(error, [code], pending.requests)
            return
        except Exception as error:
            self._give_up(code, error, pending.requests)
            return
        finally:
            for session, payer in pending.readers:
                if payer is not None:
                    self.reads.leave(payer)
                session.end_read()
        room.report_broken(ends, self.rooms.store)
        self.rooms.batches.add(Decision(code, None, ends, [*missed, *told]))
        for request in pending.requests:
            if self.rooms.lacks(room, request, compared=True):  # the one before it failed
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
        async for updates in self.rooms.pubsub.updates():
            for update in updates:
                self._hear(update)
            if self.rooms.batches.idle:  # else a batch is sent soon, in the same writes
                self.rooms.flush_relayed()

    def _hear(self, update: PeerUpdate) -> None:
        if (room := self.rooms.hear(update)) is None:
            return
        room.gathering.start(self.rooms.supervisor, self.rooms.pubsub)
        if room.stale or room.behind:
            self.reconcile(update.race)
        else:
            self.rooms.wake(update.race)

    # Committing

    async def _commit_batches(self) -> None:
        try:
            while not_cancelled():
                await self._commit(await self.rooms.batches.next())
                self.rooms.batches.done()
                self.rooms.flush_relayed()
                if self.rooms.woken:
                    self.rooms.sooner.set()
        finally:
            self.rooms.batches.close()
            self.rooms.flush_relayed()

    async def _commit(self, batch: Batch) -> None:
        """Make a batch durable, then send it. A failure in one race affects that race alone."""
        try:
            await self._commit_whole(batch)
        except Exception as error:
            races = batch.races
            for code in races:
                # It may have ended seats that are durable and not recorded yet.
                pending = self.reconcile(code)
                pending.record = pending.recover = True
                of_race = [decision for decision in batch.decisions if decision.race == code]
                if len(races) > 1:
                    # What is already written is refused now, and found when the race is loaded.
                    await self._commit(Batch(of_race))
                else:
                    self._give_up(code, error, requests_of(of_race))

    async def _commit_whole(self, batch: Batch) -> None:
        rooms = self.rooms
        result = await rooms.write(batch)
        self._follow_up(result)  # first: a player who sees their end may ask for a board
        rooms.send(result)
        result.add_to_counters()
        if result.error:
            partly = isinstance(result.error, PartlyLost)
            lost = races_of(result.unknown) if partly else list(rooms)
            rooms.lose(result.error, lost, requests_of(result.unknown))
        stale = races_of(result.again)
        again = [*result.again, *rooms.batches.withdraw(stale)]
        for code in stale:
            self._decide_again(code, requests_of(d for d in again if d.race == code))
        rooms.publish(result.appends)

    def _follow_up(self, result: BatchResult) -> None:
        """Start the work after a batch for which no player waits."""
        over = []
        for one in result.appends:
            if isinstance(one, SeatAppend) and one.entry.n and one.status.state not in OVER:
                continue  # most are moves that leave nothing to do
            if (room := self.rooms.get(one.race)) is None:
                continue
            match one:
                case SeatAppend(player=player):
                    if one.entry.n:
                        over.append((room.race, room.race.seats[player]))
                    self.rooms.wake(one.race)  # a seat's own time may be the next to end
                case RoomAppend(event=events.Joined(player=player)) if player in wire.HOUSE_PLAYERS:
                    self.services.invite(room.race, player)
                case RoomAppend(event=events.Closed() | events.Cancelled()):
                    self.recorder.record_end(room.race)
                case RoomAppend(
                    event=events.Opened()
                    | events.Counted()
                    | events.Renewed()
                    | events.Mixed()
                    | events.Dealt()
                ):
                    note = self.openings.seeds.note
                    self.rooms.supervisor.start("noting seeds", note, room.race)
                    self.rooms.wake(one.race)  # a countdown ends before the next tick
                case _:
                    pass  # no work
        self.recorder.over(over)

    # When something is wrong

    def _decide_again(self, code: wire.RaceId, requests: list[Request]) -> None:
        """The store refused a decision: a peer was first, or the store has lost something."""
        if self.rooms[code].refused():
            why = "appends are refused, however often the race is read again"
            self._give_up(code, Damaged(self.rooms.store.keys.log(code), why), requests)
        else:
            self.reconcile(code).requests[:0] = requests

    def _give_up(self, code: wire.RaceId, error: Exception, requests: list[Request]) -> None:
        """Give up a race that can't be read, or what was decided in it when our code failed."""
        requests = [*requests, *self.rooms.withdraw([code])]
        if isinstance(error, Damaged | Refusal):
            self.rooms.abandon(code, error, requests)
            return
        _log.exception("race %s can't go on", code, exc_info=error)
        for request in requests:
            request.session.fail()  # their clients reconnect
        if code in self.rooms:
            self._decide_again(code, [])
