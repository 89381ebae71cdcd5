"""Opens new rooms, and refuses practice with the seed of a race that is not closed yet."""

from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bigben_protocol import Create, Join, RaceId, Rematch
from bigben_rules import commitment, seed_from_hex
from bigben_server.race import commands, daily, lobby
from bigben_server.race.events import Cancelled, Closed, Refusal, RoomAppend, RoomEvent
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Decision, Request
from bigben_server.storage.client import Damaged, StoreLost
from bigben_server.storage.race_log import Store, log_name

MOST_CODES: Final = 100
"""The most codes to draw for a new room. If all are unusable, the store refuses the last one."""
_SEED_KEPT_S: Final = 3 * 86_400
"""Longer than a room can be open and then running."""


@dataclass(slots=True, eq=False)
class Opening:
    """Opens rooms among those of this process. Its methods may raise Refusal."""

    rooms: MutableMapping[RaceId, Room]
    store: Store
    quotas: Quotas
    secret: bytes
    clock: Callable[[], int]
    random_bytes: RandomBytes

    def events(self, request: Request, wanted: Create) -> list[RoomEvent]:
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
