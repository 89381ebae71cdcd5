"""Opens new rooms: at a player's request, or as the rematch of a closed race."""

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Final

from bigben_protocol import Create, Join, RaceId, Rematch
from bigben_server.race import commands, lobby
from bigben_server.race.events import RoomAppend, RoomEvent
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision, Request
from bigben_server.storage.race_log import Store, log_name

MOST_CODES: Final = 100
"""The most codes to draw for a new room. If all are unusable, the store refuses the last one."""


@dataclass(slots=True, eq=False)
class Opening:
    """Opens rooms among those of this process. Every method may raise Refusal."""

    rooms: MutableMapping[RaceId, Room]
    store: Store
    quotas: Quotas
    clock: Callable[[], int]
    random_bytes: RandomBytes

    def events(self, request: Request, wanted: Create) -> list[RoomEvent]:
        """The first events of the requested room."""
        return lobby.created(wanted, request.player, self.clock(), self.random_bytes)

    def create(self, request: Request, events: list[RoomEvent]) -> Decision:
        """Open a new room with a new code, once this is committed.

        If the store has a room with that code already, the request is decided again in that room:
        then call this again, which draws another code.
        """
        codes = (lobby.new_code(self.random_bytes) for _ in range(MOST_CODES))
        free = (c for c in codes if c not in self.rooms and self.store.is_up(log_name(c)))
        return self._open(next(free, lobby.new_code(self.random_bytes)), request, events)

    def rematch(self, race: Race, request: Request, wanted: Rematch) -> Decision | RaceId:
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
                events = commands.rematch(race, request.player, now, self.random_bytes)
                return self._open(code, request, events)
            if there.race.is_rematch_of(race) and there.race.phase(now) != "cancelled":
                request.message = Join(code, request.ref)
                return code
        raise AssertionError("there is always another code")

    def _open(self, code: RaceId, request: Request, events: list[RoomEvent]) -> Decision:
        now = self.clock()
        self.quotas.check_room(request, now)
        race = Race(code, events)
        race.take_moved()
        self.rooms[code] = Room(race, now)
        appends = [RoomAppend(code, k, event) for k, event in enumerate(events, start=1)]
        answer = commands.receive(race, request.player, Join(code, request.ref), now)
        return Decision(code, request, [*appends, *answer])
