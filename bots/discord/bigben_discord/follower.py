"""The bot's own connection: follows the races that have a public message. Plays in none."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Final

from bigben_client import Client, ClientClosed, ClientError, RefusedError, ServerUnreachable
from bigben_discord.identity import ISSUER, token
from bigben_protocol import PlayerId, Progress, Room, Standings

_log = logging.getLogger(__name__)

AGAIN_S: Final = 5.0
"""Until a connection that was closed for good is tried anew."""

News = Callable[[str], None]
"""Something has changed in this race that everybody may know."""


class WrongKey(Exception):
    """The server does not take what this bot signs. Its message is a sentence for the operator."""


class Follower:
    """What everybody may know of the races that are followed."""

    def __init__(self, server: str, key: str, news: News, tasks: asyncio.TaskGroup) -> None:
        self._server = server
        self._key = key
        self._news = news
        self._tasks = tasks
        self._wanted: set[str] = set()
        self._client: Client | None = None
        self._rooms: dict[str, Room] = {}
        self._standings: dict[str, Standings] = {}

    def room(self, race: str) -> Room | None:
        """The race as it stands, as far as anybody here knows."""
        live = self._client.rooms.get(race) if self._client else None
        return _newer(live, self._rooms.get(race))

    def standings(self, race: str) -> Standings | None:
        """The places of the end, once the race has closed."""
        return self._standings.get(race)

    def note(self, room: Room) -> None:
        """A player's connection has seen this, perhaps before the bot's own."""
        self._rooms[room.race] = _newer(room, self._rooms.get(room.race)) or room

    @property
    def client(self) -> Client:
        """The connection, to ask for what everybody may know. Raises ServerUnreachable."""
        if self._client is None:
            raise ServerUnreachable("The race server is away.")
        return self._client

    def follow(self, race: str) -> None:
        """Hear of this race from now on."""
        if race not in self._wanted:
            self._wanted.add(race)
            if self._client is not None:
                self._tasks.create_task(_asked(self._client.watch(race), race))

    def forget(self, race: str) -> None:
        """Hear of it no longer."""
        self._wanted.discard(race)
        self._rooms.pop(race, None)
        self._standings.pop(race, None)
        if self._client is not None:
            self._tasks.create_task(_asked(self._client.leave(race), race))

    async def run(self, application: int) -> None:
        """Be connected, again and again, until cancelled. Raises WrongKey."""
        player = PlayerId(f"{ISSUER}:bot-{application}")
        while True:
            speaks = token(self._key, player, "Big Ben", (), time.time())
            try:
                async with Client(self._server, token=speaks, client="bigben-discord/1") as client:
                    self._client = client
                    for race in self._wanted:
                        self._tasks.create_task(_asked(client.watch(race), race))
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
            await asyncio.sleep(AGAIN_S)

    async def _read(self, client: Client) -> None:
        async for event in client.events():
            match event:
                case Room() | Progress():
                    self._news(event.race)
                case Standings():
                    self._standings[event.race] = event
                    self._news(event.race)
                case _:
                    pass


async def _asked(answer: Coroutine[None, None, object], race: str) -> None:
    """Wait for an answer that nobody else waits for."""
    try:
        await answer
    except RefusedError as error:
        _log.warning("Race %s can't be followed: %s", race, error)
    except ClientError:
        pass  # The connection has ended; the next one begins with all that is wanted.


def _newer(one: Room | None, other: Room | None) -> Room | None:
    if one is None or other is None:
        return one or other
    return one if one.since >= other.since else other
