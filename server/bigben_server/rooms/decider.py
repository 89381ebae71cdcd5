"""Decides requests in rooms, and opens new rooms."""

import asyncio
import logging
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakValueDictionary

from msgspec.structs import replace

from bigben_protocol import (
    AddHouse,
    Cheer,
    Create,
    GetAnalysis,
    GetCurves,
    GetHint,
    Join,
    Move,
    RaceId,
    Ready,
    Rematch,
    Resume,
    Start,
    Watch,
)
from bigben_server import logs
from bigben_server.race import commands, daily, lobby, views
from bigben_server.race.events import (
    Followed,
    Opened,
    Readied,
    Refusal,
    Reply,
    RoomAppend,
    RoomEvent,
    check_version,
)
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.rooms.batch import Batches
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.deals.seeds import OpenSeeds
from bigben_server.rooms.operators.standing import StandingOrders
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision, Request
from bigben_server.sharing.turns import Turns
from bigben_server.storage.client import StoreLost
from bigben_server.storage.dailies import first_event
from bigben_server.storage.leaderboards import progress
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor

_log = logging.getLogger(__name__)

MOST_CODES: Final = 100
"""The most codes to draw for a new room. If all are unusable, the store refuses the last one."""
MOST_TRIES: Final = 20
AGAIN_S: Final = 0.05
"""How often to try to write into a race which room follows it, and the time in between."""


