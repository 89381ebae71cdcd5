"""The client that front ends use: enter it, read its state, iterate over its events.

``calls.py`` has the requests, ``reconnector.py`` the connection, and ``session.py`` the state that
survives a connection.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Final, Self

from bigben_client.calls import Calls
from bigben_client.connection.address import address
from bigben_client.connection.backoff import Backoff
from bigben_client.connection.reconnector import Dialling, Reconnector
from bigben_client.evidence.kept import Kept
from bigben_client.session.event_queue import Event
from bigben_protocol import MSGPACK, Analysis, PlayerId, Room, View

CLIENT_NAME: Final = "bigben-client/1"


class Client(Calls):
    """One player's connection to a server, for as long as ``async with`` lasts.

    If a connection breaks, the client opens another: calls wait longer, moves are sent again under
    their old numbers, and missed messages arrive. Call all methods in the event loop that entered
    the client.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str = "",
        token: str = "",
        subprotocol: str = MSGPACK,
        client: str = CLIENT_NAME,
        tries: int = 4,
        timeout: float = 10.0,
        backoff: Backoff | None = None,
        nonce_source: Callable[[int], bytes] = secrets.token_bytes,
        clock: Callable[[], float] = time.time,
        kept: Iterable[Kept] = (),
        patience: float | None = None,
        keeps_rules: bool = False,
        announcements: bool = False,
        keep: Callable[[Kept], object] | None = None,
        cheers: bool = False,
        race: str = "",
        challenges: bool = False,
    ) -> None:
        """Does not connect yet. Raises BadAddress.

        ``url``: ``ws://``, ``wss://``, ``http://``, ``https://`` or just ``host:port``.
        ``name`` makes a guest; with a ``token`` from an earlier client it is the same player again.
        ``tries``: how often to try the first connection; later the client tries without limit.
        ``timeout``: seconds for one try. ``clock``: seconds since 1970. ``kept``: an earlier
        client's ``kept``, for the races that the player was in. ``patience``: seconds that a call
        waits for a lost connection before it raises ServerUnreachable; None for no limit.
        ``keeps_rules``: the front end finds the legal moves itself. After a Diff the view's
        ``legal`` is then empty; the client still checks every card that moves, and after every
        tenth move the digest. ``announcements``: Announcements of the operator are events too.
        ``keep`` stores a race for ``kept`` of the next client. It is called before Ready promises a
        nonce: a client that has lost the nonce can't send it when all hashes are fixed. ``cheers``:
        Cheers of players are events too; some are lost if they are many. ``race``: the one that the
        player enters first, if it is known; later connections are made for the race they are in.
        ``challenges``: Challenges are events too, whenever one comes or is answered.
        """
        dialling = Dialling(
            address(url),
            subprotocol,
            client,
            timeout,
            tries,
            backoff or Backoff(),
            lambda: int(clock() * 1000),
            patience,
            keeps_rules,
            announcements,
            cheers,
            race,
            challenges,
        )
        reconnector = Reconnector(dialling, name=name, token=token, kept=kept)
        super().__init__(reconnector, nonce_source, keep)
        self._tasks = asyncio.TaskGroup()
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Raises ServerUnreachable, ClientClosed, or RefusedError for a bad name or token."""
        await self._reconnector.open()
        await self._tasks.__aenter__()
        self._running = self._tasks.create_task(self._reconnector.run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._running is not None, "entered"
        self._running.cancel()
        # The block's own exception passes through unchanged; the group would wrap it.
        if not isinstance(error, asyncio.CancelledError):
            kind = error = trace = None
        try:
            await self._tasks.__aexit__(kind, error, trace)
        finally:
            await self._reconnector.close()

    # State

    @property
    def player(self) -> PlayerId:
        """The player's id, once connected."""
        return self._reconnector.session.player

    @property
    def name(self) -> str:
        """The name that others see, once connected."""
        return self._reconnector.name

    @property
    def token(self) -> str:
        """Store it to return as the same player. A new connection may change it."""
        return self._reconnector.token

    @property
    def house(self) -> bool:
        """Whether hosts can add house players to their rooms, once connected."""
        return self._reconnector.session.house

    @property
    def cheers(self) -> bool:
        """Whether ``cheer`` may be called, once connected with ``cheers``."""
        return self._reconnector.session.cheers

    @property
    def rooms(self) -> Mapping[str, Room]:
        """The followed races, always current."""
        return self._reconnector.session.rooms

    @property
    def views(self) -> Mapping[str, View]:
        """The player's own games, always current."""
        return self._reconnector.session.views

    @property
    def kept(self) -> Mapping[str, Kept]:
        """What the player saw of their own latest races, for ``check``."""
        return self._reconnector.session.kept

    @property
    def analysing(self) -> Mapping[str, Analysis]:
        """How far the analyses are that ``analysis`` waits for, by race."""
        return self._reconnector.session.analysing

    @property
    def connected(self) -> bool:
        """Whether there is a connection now. Calls work either way."""
        return self._reconnector.connected

    @property
    def offset_ms(self) -> int:
        """The server's clock minus this one's."""
        return self._reconnector.clock.offset_ms

    def now_at(self) -> int:
        """The server's time in ms since 1970, to compare with ``starts_at`` and other ``…_at``."""
        return self._reconnector.dialling.clock_ms() + self.offset_ms

    def events(self) -> AsyncIterator[Event]:
        """The events since the client was entered. Several readers share them: each gets some.

        Events are Lost, Back and all messages except answers to calls; Room, Snapshot, Diff and
        Standings are events even as answers. For a slow reader newer events replace older ones, and
        ``rooms`` and ``views`` are ahead of the events. Ends when the client is left, and raises
        ClientClosed if the client was closed for good.
        """
        return self._reconnector.events()
