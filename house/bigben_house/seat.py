"""One seat of a house player, from its invitation to the end of its game."""

import asyncio
import logging
import time
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bigben_client import Client, RefusedError
from bigben_house import pace
from bigben_house.thinkers import Thinkers
from bigben_protocol import Code, Phase, Room, State

_log = logging.getLogger(__name__)

AGAIN_S: Final = 2.0
"""How long to wait after a refusal that may pass."""
_PASSING: Final[tuple[Code, ...]] = ("busy", "limit", "rate")
MOST_REFUSED: Final = 20
"""How many refused moves in a row make the player resign: it would not be a race any more."""
_OVER: Final[tuple[Phase, ...]] = ("closed", "cancelled")


@dataclass(eq=False)
class Seat:
    """A seat, played by a client that others may share. ``changed`` is set after each event."""

    client: Client
    race: str
    strength: str
    thinkers: Thinkers
    speed: float
    """Seconds of waiting for each usual second."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    since: float = field(default_factory=time.monotonic)
    given_up: bool = False

    @property
    def waits(self) -> bool:
        """Whether its room has not started yet."""
        room = self.client.rooms.get(self.race)
        return room is not None and room.phase == "open"

    def give_up(self) -> None:
        """Leave the room, unless it starts just now."""
        self.given_up = True
        self.changed.set()

    async def play(self) -> None:
        """Play until the game is over or the seat is taken away. Then follow the race no more.

        Raises ClientClosed.
        """
        try:
            if await self._taken():
                await self._until_started()
                await self._play_out()
        except RefusedError as error:
            _log.info("race %s: %s", self.race, error)
        try:
            await self.client.leave(self.race)
        except RefusedError as error:  # the race is gone
            _log.debug("race %s: %s", self.race, error)

    async def _taken(self) -> bool:
        """Return to the seat. False if the host has removed it. Raises RefusedError."""
        while True:
            try:
                await self.client.join(self.race)
            except RefusedError as error:
                if error.code not in _PASSING:
                    raise
                await asyncio.sleep(AGAIN_S)
            else:
                return self._state() is not None

    async def _until_started(self) -> None:
        """Be ready until the cards are out or the seat is gone. Raises RefusedError."""
        while self.race not in self.client.views and not self._is_over():
            if self.given_up and self.waits:
                return
            self.changed.clear()
            # Once: if it was ready before, another nonce is refused.
            if self._state() == "joined" and self.client.rooms[self.race].phase == "open":
                await self._ready()
            else:
                await self.changed.wait()

    async def _ready(self) -> None:
        try:
            await self.client.ready(self.race)
        except RefusedError as error:  # the room may have changed, or the server is drained
            _log.info("race %s: %s", self.race, error)
            await asyncio.sleep(AGAIN_S)

    def _is_over(self) -> bool:
        """Whether the race has ended, or the seat is the player's no more."""
        room = self.client.rooms.get(self.race)
        return room is None or room.phase in _OVER or self._state() is None

    async def _play_out(self) -> None:
        refused = 0
        while (view := self.client.views.get(self.race)) and view.state == "playing":
            n = view.n
            plan = await self._planned(n) if refused < MOST_REFUSED else ()
            try:
                for number, move in enumerate(plan or ("resign",)):
                    await asyncio.sleep(self._wait_s(move, plans=not number))
                    view = self.client.views.get(self.race)
                    if view is None or view.state != "playing" or view.n != n:
                        break  # the time is over, or this player has another client
                    n = (await self.client.move(self.race, move)).n
                    refused = 0
            except RefusedError as error:
                refused += 1
                _log.info("race %s: %s", self.race, error)
                if error.code in _PASSING:
                    await asyncio.sleep(AGAIN_S)

    async def _planned(self, n: int) -> tuple[str, ...]:
        """The next moves; none to resign. A client that has restarted plans the same."""
        view, rules = self.client.views[self.race], self.client.rooms[self.race].rules
        try:
            return await self.thinkers.plan(self.strength, view, rules, f"{self.race} {n}")
        except (ValueError, BrokenProcessPool):
            _log.exception("race %s: the %s player has no plan", self.race, self.strength)
            return ()

    def _wait_s(self, move: str, *, plans: bool) -> float:
        view, room = self.client.views[self.race], self.client.rooms[self.race]
        hurry = 1.0 if self._people_play(room) else pace.HURRY
        rng = Random(f"{self.race} {self.strength} {view.n} {move}")
        wait = pace.wait_s(self.strength, view, room.rules, move, rng, plans=plans)
        return self.speed * hurry * wait

    def _people_play(self, room: Room) -> bool:
        people = (seat for seat in room.seats if not seat.bot and not seat.away)
        return any(seat.state == "playing" for seat in people)

    def _state(self) -> State | None:
        """The state of the seat; None if it is not the player's any more."""
        seats = self.client.rooms[self.race].seats
        return next((seat.state for seat in seats if seat.player == self.client.player), None)
