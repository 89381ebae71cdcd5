"""The bot's own connection: follows the races that have a public message. Plays in none."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Final

import msgspec

from bigben_client import (
    Backoff,
    Client,
    ClientClosed,
    ClientError,
    RefusedError,
)
from bigben_discord.identity import ISSUER, token
from bigben_discord.players import CLIENT, COME_BACK_S
from bigben_protocol import PlayerId, Progress, Room, Standing, Standings

_log = logging.getLogger(__name__)

AGAIN_S: Final = 5.0
"""Until a connection that was closed for good is tried anew."""

_WAITING: Final = ("joined", "ready")

News = Callable[[str], None]
"""Something has changed in this race that everybody may know."""


class WrongKey(Exception):
    """The server does not take what this bot signs. Its message is a sentence for the operator."""


class Follower:
    """What everybody may know of the races that are followed."""

    def __init__(self, server: str, key: str, news: News) -> None:
        self._server = server
        self._key = key
        self._news = news
        self._asking: set[asyncio.Task[None]] = set()
        self._wanted: set[str] = set()
        self._client: Client | None = None
        self._connected = asyncio.Event()
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

    def _see(self, race: str, seats: Iterable[Standing]) -> None:
        seen = self._seen.setdefault(race, {})
        for seat in seats:
            seen[seat.player] = _further(seat, seen.get(seat.player))

    async def client(self) -> Client:
        """The connection, to ask for what everybody may know; waits until there is one."""
        while self._client is None:
            await self._connected.wait()
        return self._client

    def follow(self, race: str) -> None:
        """Hear of this race from now on."""
        if race not in self._wanted:
            self._wanted.add(race)
            if self._client is not None:
                self._start(_watch(self._client, race))

    def forget(self, race: str) -> None:
        """Hear of it no longer."""
        self._wanted.discard(race)
        for known in (self._rooms, self._seen, self._standings):
            known.pop(race, None)
        if self._client is not None:
            self._start(_leave(self._client, race))

    async def run(self, application: int) -> None:
        """Be connected, again and again, until cancelled. Raises WrongKey."""
        player = PlayerId(f"{ISSUER}:bot-{application}")
        while True:
            speaks = token(self._key, player, "Big Ben", (), time.time())
            backoff = Backoff(longest=COME_BACK_S)
            try:
                async with Client(
                    self._server, token=speaks, client=CLIENT, backoff=backoff
                ) as client:
                    self._client = client
                    self._connected.set()
                    for race in self._wanted:
                        self._start(_watch(client, race))
                    await self._read(client)
            except RefusedError as error:
                raise WrongKey(
                    "The race server does not take BIGBEN_ISSUER_DISCORD_KEY; give the same key "
                    f"to the server and to the bot. The server says: {error}"
                ) from None
            except ClientClosed as error:
                _log.warning("The race server is away: %s", error)
            finally:
                self._client = None
                self._connected.clear()
                for task in self._asking:
                    task.cancel()
            await asyncio.sleep(AGAIN_S)

    async def _read(self, client: Client) -> None:
        async for event in client.events():
            match event:
                case Room():
                    self.note(event)
                    self._news(event.race)
                case Progress():
                    self._see(event.race, event.seats)
                    self._news(event.race)
                case Standings():
                    self._see(event.race, event.rows)
                    if event.final:
                        self._standings[event.race] = event
                    self._news(event.race)
                case _:
                    pass

    def _start(self, asking: Coroutine[None, None, None]) -> None:
        """Ask without waiting; ``run`` cancels what is left at the end of its connection."""
        task = asyncio.create_task(asking)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)


async def _watch(client: Client, race: str) -> None:
    """Begin to hear of a race. Nobody waits for this."""
    try:
        room = await client.watch(race)
        if room.kind == "daily":
            # A Room shows the best of a daily; here are all.
            await client.standings(race)
    except RefusedError as error:
        _log.warning("Race %s can't be followed: %s", race, error)
    except ClientError:
        pass  # The connection has ended; the next one begins with all that is wanted.


async def _leave(client: Client, race: str) -> None:
    """Hear of a race no longer. Nobody waits for this."""
    with suppress(ClientError):  # Nothing is followed on a connection that has ended.
        await client.leave(race)


def _further(one: Standing, other: Standing | None) -> Standing:
    """Which of two reports of a seat is the later one; before the start, the first."""
    if other is None or other.moves < one.moves:
        return one
    begun = other.state not in _WAITING
    if other.moves > one.moves or (begun and one.state in (*_WAITING, "playing")):
        return other
    return one
