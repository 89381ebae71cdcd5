"""The race feed: what everybody may know of the races that have a public message.

It comes over the bot's own connections, as many as the races need, and over those of players.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from bigben_chat.connections.feed_connection import FeedConnection, Update
from bigben_chat.connections.identity import Issuer
from bigben_chat.games import KnownGames
from bigben_chat.store import ChatId
from bigben_client import Client
from bigben_protocol import PlayerId, Progress, Room, Standing, Standings

_WAITING: Final = ("joined", "ready")

Changed = Callable[[str, Collection[PlayerId] | None], None]
"""Called when something public has changed in this race: for these players, or for all."""


class RaceFeed:
    """The races that are followed, in their latest state."""

    def __init__(
        self,
        server: str,
        issuer: Issuer,
        games: KnownGames,
        changed: Changed,
        gone: Callable[[str], None],
    ) -> None:
        """``gone`` is called for races that the server does not know."""
        self._server = server
        self._issuer = issuer
        self.games = games
        self._changed = changed
        self._gone = gone
        self._connections = [FeedConnection(self._receive, gone)]
        self._more = asyncio.Event()
        self._rooms: dict[str, Room] = {}
        self._seats: dict[str, dict[PlayerId, Standing]] = {}
        self._standings: dict[str, Standings] = {}

    def room(self, race: str) -> Room | None:
        """The race in its latest state that anybody here knows.

        Of a daily it has all seats that were ever reported: a Room shows only the best.
        """
        room, seats = self._rooms.get(race), self._seats.get(race, {})
        if room is None:
            return None
        if room.kind == "daily":
            return msgspec.structs.replace(room, seats=tuple(seats.values()))
        latest = tuple(_latest(seat, seats.get(seat.player, seat)) for seat in room.seats)
        return msgspec.structs.replace(room, seats=latest)

    def standings(self, race: str) -> Standings | None:
        """The final places, once the race has closed."""
        return self._standings.get(race)

    def note(self, room: Room) -> None:
        """Handle a room that the bot or any player has received, in any order."""
        known = self._rooms.get(room.race)
        if known is None or room.since >= known.since:
            self._rooms[room.race] = room
        self._note_seats(room.race, room.seats)

    @property
    def connected(self) -> bool:
        """Whether all that is followed is heard of."""
        return all(connection.connected for connection in self._connections)

    @property
    def house(self) -> bool:
        """Whether hosts can add house players, as far as is known."""
        return self._connections[0].house

    async def client(self) -> Client:
        """A connection to ask for what everybody may know; waits until there is one."""
        return await self._connections[0].client()

    async def look(self, race: str) -> Room:
        """The race as it is now; it is not followed. Raises ClientError."""
        client = await self.client()
        room = await client.watch(race)
        if race not in self._connections[0].races:
            await client.leave(race)
        return room

    def follow(self, race: str) -> None:
        """Follow this race. Idempotent."""
        if any(race in connection.races for connection in self._connections):
            return
        connection = next((one for one in self._connections if not one.full), None)
        if connection is None:
            connection = FeedConnection(self._receive, self._gone)
            self._connections.append(connection)
            self._more.set()
        connection.follow(race)

    def unfollow(self, race: str) -> None:
        """Stop following it."""
        for known in (self._rooms, self._seats, self._standings):
            known.pop(race, None)
        for connection in self._connections:
            if race in connection.races:
                connection.unfollow(race)

    async def run(self, bot: ChatId) -> None:
        """Stay connected until cancelled. ``bot`` is its own id on the platform.

        Raises WrongKey, in a group.
        """
        async with asyncio.TaskGroup() as tasks:
            started = 0
            while True:
                self._more.clear()
                for number, connection in enumerate(self._connections[started:], started):
                    player = self._issuer.player(f"bot-{bot}-{number}")
                    task = connection.run(self._server, self._issuer, player, self.games)
                    tasks.create_task(task)
                started = len(self._connections)
                await self._more.wait()

    def _receive(self, update: Update) -> None:
        players = None
        match update:
            case Room():
                self.note(update)
            case Progress():
                self._note_seats(update.race, update.seats)
                players = {seat.player for seat in update.seats}
            case Standings():
                self._note_seats(update.race, update.rows)
                if update.final:
                    self._note_final(update)
        self._changed(update.race, players)

    def _note_final(self, page: Standings) -> None:
        """Handle final places. Those of a daily may come in several messages."""
        before = self._standings.get(page.race, page)
        rows = {row.player: row for row in (*before.rows, *page.rows)}
        ranked = tuple(sorted(rows.values(), key=lambda row: (row.place, row.player)))
        self._standings[page.race] = msgspec.structs.replace(page, rows=ranked)

    def _note_seats(self, race: str, reported: Iterable[Standing]) -> None:
        seats = self._seats.setdefault(race, {})
        for seat in reported:
            seats[seat.player] = _later(seat, seats.get(seat.player))


def _latest(seat: Standing, reported: Standing) -> Standing:
    """A seat of the latest Room, by all reports; before the start only Rooms tell its state."""
    if reported.state in _WAITING:
        return msgspec.structs.replace(seat, away=reported.away, ends_at=reported.ends_at)
    return reported


def _later(one: Standing, other: Standing | None) -> Standing:
    """Which of two reports of a seat is the later one; ``one`` has come after ``other``.

    With as many moves and nothing else to tell them apart, that is ``one``: who is away changes
    without a move.
    """
    if other is None or other.moves < one.moves:
        return one
    if other.moves == one.moves and other.state == one.state:
        return one
    begun = other.state not in _WAITING
    if other.moves > one.moves or (begun and one.state in (*_WAITING, "playing")):
        return other
    return one
