"""Answers GetCurves: reads how the cards of finished seats came home, once for all who ask."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bigben_protocol import GetCurves, RaceId
from bigben_server.race import deciding, views
from bigben_server.race.decisions import Reply
from bigben_server.race.events import Refusal
from bigben_server.race.state import Race
from bigben_server.rooms.requests import Request
from bigben_server.sharing.turns import Turns
from bigben_server.storage.client import StoreLost
from bigben_server.storage.leaderboards import progress
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor


@dataclass(slots=True, eq=False)
class Curves:
    store: Store
    supervisor: Supervisor
    clock: Callable[[], int]
    reads: Turns
    _reading: WeakValueDictionary[RaceId, asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )
    """Of the races whose curves are being read just now."""

    def answer(self, race: Race, request: Request, wanted: GetCurves) -> None:
        """Answer with the curves of finished seats, at once if all of them have been read."""
        if views.unread_curves(race, request.player, wanted, self.clock()):
            request.session.begin_read()
            what = "reading the curves of a race"
            self.supervisor.start(what, self._read, race, request, wanted)
        else:
            self._tell(race, request)

    async def _read(self, race: Race, request: Request, wanted: GetCurves) -> None:
        lock = self._reading.setdefault(race.id, asyncio.Lock())
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
            self._tell(race, request)
        finally:
            request.session.end_read()

    def _tell(self, race: Race, request: Request) -> None:
        for reaction in deciding.decide(race, request, self.clock()).reactions:
            assert isinstance(reaction, Reply), "it changes nothing"
            request.session.tell(reaction.message)
