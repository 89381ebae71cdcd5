"""Answers GetCurves: reads how the cards of finished seats came home, once for all who ask."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bigben_protocol import GetCurves, RaceId
from bigben_server.race import deciding, views
from bigben_server.race.decisions import Reply
from bigben_server.race.state import Race
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.storage.leaderboards import progress
from bigben_server.storage.race_log import Store


@dataclass(slots=True, eq=False)
class Curves:
    store: Store
    services: Services
    _reading: WeakValueDictionary[RaceId, asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )
    """Of the races whose curves are being read just now."""

    def answer(self, race: Race, request: Request, wanted: GetCurves) -> None:
        """Answer with the curves of finished seats, at once if all of them have been read."""
        if views.unread_curves(race, request.player, wanted, self.services.clock()):
            self.services.read_later(request, lambda: self._read(race, request, wanted))
        else:
            self._tell(race, request)

    async def _read(self, race: Race, request: Request, wanted: GetCurves) -> None:
        # Who asks meanwhile finds them read.
        async with self._reading.setdefault(race.id, asyncio.Lock()):
            now = self.services.clock()
            if players := views.unread_curves(race, request.player, wanted, now):
                found = await progress(self.store, race.id, players)
                for player in players:
                    race.curves.take(player, found.get(player))
        self._tell(race, request)

    def _tell(self, race: Race, request: Request) -> None:
        for reaction in deciding.decide(race, request, self.services.clock()).reactions:
            assert isinstance(reaction, Reply), "it changes nothing"
            request.session.tell(reaction.message)
