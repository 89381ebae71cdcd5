"""Keeps a session connected: connects, says hello, reconnects, and carries out its effects."""

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterable,
)
from contextlib import suppress
from dataclasses import dataclass

from bigben_client.connection.address import Address
from bigben_client.connection.backoff import Backoff
from bigben_client.connection.change_over import ChangeOver
from bigben_client.connection.server_clock import ServerClock
from bigben_client.connection.wire import POLICY, Ended, Unreachable, Wire, reason_of
from bigben_client.errors import (
    ClientClosed,
    ClientError,
    Hangup,
    RefusedError,
    ServerUnreachable,
    said_of,
)
from bigben_client.evidence.kept import Kept
from bigben_client.session.effects import Answer, Effect, Send, Tell
from bigben_client.session.event_queue import Back, Event, EventQueue, Lost
from bigben_client.session.session import LATER, Session
from bigben_protocol import Hello, Refused, ServerMessage, Welcome, texts
from bigben_protocol.sentence import Sentence, sentence


@dataclass(frozen=True, slots=True)
class Dialling:
    """Where and how to connect."""

    address: Address
    subprotocol: str
    client: str
    """The front end and its version, for the operator's figures."""
    timeout: float
    """Seconds for one try, including Welcome."""
    tries: int
    """How often to try the first connection; later ones are tried without limit."""
    backoff: Backoff
    clock_ms: Callable[[], int]
    """Local time since 1970."""
    patience: float | None = None
    """Seconds that a call waits without a connection; None for no limit."""
    keeps_rules: bool = False
    """The front end finds the legal moves itself."""
    announcements: bool = False
    """The front end shows Announcements."""
    cheers: bool = False
    """The front end shows Cheers."""
    race: str = ""
    """The race that the player enters first, if it is known."""
    challenges: bool = False
    """The front end shows Challenges."""

    def hello(self, *, name: str = "", token: str) -> Hello:
        asks = self.keeps_rules, self.announcements, self.cheers
        return Hello(name, token, self.client, *asks, elsewhere=True, challenges=self.challenges)


