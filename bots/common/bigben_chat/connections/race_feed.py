"""What everybody may know of the races that have a public message. Plays in none.

It is heard over connections of the bot's own, as many as the races need, and from the players'.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from bigben_chat.connections.feed_connection import Ear, Heard
from bigben_chat.connections.identity import ISSUER
from bigben_client import Client
from bigben_protocol import PlayerId, Progress, Room, Standing, Standings

_WAITING: Final = ("joined", "ready")

News = Callable[[str, Collection[PlayerId] | None], None]
"""Something has changed in this race that everybody may know: for these players, or for all."""


class Follower:
    """The races that are followed, as they stand."""

    def __init__(self, server: str, key: str, news: News, gone: Callable[[str], None]) -> None:
        """``gone`` is told of races that the server does not know."""
        self._server = server
        self._key = key
        self._news = news
        self._gone = gone
        self._ears = [Ear(self._hear, gone)]
        self._more = asyncio.Event()
        self._rooms: dict[str, Room] = {}
        self._seen: dict[str, dict[PlayerId, Standing]] = {}
        self._standings: dict[str, Standings] = {}

    def room(self, race: str) -> Room | None:
        """The race as it stands, as far as anybody here knows.

        Of a daily its seats are all that were ever heard of: a Room shows no more than the best.
        """
        room, seen = self._rooms.get(race), self._seen.get(race, {})
        if room is None:
            return None
        if room.kind == "daily":
            return msgspec.structs.replace(room, seats=tuple(seen.values()))
        seats = tuple(_further(seat, seen.get(seat.player)) for seat in room.seats)
        return msgspec.structs.replace(room, seats=seats)

    def standings(self, race: str) -> Standings | None:
        """The places of the end, once the race has closed."""
        return self._standings.get(race)

    def note(self, room: Room) -> None:
        """Take a room as the bot or any player has been told of it, in any order."""
        known = self._rooms.get(room.race)
        if known is None or room.since >= known.since:
            self._rooms[room.race] = room
        self._see(room.race, room.seats)

    async def client(self) -> Client:
        """A connection to ask for what everybody may know; waits until there is one."""
        return await self._ears[0].client()

    def follow(self, race: str) -> None:
        """Hear of this race from now on."""
        if any(race in ear.races for ear in self._ears):
            return
        ear = next((ear for ear in self._ears if not ear.full), None)
        if ear is None:
            ear = Ear(self._hear, self._gone)
            self._ears.append(ear)
            self._more.set()
        ear.follow(race)

    def forget(self, race: str) -> None:
        """Hear of it no longer."""
        for known in (self._rooms, self._seen, self._standings):
            known.pop(race, None)
        for ear in self._ears:
            if race in ear.races:
                ear.forget(race)

    async def run(self, application: int) -> None:
        """Be connected until cancelled. Raises WrongKey, in a group."""
        async with asyncio.TaskGroup() as tasks:
            started = 0
            while True:
                self._more.clear()
                for number, ear in enumerate(self._ears[started:], started):
                    player = PlayerId(f"{ISSUER}:bot-{application}-{number}")
                    tasks.create_task(ear.run(self._server, self._key, player))
                started = len(self._ears)
                await self._more.wait()

    def _hear(self, heard: Heard) -> None:
        changed = None
        match heard:
            case Room():
                self.note(heard)
            case Progress():
                self._see(heard.race, heard.seats)
                changed = {seat.player for seat in heard.seats}
            case Standings():
                self._see(heard.race, heard.rows)
                if heard.final:
                    self._end(heard)
        self._news(heard.race, changed)

    def _end(self, page: Standings) -> None:
        """Take final places, of which a daily may have more than one message tells."""
        before = self._standings.get(page.race, page)
        rows = {row.player: row for row in (*before.rows, *page.rows)}
        ranked = tuple(sorted(rows.values(), key=lambda row: (row.place, row.player)))
        self._standings[page.race] = msgspec.structs.replace(page, rows=ranked)

    def _see(self, race: str, seats: Iterable[Standing]) -> None:
        seen = self._seen.setdefault(race, {})
        for seat in seats:
            seen[seat.player] = _further(seat, seen.get(seat.player))


def _further(one: Standing, other: Standing | None) -> Standing:
    """Which of two reports of a seat is the later one; before the start, the first."""
    if other is None or other.moves < one.moves:
        return one
    begun = other.state not in _WAITING
    if other.moves > one.moves or (begun and one.state in (*_WAITING, "playing")):
        return other
    return one
