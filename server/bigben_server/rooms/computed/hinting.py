"""Answers GetHint: checks who asks, has the hint computed, and tells it."""

from collections.abc import Callable
from dataclasses import dataclass

import bigben_protocol as wire
from bigben_server.race import views
from bigben_server.race.events import Refusal
from bigben_server.rooms.batch import Batches
from bigben_server.rooms.operators.standing import StandingOrders
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Request
from bigben_server.supervisor import Supervisor
from bigben_server.thinking.hints import Hints


@dataclass(slots=True, eq=False)
class Hinting:
    """Finds hints for players. No move waits for it."""

    hints: Hints
    batches: Batches
    quotas: Quotas
    standing: StandingOrders
    supervisor: Supervisor
    clock: Callable[[], int]

    def answer(self, room: Room, request: Request, wanted: wire.GetHint) -> None:
        """Answer later, in a room that has what the request needs. Raises nothing."""
        try:
            self.standing.check_session(request.session)  # it may have waited for its room
            self.quotas.check_hint(request, self.clock())
            self.hints.pool.check()
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        else:
            self.supervisor.start("finding a hint", self._answered, room, request, wanted)

    async def _answered(self, room: Room, request: Request, wanted: wire.GetHint) -> None:
        try:
            await self._answer(room, request, wanted)
        except Refusal as refusal:
            request.refuse(refusal.code, refusal.text)
        except Exception:
            request.session.fail()
            raise

    async def _answer(self, room: Room, request: Request, wanted: wire.GetHint) -> None:
        # A close that is not durable yet may turn out not to have happened.
        await self.batches.settled()
        if room.stale:
            raise Refusal("busy", views.READ_AGAIN)
        asked = views.hinted(room.race, request.player, wanted, self.clock())
        best = await self.hints.find(asked, request.session.payer)
        told = (room.race.id, wanted.n, best.move, best.why, wanted.ref, wanted.player)
        request.session.tell(wire.Hint(*told))
