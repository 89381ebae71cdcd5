"""Decides requests in rooms, and opens new rooms.

Practice with the seed of a race that is not closed yet is refused.
"""

import logging
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bigben_protocol import Create, Join, Move, RaceId, Rematch, Resume, Watch
from bigben_rules import commitment, seed_from_hex
from bigben_server.race import commands, daily, lobby
from bigben_server.race.events import Cancelled, Closed, Followed, Refusal, RoomAppend, RoomEvent
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.rooms.batch import Batches
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision, Request
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.race_log import Store, log_name
from bigben_server.supervisor import Supervisor

_log = logging.getLogger(__name__)

MOST_CODES: Final = 100
"""The most codes to draw for a new room. If all are unusable, the store refuses the last one."""
_SEED_KEPT_S: Final = 3 * 86_400
"""Longer than a room can be open and then running."""


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

    def race_named(self, request: Request, message: RaceMessage | Rematch) -> RaceId:
        """The race that a message names, counted if it subscribes to it. Raises Refusal."""
        if daily.is_daily(message.race):
            race = daily.daily_named(message.race, self.clock()).id
        else:
            race = lobby.code_named(message.race)
        if isinstance(message, Rematch):
            self.quotas.check_entering(request, request)
        elif isinstance(message, Join | Watch | Resume | Move):
            self.quotas.check_entering(request, race)
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
            self.quotas.check_entering(request, race.id)
            effects = commands.play_move(race, seat, move, now)
        except commands.MoveRefused:
            request.answered()
            return False
        except Exception:
            self._fail(room, request)
        else:
            self.batches.add(Decision(race.id, request, effects))
        return True

    def decide(self, room: Room, request: Request) -> RaceId | None:
        """Decide a request in a room that has what it needs, or return another room to ask.

        Raises nothing.
        """
        try:
            match request.message:
                case Rematch() as wanted:
                    return self._rematch(room.race, request, wanted)
                case Create() as wanted:  # its code was taken, by this room
                    self.create(request, wanted)
                case message:
                    assert isinstance(message, RaceMessage), "services have no room"
                    effects = commands.receive(room.race, request.player, message, self.clock())
                    self.batches.add(Decision(room.race.id, request, effects))
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        except Exception:
            self._fail(room, request)
        return None

    def _fail(self, room: Room, request: Request) -> None:
        _log.exception("race %s can't go on", room.race.id)
        room.stale = True  # it may be half changed
        request.session.fail()

    async def create_chosen(self, request: Request, wanted: Create) -> None:
        """Open a practice game with a chosen seed. Raises Refusal if an open race has that seed."""
        first = lobby.created(wanted, request.player, self.clock(), self.random_bytes)
        await self.check_seed(wanted.seed)
        self._open_new(request, first)

    def create(self, request: Request, wanted: Create) -> None:
        """Open the requested room. Raises Refusal."""
        first = lobby.created(wanted, request.player, self.clock(), self.random_bytes)
        self._open_new(request, first)

    def _open_new(self, request: Request, events: list[RoomEvent]) -> None:
        """Open a room with a new code, once this is committed.

        If the store has a room with that code already, the request is decided again in that room,
        and draws another code.
        """
        codes = (lobby.new_code(self.random_bytes) for _ in range(MOST_CODES))
        free = (c for c in codes if c not in self.rooms and self.store.is_up(log_name(c)))
        self._open(next(free, lobby.new_code(self.random_bytes)), request, events)

    def _rematch(self, race: Race, request: Request, wanted: Rematch) -> RaceId | None:
        """Open the rematch of ``race``, once this is committed; or return another room to try.

        That is either the rematch, which the request now joins, or a room that must be loaded
        first. ``race`` is the closed race, or a room with a code that its rematch might have.
        """
        if race.opened.kind != "daily" and lobby.code_named(wanted.race) != race.id:
            return lobby.code_named(wanted.race)
        now = self.clock()
        for code in lobby.rematch_codes(race.opened.server_seed):
            there = self.rooms.get(code)
            if there is None and code == race.rematch:
                return code  # loaded, it shows whether it is still a room to race in
            if there is None:
                first = commands.rematch(race, request.player, now, self.random_bytes)
                self._open(code, request, first)
            elif there.race.is_rematch_of(race) and there.race.phase(now) != "cancelled":
                request.message = Join(code, request.ref)
            else:
                continue
            self.supervisor.start("naming a rematch", self._name_rematch, race.id, code)
            return None if there is None else code
        raise AssertionError("there is always another code")

    async def _name_rematch(self, closed: RaceId, code: RaceId) -> None:
        """Write into the closed race which room follows it, once that room is durable."""
        await self.batches.settled()
        room, there = self.rooms.get(closed), self.rooms.get(code)
        if not room or room.stale or not there or there.stale or room.race.rematch == code:
            return  # lost, or a peer has written it; the next request for a rematch finds out
        if there.race.is_rematch_of(room.race):
            followed = room.race.write(Followed(code, self.clock()))
            self.batches.add(Decision(closed, None, [followed]))

    def _open(self, code: RaceId, request: Request, events: list[RoomEvent]) -> None:
        now = self.clock()
        self.quotas.check_room(request, now)
        race = Race(code, events)
        race.take_moved()
        self.rooms[code] = Room(race, now)
        appends = [RoomAppend(code, k, event) for k, event in enumerate(events, start=1)]
        answer = commands.receive(race, request.player, Join(code, request.ref), now)
        self.batches.add(Decision(code, request, [*appends, *answer]))

    async def note_seeds(self, race: Race) -> None:
        """Store the seeds of a live race that was opened, or whose deal is now fixed.

        In a cluster a seed may be on another node than its race, which continues without it.
        """
        if not race.live:
            return
        seeds = [bytes.fromhex(race.opened.server_seed)]
        if race.starts_at:
            seeds.append(race.seed)
        # No player waits for this; players notice if the race's own node is away.
        with suppress(StoreLost):
            await self.store.note_open_seeds(race.id, map(commitment, seeds), _SEED_KEPT_S)

    async def check_seed(self, seed: str) -> None:
        """Raises Refusal for the seed of a race that is not closed, or that can't be looked up."""
        chosen = seed_from_hex(seed)
        dailies = daily.all_of(daily.today(self.clock()))  # even if nobody has opened them yet
        of_daily = chosen.hex() in (daily.opened(d, self.secret).server_seed for d in dailies)
        if of_daily or await self._is_open(chosen):
            text = "A race with this seed is not closed yet; practise it later, or use another."
            raise Refusal("seed", text)

    async def _is_open(self, seed: bytes) -> bool:
        try:
            race = await self.store.race_of_seed(commitment(seed))
            events = await self.store.events(race) if race else []
        except StoreLost:
            text = "The server can't check this seed now; try later, or without a seed."
            raise Refusal("seed", text) from None
        except Damaged:  # it may have an entry of a newer version
            return True
        # A cancelled room is deleted after a day.
        return bool(events) and not any(isinstance(e, Closed | Cancelled) for e in events)
