"""One house player at a server: its connections, and its seats in the races that invited it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bigben_client import Client, ClientClosed, RefusedError, ServerUnreachable
from bigben_house.seat import Seat
from bigben_house.thinkers import Thinkers
from bigben_protocol import Room

_log = logging.getLogger(__name__)

RACES: Final = 16
"""The races of one connection; a server allows twenty by default."""
CONNECTIONS: Final = 7
"""The connections of one player; a server allows eight by default."""
MOST: Final = 90
"""With this number of seats it leaves rooms that wait for their start: a server gives it a hundred,
and there should be some for others."""
ASK_S: Final = 5.0
"""How often to ask for invitations. The process to which a player is connected tells it at once."""
ASK_EACH_S: Final = 0.2
"""And this much longer for each race, because the server reads all of them."""
AGAIN_S: Final = 3.0
"""The pause before another connection is tried after a server could not be reached."""
FRONT_END: Final = "bigben-house/1"


@dataclass(eq=False)
class Connection:
    """The seats that one client plays."""

    client: Client
    tasks: asyncio.TaskGroup
    seats: dict[str, Seat] = field(default_factory=dict)


@dataclass(eq=False)
class Identity:
    """A house player. It plays wherever the server says that it has a seat."""

    url: str
    strength: str
    token: Callable[[], str]
    """A new token: each connection gets one, because they expire."""
    thinkers: Thinkers
    speed: float
    ask_s: float = ASK_S
    _connections: list[Connection] = field(default_factory=list)
    _opening: set[str] = field(default_factory=set)
    """The races for which another connection is on its way."""

    async def run(self) -> None:
        """Play until cancelled. Raises ClientClosed if the server wants no such player."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            await self._serve()

    def invited(self, race: str) -> None:
        """Play in this race, unless it does already: on a connection that is made for it, or if
        there are enough of them, on the one with the fewest races.

        If it has nearly as many as a server gives it, it leaves the room that waits longest for its
        start: rooms that nobody starts must not keep it from all others.
        """
        if race in self._opening or any(race in one.seats for one in self._connections):
            return
        seats = self._seats()
        waiting = [seat for seat in seats if seat.waits]
        full = len(seats) >= min(MOST, RACES * CONNECTIONS)
        if full and waiting and not any(seat.given_up for seat in waiting):
            min(waiting, key=lambda seat: seat.since).give_up()
        if len(self._connections) + len(self._opening) < CONNECTIONS:
            self._opening.add(race)
            self._tasks.create_task(self._serve(race))
            return
        one = min(self._connections, key=lambda one: len(one.seats))
        if len(one.seats) < RACES:
            self._sit(one, race)

    def _sit(self, one: Connection, race: str) -> None:
        seat = Seat(one.client, race, self.strength, self.thinkers, self.speed)
        one.seats[race] = seat
        one.tasks.create_task(self._play(one, seat))

    def _seats(self) -> list[Seat]:
        return [seat for one in self._connections for seat in one.seats.values()]

    async def _serve(self, race: str = "") -> None:
        """Keep a connection as long as it has races; the first, for none, as long as this runs."""
        while True:
            client = Client(
                self.url, token=self.token(), client=FRONT_END, keeps_rules=True, race=race
            )
            try:
                async with client, asyncio.TaskGroup() as tasks:
                    connection = Connection(client, tasks)
                    self._connections.append(connection)
                    if race:
                        self._opening.discard(race)
                        self._sit(connection, race)
                    _log.info("the %s player is at %s", self.strength, self.url)
                    try:
                        await self._ask(connection, forever=not race)
                    finally:
                        self._connections.remove(connection)
            except* ServerUnreachable as group:
                _log.info("%s; trying again", group.exceptions[0])
            else:
                return
            await asyncio.sleep(AGAIN_S)

    async def _ask(self, connection: Connection, *, forever: bool) -> None:
        """Ask for invitations: on the first connection always, on another one only at its begin."""
        reading, asks = connection.tasks.create_task(self._read(connection)), True
        while asks or connection.seats:
            if asks:
                with suppress(RefusedError):  # the server may be busy; the next answer is as good
                    for info in (await connection.client.races()).races:
                        if info.kind == "live" and info.state in ("joined", "ready", "playing"):
                            self.invited(info.race)
            asks = forever
            await asyncio.sleep(self.ask_s + ASK_EACH_S * len(self._seats()))
        reading.cancel()

    async def _read(self, connection: Connection) -> None:
        async for event in connection.client.events():
            race = getattr(event, "race", "")
            if seat := connection.seats.get(race):
                seat.changed.set()
            elif isinstance(event, Room) and event.phase == "open":
                self.invited(race)

    async def _play(self, connection: Connection, seat: Seat) -> None:
        try:
            await seat.play()
        except ClientClosed:
            raise
        except Exception:  # only of this seat: the others are played on
            _log.exception("race %s: the %s player is lost", seat.race, self.strength)
        finally:
            del connection.seats[seat.race]
