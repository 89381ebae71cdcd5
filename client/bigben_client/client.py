"""The client that front ends use: its calls and its news. Draws no screen and knows no rules.

How it stays connected is in ``link.py``; what must survive a connection, in ``session.py``.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import Final, Self, TypeVar

from bigben_client.address import address
from bigben_client.backoff import Backoff
from bigben_client.errors import ClientClosed
from bigben_client.link import Dialling, Link
from bigben_client.session import Request
from bigben_client.unread import Event
from bigben_protocol import (
    MSGPACK,
    Create,
    Diff,
    GetLeaderboard,
    GetRecord,
    GetStandings,
    Join,
    Leaderboard,
    Leave,
    Left,
    PlayerId,
    Pong,
    Ready,
    Record,
    Rematch,
    Room,
    Standings,
    Start,
    Unready,
    View,
    Watch,
)

Answered = TypeVar("Answered", Room, Left, Standings, Record, Leaderboard)

CLIENT_NAME: Final = "bigben-client/1"
NONCE_BYTES: Final = 32


class Client:
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
    ) -> None:
        """Connects to nothing yet. Raises BadAddress.

        ``url``: ``ws://``, ``wss://``, ``http://``, ``https://`` or just ``host:port``.
        ``name`` makes a guest; with ``token``, from an earlier client, the same player is back.
        ``tries`` to connect are made at first; after that the client comes back for ever.
        ``timeout``: seconds for one try. ``clock``: seconds since 1970.
        """
        self._nonce_source = nonce_source
        self._clock = clock
        self._nonces: dict[str, str] = {}
        self._link = Link(
            Dialling(
                address(url),
                subprotocol,
                client,
                timeout,
                tries,
                backoff or Backoff(),
                self._clock_ms,
            ),
            name=name,
            token=token,
        )
        self._session = self._link.session
        self._tasks = asyncio.TaskGroup()
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Raises ServerUnreachable, ClientClosed, or RefusedError for a bad name or token."""
        await self._link.open()
        await self._tasks.__aenter__()
        self._running = self._tasks.create_task(self._link.run())
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
            await self._link.close()

    # What is

    @property
    def player(self) -> PlayerId:
        """Who this is, as the server knows them."""
        return self._session.player

    @property
    def name(self) -> str:
        """As the server shows it, once connected."""
        return self._link.name

    @property
    def token(self) -> str:
        """Keep it, and come back as the same player. It may change with a connection."""
        return self._link.token

    @property
    def rooms(self) -> Mapping[str, Room]:
        """The races that are followed, as they stand now."""
        return self._session.rooms

    @property
    def views(self) -> Mapping[str, View]:
        """The player's own games, as they stand now."""
        return self._session.views

    @property
    def nonces(self) -> Mapping[str, str]:
        """What this side mixed into the seeds of live races, in hex: a Reveal must repeat it."""
        return self._nonces

    @property
    def connected(self) -> bool:
        """Whether there is a connection now; calls may be made either way."""
        return self._link.connected

    @property
    def offset_ms(self) -> int:
        """The server's clock minus this one's."""
        return self._link.clock.offset_ms

    def now_at(self) -> int:
        """The server's time in ms since 1970, as ``starts_at`` and its like are."""
        return self._clock_ms() + self.offset_ms

    def events(self) -> AsyncIterator[Event]:
        """All news since the client was entered, each once, however many read.

        Every message but the answers of calls, and Lost and Back; Room, Snapshot, Diff and
        Standings also when they answer. Ends when the client is left; raises ClientClosed. For
        one who reads slowly, newer news stands for older, and ``rooms`` and ``views`` are ahead.
        """
        return self._link.events()

    # Calls. Each raises RefusedError and ClientClosed. Races go by ``Room.race``.

    async def create(
        self,
        *,
        game: str = "bigben",
        rules: str = "standard",
        limit_ms: int = 3_600_000,
        undo: bool = False,
        invite_only: bool = False,
        practice: bool = False,
        seed: str = "",
    ) -> Room:
        """Open a room, or a practice game alone. Called into a breaking connection, it may leave
        an empty room behind.
        """
        create = Create(game, rules, limit_ms, undo, invite_only, practice, seed)
        return await self._ask(create, Room)

    async def join(self, race: str) -> Room:
        """Take a seat, or come back to it; ``daily`` is today's."""
        return await self._ask(Join(race), Room)

    async def watch(self, race: str) -> Room:
        """Follow a race without a seat."""
        return await self._ask(Watch(race), Room)

    async def leave(self, race: str) -> None:
        """Give the seat up before the start, or follow no longer."""
        await self._ask(Leave(race), Left)

    async def ready(self, race: str) -> Room:
        """Live: ready for the countdown. Daily and practice: show the cards, start the clock."""
        room = self.rooms.get(race)
        nonce = "" if room and room.kind != "live" else self._nonce(race)
        return await self._ask(Ready(race, nonce), Room)

    async def unready(self, race: str) -> Room:
        """Take ``ready`` back, before the countdown."""
        return await self._ask(Unready(race), Room)

    async def start(self, race: str) -> Room:
        """As the host: start with those who are ready."""
        return await self._ask(Start(race), Room)

    async def rematch(self, race: str) -> Room:
        """The room that follows this closed race, opened if it is not yet."""
        return await self._ask(Rematch(race), Room)

    async def move(self, race: str, text: str) -> Diff:
        """Play, once every earlier move of this race is answered. Durable when it returns.

        Cancelled, it may still be played.
        """
        self._link.check_open()
        ticket = self._session.ticket()
        answer = await self._link.answer(ticket, self._session.move(ticket, race, text))
        assert isinstance(answer, Diff), "a move is answered by Diff"
        return answer

    async def standings(self, race: str) -> Standings:
        """The places as they are."""
        return await self._ask(GetStandings(race), Standings)

    async def record(self, race: str, player: str = "") -> Record:
        """Every move of a seat, one's own if ``player`` is empty."""
        return await self._ask(GetRecord(race, player), Record)

    async def leaderboard(
        self,
        *,
        date: str = "",
        game: str = "bigben",
        rules: str = "standard",
        start: int = 0,
        count: int = 20,
    ) -> Leaderboard:
        """A page of a daily board; today's if ``date`` is empty."""
        return await self._ask(GetLeaderboard(date, game, rules, start, count), Leaderboard)

    async def ping(self) -> int:
        """Measure the way there and back, in ms; makes ``now_at`` more exact."""
        self._link.check_open()
        ticket, sent = self._session.ticket(), self._clock_ms()
        pong = await self._link.answer(ticket, self._session.ping(ticket))
        assert isinstance(pong, Pong), "a ping is answered by Pong"
        received = self._clock_ms()
        self._link.clock.sample(sent=sent, received=received, now_at=pong.now_at)
        return received - sent

    # How

    async def _ask(self, request: Request, kind: type[Answered]) -> Answered:
        self._link.check_open()
        ticket = self._session.ticket()
        answer = await self._link.answer(ticket, self._session.ask(ticket, request))
        if not isinstance(answer, kind):
            raise ClientClosed(
                f"The server answered with {type(answer).__name__} where {kind.__name__} was due: "
                "this client or the server is out of date."
            )
        return answer

    def _clock_ms(self) -> int:
        return int(self._clock() * 1000)

    def _nonce(self, race: str) -> str:
        """The same for the same race, for as long as this client lives."""
        if race not in self._nonces:
            self._nonces[race] = self._nonce_source(NONCE_BYTES).hex()
        return self._nonces[race]
