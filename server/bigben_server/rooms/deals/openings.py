"""Opens rooms: new ones, rematches, and practice with the cards of a past daily."""

from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from bigben_protocol import Create, Join, RaceId, Rematch
from bigben_protocol.sentence import sentence
from bigben_server.homes import Homes
from bigben_server.race import daily, deciding, decisions, lobby
from bigben_server.race.events import (
    Opened,
    Refusal,
    RematchOpened,
    RoomAppend,
    RoomEvent,
    check_version,
)
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.rooms.admin.policy import Policy
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.deals.seeds import OpenSeeds
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.registry import MOST_TRIES, Rooms
from bigben_server.rooms.requests import Decision, Request, entering
from bigben_server.rooms.room import Room
from bigben_server.storage.dailies import first_event

MOST_CODES: Final = 1_000
"""The most codes to draw for a new room, of which one in as many is at home here as there are
workers. If all are unusable, the store refuses the last one."""


@dataclass(slots=True, eq=False)
class Openings:
    """Opens the rooms that this process is asked for."""

    rooms: Rooms
    quotas: Quotas
    policy: Policy
    seeds: OpenSeeds
    search: Search
    random_bytes: RandomBytes
    homes: Homes = field(default_factory=Homes)

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
            raise Refusal("seed", sentence("room.seed_or_daily"))
        which = daily.past(wanted.daily, self.rooms.clock())
        # Thousands of players may have joined it: their events are not read for each who asks.
        store = self.rooms.store
        events = await store.events(which.id, most=1)
        first = events[0] if events else await first_event(store, which, self.rooms.secret)
        assert isinstance(first, Opened), "a room's first event is Opened"
        return first

    def create(self, request: Request, wanted: Create) -> None:
        """Open the requested room. Raises Refusal."""
        self._open_new(request, self._created(request, wanted))

    def _created(self, request: Request, wanted: Create) -> list[RoomEvent]:
        """The first events of the requested room. Raises Refusal."""
        now = self.rooms.clock()
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
            self.quotas.deals.check(request, now)

    def _open_new(self, request: Request, events: list[RoomEvent]) -> None:
        """Open a room with a new code, whose home is here, once this is committed.

        If the store has a room with that code already, the request is decided again in that room,
        and draws another code.
        """
        codes = (lobby.new_code(self.random_bytes) for _ in range(MOST_CODES))
        free = (c for c in codes if c not in self.rooms and self.rooms.store.is_up(c))
        home = (c for c in free if self.homes.is_here(c))
        self._open(next(home, lobby.new_code(self.random_bytes)), request, events)

    def rematch(self, race: Race, request: Request, wanted: Rematch) -> RaceId | None:
        """Open the rematch of ``race``, once this is committed; or return another room to try.

        That is either the rematch, which the request now joins, or a room that must be loaded
        first. ``race`` is the race before, or a room with a code that its rematch might have.
        Raises Refusal.
        """
        if race.opened.kind != "daily" and lobby.code_named(wanted.race) != race.id:
            return lobby.code_named(wanted.race)
        now = self.rooms.clock()
        lobby.check_rematch(race, request.player, now)
        for code in lobby.rematch_codes(race.opened.server_seed):
            there = self.rooms.get(code)
            if there is None and code == race.rematch:
                return code  # loaded, it shows whether it is still a room to race in
            if there is None:
                player, without = request.player, request.house or {}
                first = lobby.rematch(race, player, now, self.random_bytes, without)
                self._check_deal(request, first, now)
                self._open(code, request, first)
            elif there.race.is_rematch_of(race) and there.race.phase(now) != "cancelled":
                request.message = Join(code, request.ref)
            else:
                continue
            self.rooms.supervisor.start("naming a rematch", self._name_rematch, race.id, code)
            return None if there is None else code
        raise AssertionError("there is always another code")

    async def _name_rematch(self, before: RaceId, code: RaceId) -> None:
        """Write into the race before which room follows it, once that room is durable.

        In a race that runs, a move or a peer may be first; then this tries again.
        """
        for _ in range(MOST_TRIES):
            agreed = await self.rooms.agreed(before, code)
            if not agreed:
                return  # lost; the next request for a rematch finds out
            race, there = (room.race for room in agreed)
            if race.rematch == code or not there.is_rematch_of(race):
                return
            followed = race.write(RematchOpened(code, self.rooms.clock()))
            self.rooms.batches.add(decisions.Decision(before, None, [followed]))

    def _open(self, code: RaceId, request: Request, events: list[RoomEvent]) -> None:
        now = self.rooms.clock()
        self.policy.check_session(request.session)
        self.policy.check_begin()
        opened = events[0]
        assert isinstance(opened, Opened), "a room's first event is Opened"
        check_version(opened, self.rooms.store.version)
        self.quotas.rooms.check(request, now)
        if opened.kind != "practice":
            self.quotas.check_seat(request, now)
        race = Race(code, events)
        race.take_moved()
        self.rooms[code] = Room(race, now)
        appends = [RoomAppend(code, number, event) for number, event in enumerate(events, start=1)]
        join = decisions.Request(Join(code, request.ref), request.player)
        joined = deciding.decide(race, join, now)
        opened_and_joined = [*appends, *joined.appends]
        decision = Decision(code, request, opened_and_joined, joined.reactions)
        self.rooms.batches.add(entering(decision, self.homes))
