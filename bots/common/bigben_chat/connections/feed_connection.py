"""One connection of the race feed. It follows up to 15 races and passes on what it receives."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, ParamSpec

from bigben_chat.connections.identity import Issuer
from bigben_chat.connections.player_pool import RECONNECT_S
from bigben_chat.games import KnownGames
from bigben_client import Back, Backoff, Client, ClientClosed, ClientError, Lost, RefusedError
from bigben_protocol import PlayerId, Progress, Room, Standings

_log = logging.getLogger(__name__)

MOST_RACES: Final = 15
"""The most races that one connection follows; the server allows 20."""
AGAIN_S: Final = 5.0
"""Seconds before a new try after a connection was closed for good."""

Update = Room | Progress | Standings
"""What everybody may know of a race."""
Arguments = ParamSpec("Arguments")


class WrongKey(Exception):
    """The server does not accept this bot's tokens. The message is a sentence for the operator."""


class FeedConnection:
    """Follows its races, over one connection after another."""

    def __init__(self, receive: Callable[[Update], None], gone: Callable[[str], None]) -> None:
        """``gone`` is called for races that the server does not know."""
        self.races: set[str] = set()
        self._receive = receive
        self._gone = gone
        self._client: Client | None = None
        self._connected = asyncio.Event()
        self._requests: set[asyncio.Task[None]] = set()

    @property
    def full(self) -> bool:
        """It can follow no more races."""
        return len(self.races) >= MOST_RACES

    @property
    def connected(self) -> bool:
        """Whether the server is there."""
        return self._client is not None and self._client.connected

    @property
    def house(self) -> bool:
        """Whether hosts can add house players, as far as is known."""
        return self._client is not None and self._client.house

    async def client(self) -> Client:
        """The connection, to ask for what everybody may know; waits until there is one."""
        while self._client is None:
            await self._connected.wait()
        return self._client

    def follow(self, race: str) -> None:
        """Follow this race from now on."""
        self.races.add(race)
        if self._client is not None:
            self._start(self._watch, self._client, race)

    def unfollow(self, race: str) -> None:
        """Stop following it."""
        self.races.discard(race)
        if self._client is not None:
            self._start(self._client.leave, race)

    async def run(self, server: str, issuer: Issuer, player: PlayerId, games: KnownGames) -> None:
        """Stay connected until cancelled. Raises WrongKey. Fetches ``games`` first."""
        while True:
            token = issuer.token(player, "Big Ben", (), time.time())
            backoff = Backoff(longest=RECONNECT_S)
            try:
                async with Client(
                    server, token=token, client=issuer.client, backoff=backoff
                ) as client:
                    await games.fetch(client)
                    self._client = client
                    self._connected.set()
                    for race in self.races:
                        self._start(self._watch, client, race)
                    await self._listen(client, games)
            except RefusedError as error:
                raise WrongKey(
                    f"The race server does not take BIGBEN_ISSUER_{issuer.name.upper()}_KEY; "
                    f"give the same key to the server and to the bot. The server says: {error}"
                ) from None
            except ClientClosed as error:
                _log.warning("The race server is away: %s", error)
            finally:
                self._client = None
                self._connected.clear()
                for task in self._requests:
                    task.cancel()
            await asyncio.sleep(AGAIN_S)

    async def _listen(self, client: Client, games: KnownGames) -> None:
        async for event in client.events():
            match event:
                case Room() | Progress() | Standings():
                    self._receive(event)
                case Lost():
                    _log.warning("The race server is away: %s", event.reason)
                case Back():
                    _log.info("The race server is back.")
                    self._start(games.fetch, client)  # It may be a newer one.
                case _:
                    pass
            if isinstance(event, Standings) and _is_part(event):
                self._start(client.all_standings, event.race)

    async def _watch(self, client: Client, race: str) -> None:
        """Follow a race on this connection; the next one follows all of `races` again."""
        try:
            if (await client.watch(race)).kind == "daily":
                # A Room shows only the best players of a daily; this asks for all of them.
                await client.all_standings(race)
        except RefusedError as error:
            _log.warning("Race %s can't be followed: %s", race, error)
            if error.code == "unknown":
                self._gone(race)

    def _start(
        self,
        request: Callable[Arguments, Awaitable[object]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> None:
        """Run a request in the background; ``run`` cancels it when its connection ends."""
        task = asyncio.create_task(_quietly(request, *args, **kwargs))
        self._requests.add(task)
        task.add_done_callback(self._requests.discard)


def _is_part(standings: Standings) -> bool:
    """Whether these are final standings that lack some of the places."""
    return standings.final and not standings.ref and standings.players > len(standings.rows)


async def _quietly(
    request: Callable[Arguments, Awaitable[object]],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> None:
    """Make a request that nobody waits for. It does nothing on a connection that has ended."""
    with suppress(ClientError):
        await request(*args, **kwargs)