@dataclass(slots=True, eq=False)
class Decider:
    """Decides requests in the rooms of this process."""

    rooms: MutableMapping[RaceId, Room]
    batches: Batches
    store: Store
    supervisor: Supervisor
    quotas: Quotas
    secret: bytes
    clock: Callable[[], int]
    random_bytes: RandomBytes
    standing: StandingOrders
    seeds: OpenSeeds
    search: Search
    reads: Turns
    _reading_curves: WeakValueDictionary[RaceId, asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )
    """Of the races whose curves are being read just now."""

    def race_named(
        self, request: Request, message: RaceMessage | Rematch | GetHint | GetAnalysis
    ) -> RaceId:
        """The race that a message names, counted if it subscribes to it. Raises Refusal."""
        if daily.is_daily(message.race):
            race = daily.daily_named(message.race, self.clock()).id
        else:
            race = lobby.code_named(message.race)
        if isinstance(message, Rematch):
            self.quotas.check_entering(request, request)
        elif isinstance(message, Join | Watch | Resume | Move):
            self.quotas.check_entering(request, race)
        if isinstance(message, Resume):
            request.session.count_resume()
        return race

    def play(self, room: Room, request: Request, move: Move) -> bool:
        """Decide the next move of a game, in a room that agrees with the store.

        Returns False if it is not the next move, or is refused: then nothing has changed, and
        ``race_named`` and ``decide`` must answer. Raises nothing.
        """
        now, race = self.clock(), room.race
        seat = commands.mover(race, request.player.id, move, now)
        if seat is None:
            return False
        try:
            if request.session not in room.sessions:
                self.quotas.check_entering(request, race.id)
            append, played = commands.play_move(race, seat, move, now)
        except commands.MoveRefused:
            request.answered()
            return False
        except Exception:
            self._fail(room, request)
        else:
            self.batches.add(Decision(race.id, request, (append,), (played,)))
        return True

    def decide(self, room: Room, request: Request) -> RaceId | None:
        """Decide a request in a room that has what it needs, or return another room to ask.

        Raises nothing.
        """
        try:
            self.standing.check_session(request.session)  # it may have waited for its room
            match request.message:
                case Rematch() as wanted:
                    return self._rematch(room.race, request, wanted)
                case Create() as wanted:  # its code was taken, by this room
                    self.create(request, wanted)
                case GetCurves() as wanted:
                    self._answer_curves(room.race, request, wanted)
                case message:
                    assert isinstance(message, RaceMessage), "services have no room"
                    if isinstance(message, AddHouse):
                        self.standing.check_house(message.strength, self.quotas.players())
                        for refusal in (request.house or {}).values():
                            raise refusal
                    elif isinstance(message, Ready) and message.nonce_hash:
                        promise = Readied(request.player.id, "", 0, message.nonce_hash)
                        check_version(promise, self.store.version)
                    if isinstance(message, Ready | Start):
                        self.standing.check_ready(room.race, request.player.id)
                    if isinstance(message, Join) and commands.may_take_seat(
                        room.race, request.player.id, self.clock()
                    ):
                        self.quotas.check_seat(request, self.clock())
                    if isinstance(message, Cheer):
                        room.check_follows(request.session)
                        self.quotas.check_cheer(request, self.clock())
                    effects = commands.receive(room.race, request.player, message, self.clock())
                    self.batches.add(Decision.of(room.race.id, request, effects))
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        except Exception:
            self._fail(room, request)
        return None

    def _answer_curves(self, race: Race, request: Request, wanted: GetCurves) -> None:
        """Answer with the curves of finished seats, at once if all of them have been read."""
        if views.unread_curves(race, request.player, wanted, self.clock()):
            request.session.begin_read()
            what = "reading the curves of a race"
            self.supervisor.start(what, self._read_curves, race, request, wanted)
        else:
            self._tell_curves(race, request, wanted)

    async def _read_curves(self, race: Race, request: Request, wanted: GetCurves) -> None:
        lock = self._reading_curves.setdefault(race.id, asyncio.Lock())
        try:
            # Who asks meanwhile finds them read.
            async with self.reads.turn(request.session.payer), lock:
                now = self.clock()
                if players := views.unread_curves(race, request.player, wanted, now):
                    found = await progress(self.store, race.id, players)
                    for player in players:
                        race.curves.take(player, found.get(player))
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        except StoreLost:
            request.refuse("busy", "Part of the store is unavailable; ask again in a moment.")
            raise
        else:
            self._tell_curves(race, request, wanted)
        finally:
            request.session.end_read()

    def _tell_curves(self, race: Race, request: Request, wanted: GetCurves) -> None:
        for effect in commands.receive(race, request.player, wanted, self.clock()):
            assert isinstance(effect, Reply), "it changes nothing"
            request.session.tell(effect.message)

    def _fail(self, room: Room, request: Request) -> None:
        with logs.about(request.session.id):
            _log.exception("race %s can't go on", room.race.id)
        room.stale = True  # it may be half changed
        request.session.fail()

    async def create_chosen(self, request: Request, wanted: Create) -> None:
        """Open a practice game with a chosen seed or the cards of a past daily, or a room with a
        deal as its rules ask for it.

        Raises Refusal if an open race has that seed, StoreLost and Damaged.
        """
        if wanted.daily:
            past = await self._past(wanted)
            game, rules = past.rules.game, past.rules.rules
            wanted = replace(wanted, game=game, rules=rules, seed=daily.seed_of(past).hex())
        first = self._created(request, wanted)
        if wanted.seed:
            await self.seeds.check(wanted.seed)
        self._open_new(request, await self.search.opened(first, request.player.id))

    async def _past(self, wanted: Create) -> Opened:
        """How a past daily was opened, or would have been if somebody had joined it."""
        if wanted.seed:
            raise Refusal("seed", "Name a seed or a past daily, and not both.")
        which = daily.past(wanted.daily, self.clock())
        # Thousands of players may have joined it: their events are not read for each who asks.
        events = await self.store.events(which.id, most=1)
        first = events[0] if events else await first_event(self.store, which, self.secret)
        assert isinstance(first, Opened), "a room's first event is Opened"
        return first

    def create(self, request: Request, wanted: Create) -> None:
        """Open the requested room. Raises Refusal."""
        self._open_new(request, self._created(request, wanted))

    def _created(self, request: Request, wanted: Create) -> list[RoomEvent]:
        """The first events of the requested room. Raises Refusal."""
        now = self.clock()
        first = lobby.created(wanted, request.player, now, self.random_bytes)
        self._check_deal(request, first, now)
        return first

    def _check_deal(self, request: Request, events: list[RoomEvent], now: int) -> None:
        """Raises Refusal if these open a room whose deal can't be chosen, or one too many.

        Call it before the deal is looked for: that takes longer than all the rest.
        """
        opened = events[0]
        assert isinstance(opened, Opened), "a room's first event is Opened"
        if opened.rules.winnable:
            self.search.check()
            self.quotas.check_deal(request, now)

    def _open_new(self, request: Request, events: list[RoomEvent]) -> None:
        """Open a room with a new code, once this is committed.

        If the store has a room with that code already, the request is decided again in that room,
        and draws another code.
        """
        codes = (lobby.new_code(self.random_bytes) for _ in range(MOST_CODES))
        free = (c for c in codes if c not in self.rooms and self.store.is_up(c))
        self._open(next(free, lobby.new_code(self.random_bytes)), request, events)

    def _rematch(self, race: Race, request: Request, wanted: Rematch) -> RaceId | None:
        """Open the rematch of ``race``, once this is committed; or return another room to try.

        That is either the rematch, which the request now joins, or a room that must be loaded
        first. ``race`` is the race before, or a room with a code that its rematch might have.
        """
        if race.opened.kind != "daily" and lobby.code_named(wanted.race) != race.id:
            return lobby.code_named(wanted.race)
        now = self.clock()
        commands.check_rematch(race, request.player, now)
        for code in lobby.rematch_codes(race.opened.server_seed):
            there = self.rooms.get(code)
            if there is None and code == race.rematch:
                return code  # loaded, it shows whether it is still a room to race in
            if there is None:
                player, without = request.player, request.house or {}
                first = commands.rematch(race, player, now, self.random_bytes, without)
                self._check_deal(request, first, now)
                self._open(code, request, first)
            elif there.race.is_rematch_of(race) and there.race.phase(now) != "cancelled":
                request.message = Join(code, request.ref)
            else:
                continue
            self.supervisor.start("naming a rematch", self._name_rematch, race.id, code)
            return None if there is None else code
        raise AssertionError("there is always another code")

    async def _name_rematch(self, before: RaceId, code: RaceId) -> None:
        """Write into the race before which room follows it, once that room is durable.

        In a race that runs, a move or a peer may be first; then this tries again.
        """
        for _ in range(MOST_TRIES):
            await self.batches.settled()
            room, there = self.rooms.get(before), self.rooms.get(code)
            if not room or not there:
                return  # lost; the next request for a rematch finds out
            if room.stale or there.stale:
                await asyncio.sleep(AGAIN_S)
                continue
            if room.race.rematch == code or not there.race.is_rematch_of(room.race):
                return
            followed = room.race.write(Followed(code, self.clock()))
            self.batches.add(Decision.of(before, None, [followed]))

    def _open(self, code: RaceId, request: Request, events: list[RoomEvent]) -> None:
        now = self.clock()
        self.standing.check_session(request.session)
        self.standing.check_begin()
        opened = events[0]
        assert isinstance(opened, Opened), "a room's first event is Opened"
        check_version(opened, self.store.version)
        self.quotas.check_room(request, now)
        if opened.kind != "practice":
            self.quotas.check_seat(request, now)
        race = Race(code, events)
        race.take_moved()
        self.rooms[code] = Room(race, now)
        appends = [RoomAppend(code, k, event) for k, event in enumerate(events, start=1)]
        answer = commands.receive(race, request.player, Join(code, request.ref), now)
        self.batches.add(Decision.of(code, request, [*appends, *answer]))
