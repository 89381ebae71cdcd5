"""The client that front ends use: its life, its state, its news. Draws no screen, knows no rules.

What can be asked is in ``calls.py``, how it stays connected in ``uplink.py``, and what must survive
a connection in ``session.py``.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Final, Self

from bigben_client.address import address
from bigben_client.backoff import Backoff
from bigben_client.calls import Calls
from bigben_client.kept import Kept
from bigben_client.unread import Event
from bigben_client.uplink import Dialling, Uplink
from bigben_protocol import MSGPACK, PlayerId, Room, View

CLIENT_NAME: Final = "bigben-client/1"


class Client(Calls):
    """One player's connection to a server, for as long as ``async with`` lasts.

    A connection that breaks is replaced: calls that wait just wait longer, moves are sent again
    under their old numbers, and all that was missed is brought. All methods belong to the event
    loop that entered the client.
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
    ) -> None:
        """Connects to nothing yet. Raises BadAddress.

        ``url``: ``ws://``, ``wss://``, ``http://``, ``https://`` or just ``host:port``.
        ``name`` makes a guest; with ``token``, from an earlier client, the same player is back.
        ``tries`` to connect are made at first; after that the client comes back for ever.
        ``timeout``: seconds for one try. ``clock``: seconds since 1970. ``kept``: of races that the
        player was in before, from an earlier client's ``kept``. ``patience``: seconds that a call
        waits for a connection that is lost, before it raises ServerUnreachable; None for as long as
        it takes.
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
        )
        super().__init__(Uplink(dialling, name=name, token=token, kept=kept), nonce_source)
        self._tasks = asyncio.TaskGroup()
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Raises ServerUnreachable, ClientClosed, or RefusedError for a bad name or token."""
        await self._uplink.open()
        await self._tasks.__aenter__()
        self._running = self._tasks.create_task(self._uplink.run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._running is not None, "entered"
        self._running.cancel()
        # What the block raises passes through as it is; the group would wrap it in a group.
        if not isinstance(error, asyncio.CancelledError):
            kind = error = trace = None
        try:
            await self._tasks.__aexit__(kind, error, trace)
        finally:
            await self._uplink.close()

    # What is

    @property
    def player(self) -> PlayerId:
        """Who this is, as the server knows them."""
        return self._uplink.session.player

    @property
    def name(self) -> str:
        """As the server shows it, once connected."""
        return self._uplink.name

    @property
    def token(self) -> str:
        """Keep it, and come back as the same player. It may change with a connection."""
        return self._uplink.token

    @property
    def rooms(self) -> Mapping[str, Room]:
        """The races that are followed, as they stand now."""
        return self._uplink.session.rooms

    @property
    def views(self) -> Mapping[str, View]:
        """The player's own games, as they stand now."""
        return self._uplink.session.views

    @property
    def kept(self) -> Mapping[str, Kept]:
        """What was seen of the player's own races, for ``check``; the latest of them."""
        return self._uplink.session.kept

    @property
    def connected(self) -> bool:
        """Whether there is a connection now; calls may be made either way."""
        return self._uplink.connected

    @property
    def offset_ms(self) -> int:
        """The server's clock minus this one's."""
        return self._uplink.clock.offset_ms

    def now_at(self) -> int:
        """The server's time in ms since 1970, as ``starts_at`` and its like are."""
        return self._uplink.dialling.clock_ms() + self.offset_ms

    def events(self) -> AsyncIterator[Event]:
        """All news since the client was entered, each once, however many read.

        Every message but the answers of calls, and Lost and Back; Room, Snapshot, Diff and
        Standings also when they answer. Ends when the client is left; raises ClientClosed. For
        one who reads slowly, newer news stands for older, and ``rooms`` and ``views`` are ahead.
        """
        return self._uplink.events()
