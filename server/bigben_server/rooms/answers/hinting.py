"""Answers GetHint: checks who asks, has the hint computed, and tells it."""

from dataclasses import dataclass
from functools import partial

import bigben_protocol as wire
from bigben_protocol import texts
from bigben_server.race import views
from bigben_server.race.events import Refusal, told
from bigben_server.rooms.registry import Rooms
from bigben_server.rooms.requests import Request
from bigben_server.rooms.room import Room
from bigben_server.rooms.services import Services
from bigben_server.thinking.hints import Hints


@dataclass(slots=True, eq=False)
class Hinting:
    """Finds hints for players. No move waits for it."""

    hints: Hints
    rooms: Rooms
    services: Services

    def answer(self, room: Room, request: Request, wanted: wire.GetHint) -> None:
        """Answer later, in a room that has what the request needs. Raises Refusal."""
        self.services.quotas.hints.check(request, self.rooms.clock())
        self.hints.pool.check()
        find = partial(self._answer, room, request, wanted)
        self.services.answer_later(request, find, stores=False)

    async def _answer(self, room: Room, request: Request, wanted: wire.GetHint) -> None:
        # A close that is not durable yet may turn out not to have happened.
        await self.rooms.batches.settled()
        if room.stale:
            raise Refusal("busy", views.READ_AGAIN)
        asked = views.hinted(room.race, request.player, wanted, self.rooms.clock())
        best = await self.hints.find(asked, request.session.payer)
        said = told(best.why)
        why = texts.all_said(said)
        answer = wire.Hint(room.race.id, wanted.n, best.move, why, wanted.ref, wanted.player, said)
        request.session.tell(answer)