class Reconnector:
    """Runs one session on one connection after another."""

    def __init__(
        self, dialling: Dialling, *, name: str, token: str, kept: Iterable[Kept] = ()
    ) -> None:
        self.session = Session(kept)
        self.clock = ServerClock()
        self.name = name
        self.token = token
        self.dialling = dialling
        self._opened: Wire | None = None
        """A connection that has received Welcome but that ``run`` does not serve yet."""
        self._wire: Wire | None = None
        self._change_over = ChangeOver(self._dial_for, self._look_elsewhere)
        self._closing: set[asyncio.Task[None]] = set()
        """They close connections that are needed no more."""
        self._waiting: dict[int, asyncio.Future[ServerMessage]] = {}
        self._limits: set[asyncio.Timeout] = set()
        """The timeouts of the calls that wait."""
        self._hurry = asyncio.Event()
        """Set when a call with limited patience waits for a connection."""
        self._queue = EventQueue(self.session.views)
        self._news = asyncio.Event()
        self._end: tuple[Sentence, ...] | None = (sentence("client.not_connected"),)
        """Why no call is possible; None while calls are."""
        self._refused: Refused | None = None
        """The last refusal, which may be the reason of a close."""
        self._error: tuple[Sentence, ...] | None = None
        """Why the client was closed for good, if it was."""

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return (self._wire or self._opened) is not None

    async def open(self) -> None:
        """Make the first connection; call ``run`` next.

        Raises ServerUnreachable, ClientClosed, or RefusedError for a bad name or token.
        """
        hello = self.dialling.hello(name=self.name, token=self.token)
        self._opened = await self._connect(hello, self.dialling.tries)
        self._end = None

    async def run(self) -> None:
        """Serve one connection after another, until cancelled or closed for good."""
        try:
            while True:
                ended = await self._serve()
                if self._opened:  # changed over
                    continue
                self._tell(Lost(texts.all_said(ended.said)))
                self._set_limits(self._limits)
                # Pause also after a connection that was accepted and closed at once.
                await self._pause(ended.retry_s)
                self._opened = await self._connect(self.dialling.hello(token=self.token))
                self._tell(Back())
                self._set_limits(self._limits)
        except ClientError as error:
            self._error = error.said
            self._finish(self._error)

    async def close(self) -> None:
        """End all calls. Call this once ``run`` is over, or if it never began."""
        self._finish((sentence("client.left"),))
        if self._opened:
            opened, self._opened = self._opened, None
            await opened.close()
        await asyncio.gather(*self._closing)

    async def answer(self, ticket: int, effects: Iterable[Effect]) -> ServerMessage:
        """Carry out the effects of a call and wait for its answer.

        Call ``check_open`` first, before the session makes the effects. Raises RefusedError,
        ClientClosed, and ServerUnreachable if there is no connection within the call's patience.
        """
        future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[ticket] = future
        try:
            self._carry_out(effects)
            answer = await self._answered(future)
        finally:
            del self._waiting[ticket]
            self.session.forget(ticket)
        if isinstance(answer, Refused):
            raise RefusedError(answer)
        return answer

    async def _answered(self, future: asyncio.Future[ServerMessage]) -> ServerMessage:
        try:
            async with asyncio.timeout(None) as limit:
                self._limits.add(limit)
                try:
                    self._set_limits([limit])
                    return await future
                finally:
                    self._limits.discard(limit)
        except TimeoutError:
            url = self.dialling.address.url
            raise ServerUnreachable(sentence("client.away", url=url)) from None

    def _set_limits(self, limits: Collection[asyncio.Timeout]) -> None:
        """End these calls after ``patience`` seconds without a connection."""
        patience = self.dialling.patience
        waits = patience is not None and not self.connected
        if waits and limits:
            self._hurry.set()
        at = asyncio.get_running_loop().time() + (patience or 0.0) if waits else None
        for limit in limits:
            if not limit.expired():
                limit.reschedule(at)

    def check_open(self) -> None:
        """Raises ClientClosed before ``open`` and after the end."""
        if self._end is not None:
            raise ClientClosed(*self._end)

    async def events(self) -> AsyncIterator[Event]:
        """Each event once, until the client ends. Raises ClientClosed if that was for good."""
        while True:
            while self._queue:
                yield self._queue.take()
            if self._end is not None:
                break
            self._news.clear()
            await self._news.wait()
        if self._error is not None:
            raise ClientClosed(*self._error)

    # Connecting

    async def _connect(self, hello: Hello, tries: int | None = None) -> Wire:
        tried = 0
        while True:
            try:
                wire = await self._dial(hello)
            except Unreachable as error:
                tried += 1
                if tried == tries:
                    away = sentence("client.unreachable", url=self.dialling.address.url)
                    check = sentence("client.try_again")
                    raise ServerUnreachable(away, *error.said, check) from None
                await self._pause(error.retry_s)
            else:
                self.dialling.backoff.up()
                return wire

    async def _pause(self, at_least: float) -> None:
        """Wait as long as the server asks, then for the backoff unless an impatient call waits."""
        wait = self.dialling.backoff.wait(at_least)
        self._hurry.clear()
        await asyncio.sleep(min(at_least, wait))
        with suppress(TimeoutError):
            async with asyncio.timeout(wait - min(at_least, wait)):
                await self._hurry.wait()

    async def _dial(self, hello: Hello, race: str = "") -> Wire:
        """Connect once and say hello, for this race or for the one that matters.

        Raises Unreachable if another try makes sense.
        """
        dialling = self.dialling
        timeout = dialling.timeout
        race = race or self.session.race or dialling.race
        wire = await Wire.open(dialling.address, dialling.subprotocol, race=race, timeout=timeout)
        try:
            sent = dialling.clock_ms()
            async with asyncio.timeout(timeout):
                answer = await wire.ask(hello)
            self._welcomed(answer, sent)
        except BaseException as error:
            await wire.close()
            match error:
                case TimeoutError():
                    raise Unreachable(sentence("client.no_answer")) from None
                case Hangup():
                    raise self._closed_for_good(error.code, error.reason) from None
                case _:
                    raise
        return wire

    def _welcomed(self, answer: ServerMessage, sent: int) -> None:
        match answer:
            case Welcome(player, name, token, now_at, house, nonce_hashes, cheers):
                self.session.house, self.session.nonce_hashes = house, nonce_hashes
                self.session.cheers = cheers
                self.session.player, self.name, self.token = player, name, token
                self.clock.restart()
                self.clock.sample(sent=sent, received=self.dialling.clock_ms(), now_at=now_at)
            case Refused(code) if code in LATER:
                raise Unreachable(said_of(answer))
            case Refused():
                raise RefusedError(answer)
            case _:
                raise Hangup(1002, "The server does not say welcome.")

    # Being connected

    async def _serve(self) -> Ended:
        """Send and receive until this connection ends. Raises ClientClosed if that is for good."""
        assert self._opened is not None, "connected"
        self._wire, self._opened = self._opened, None
        wire = self._wire
        try:
            self._carry_out(self.session.resume())
            ended = await wire.run(self._receive)
        finally:
            self._wire = None
            self.session.lost()
            await self._change_over.end()
            await wire.close()
        if ended.for_good:
            raise self._closed_for_good(ended.code, ended.reason)
        return ended

    def _receive(self, message: ServerMessage) -> None:
        if isinstance(message, Refused):
            self._refused = message
        self._carry_out(self.session.receive(message))
        if self.session.elsewhere or self._change_over.is_under_way:
            self._look_elsewhere()

    def _dial_for(self, race: str) -> Awaitable[Wire]:
        return self._dial(self.dialling.hello(token=self.token), race)

    def _look_elsewhere(self) -> None:
        """Change over to a connection for another race, once it is there and all is answered."""
        race, wire = self.session.elsewhere, self._wire
        if not race or wire is None:
            self._close_soon(self._change_over.end())
            return
        self._change_over.begin(race)
        if self.session.is_idle and (opened := self._change_over.take()):
            # What is sent until the old one has ended is sent on the new one, with Resume. To wait
            # for the answer to a goodbye would be to miss what comes meanwhile.
            self._opened, self._wire = opened, None
            wire.drop()

    def _close_soon(self, close: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(close)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(message):
                    if self._wire:
                        self._wire.send(message)
                case Answer(ticket, message):
                    future = self._waiting.get(ticket)
                    if future and not future.done():
                        future.set_result(message)
                case Tell(message):
                    self._tell(message)

    def _finish(self, why: tuple[Sentence, ...]) -> None:
        """End all waiting and future calls with ClientClosed."""
        if self._end is None:
            self._end = why
        self._news.set()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ClientClosed(*why))

    def _tell(self, event: Event) -> None:
        self._queue.put(event)
        self._news.set()

    def _closed_for_good(self, code: int, reason: str) -> ClientClosed:
        """What to raise after a close for which reconnecting would not help.

        The server says why in a Refused, too, before it closes a connection for good.
        """
        closed = sentence("client.closed_for_good")
        why = reason_of(code, reason)
        if self._refused and self._refused.text == reason:
            why = said_of(self._refused)
        again = () if code == POLICY else (sentence("client.restart"),)
        return ClientClosed(closed, why, *again)
