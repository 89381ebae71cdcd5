"""One WebSocket connection, which sends and receives messages and does not reconnect."""

import asyncio
import errno
import socket
from collections.abc import Callable
from ssl import SSLCertVerificationError
from typing import Final, NamedTuple, Self

from websockets import Response, State
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
)
from websockets.typing import Subprotocol

from bigben_client.connection.address import Address
from bigben_client.connection.send_rate import SendRate
from bigben_client.errors import ClientClosed, Hangup
from bigben_protocol import CODECS, ClientMessage, FrameError, ServerMessage, retry_in, texts
from bigben_protocol.sentence import Sentence, sentence

MOST_BYTES: Final = 2**20
"""The largest message from the server."""

_PING_SECONDS: Final = 15.0
"""A connection that is silent for about twice as long is lost."""
_CLOSE_SECONDS: Final = 2.0
_LONGEST_SAID: Final = 200
"""The most of an HTTP answer that is shown."""
POLICY: Final = 1008
"""The server refuses the player; the reason says why."""
_FOR_GOOD: Final = frozenset({1002, 1003, 1007, POLICY, 1009, 1010})
"""After these codes a new connection would end in the same way."""


class Unreachable(Exception):
    """This try to connect failed, but another may succeed. It stays inside the package."""

    def __init__(self, *said: Sentence, retry_s: float = 0.0) -> None:
        super().__init__(*said)
        self.said = said
        self.retry_s = retry_s
        """Seconds that the server asks the client to wait before it reconnects."""


class Ended(NamedTuple):
    """How a connection ended."""

    code: int
    """The close code of RFC 6455; 1006 if the connection broke without a close frame."""
    reason: str
    retry_s: float = 0.0
    """Seconds that the server asks the client to wait before it reconnects."""

    @property
    def for_good(self) -> bool:
        """Whether another connection would end in the same way."""
        return self.code in _FOR_GOOD

    @property
    def said(self) -> tuple[Sentence, ...]:
        """How it ended, for the player."""
        if self.code == 1012:
            return (sentence("client.restarts"),)
        if self.code == 1006:
            return (sentence("client.broke"),)
        return (sentence("client.closed"), reason_of(self.code, self.reason))


class Wire:
    """A connection that sends messages in order while ``run`` runs."""

    def __init__(self, connection: ClientConnection, subprotocol: str) -> None:
        self._connection = connection
        self._codec = CODECS[subprotocol]
        self._pace = SendRate()
        self._outbox: asyncio.Queue[ClientMessage] = asyncio.Queue()

    @classmethod
    async def open(
        cls, address: Address, subprotocol: str, *, race: str = "", timeout: float
    ) -> Self:
        """Connect within ``timeout`` seconds, for this race or for any.

        Raises Unreachable, or ClientClosed for good.
        """
        try:
            connection = await connect(
                address.naming(race),
                subprotocols=[Subprotocol(subprotocol)],
                # Messages are small, and what compresses well here are the legal moves.
                compression=None,
                proxy=None if address.loopback else True,
                open_timeout=timeout,
                ping_interval=_PING_SECONDS,
                ping_timeout=_PING_SECONDS,
                close_timeout=_CLOSE_SECONDS,
                max_size=MOST_BYTES,
            )
        except SSLCertVerificationError as error:
            why = sentence("client.certificate", url=address.url, why=error.verify_message)
            raise ClientClosed(why) from None
        except InvalidProxy as error:
            raise ClientClosed(sentence("client.proxy", problem=f"{error}")) from None
        except InvalidStatus as error:
            status = error.response.status_code
            if status == 429 or status >= 500:
                raise Unreachable(sentence("client.status", status=status)) from None
            if status == 403:  # the operator's reason, which a server says in a sentence
                raise _forbidden(address, error.response) from None
            raise _not_a_server(address, sentence("client.status", status=status)) from None
        except (OSError, TimeoutError, EOFError, InvalidMessage) as error:
            raise Unreachable(_why(error)) from None
        except InvalidHandshake as error:
            raise _not_a_server(address, texts.plain(f"{error}.")) from None
        if connection.subprotocol != subprotocol:
            await connection.close(1002)
            raise _not_a_server(address, sentence("client.subprotocol", wanted=subprotocol))
        return cls(connection, subprotocol)

    def send(self, message: ClientMessage) -> None:
        """Queue a message for ``run``. It is lost if the connection breaks first."""
        self._outbox.put_nowait(message)

    async def ask(self, message: ClientMessage) -> ServerMessage:
        """Send the first message and return its answer. Call this before ``run``.

        Raises Hangup and Unreachable.
        """
        try:
            await self._write(message)
            return await self._read()
        except ConnectionClosed as closed:
            ended = _ended(closed)
            if ended.for_good:
                raise Hangup(ended.code, ended.reason) from None
            at_once = sentence("client.closed_at_once")
            raise Unreachable(at_once, retry_s=ended.retry_s) from None

    async def run(self, receive: Callable[[ServerMessage], None]) -> Ended:
        """Send and receive until the connection ends. ``receive`` may raise Hangup."""
        async with asyncio.TaskGroup() as group:
            writer = group.create_task(self._write_all())
            try:
                while True:
                    receive(await self._read())
            except ConnectionClosed as closed:
                return _ended(closed)
            except Hangup as hangup:
                await self.close(hangup.code, hangup.reason)
                return Ended(hangup.code, hangup.reason)
            finally:
                writer.cancel()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection; wait at most two seconds for the peer's answer."""
        await self._connection.close(code, reason)

    def drop(self) -> None:
        """Say goodbye and end ``run`` at once, however long the peer would take to answer."""
        connection = self._connection
        if connection.state is State.OPEN:
            connection.protocol.send_close(1000)
            connection.send_data()
        connection.transport.close()

    async def _write_all(self) -> None:
        try:
            while True:
                message = await self._outbox.get()
                if wait := self._pace.wait():
                    await asyncio.sleep(wait)
                await self._write(message)
        except ConnectionClosed:
            # The reader gets the same exception and returns how the connection ended.
            return

    async def _write(self, message: ClientMessage) -> None:
        await self._connection.send(self._codec.encode(message), text=self._codec.text)

    async def _read(self) -> ServerMessage:
        try:
            return self._codec.decode_server(await self._connection.recv())
        except FrameError as error:
            raise Hangup(1007, str(error)) from None


def _ended(closed: ConnectionClosed) -> Ended:
    frame = closed.rcvd or closed.sent
    return Ended(frame.code, *retry_in(frame.reason)) if frame else Ended(1006, "")


def reason_of(code: int, reason: str) -> Sentence:
    """Why the server has closed a connection, as it says itself."""
    if not reason:
        return sentence("client.code", code=code)
    return texts.plain(f"{reason.rstrip('.')}.")


def _why(error: Exception) -> Sentence:
    match error:
        case ConnectionRefusedError():
            return sentence("client.nothing_listens")
        case TimeoutError():
            return sentence("client.no_answer")
        case OSError(errno=int() as number) if number in _WHY:
            return sentence(_WHY[number])
        case _:
            text = getattr(error, "strerror", None) or str(error)
            return texts.plain(f"{text.rstrip('.')}.") if text else sentence("client.broke")


_WHY: Final = {
    socket.EAI_NONAME: "client.no_such_name",
    socket.EAI_AGAIN: "client.name_lookup",
    errno.ENETUNREACH: "client.no_network",
    errno.EHOSTUNREACH: "client.no_route",
}


def _forbidden(address: Address, response: Response) -> ClientClosed:
    text = bytes(response.body or b"").decode(errors="replace").partition("\n")[0][:_LONGEST_SAID]
    is_said = text and text.isprintable()
    why = texts.plain(text) if is_said else sentence("client.status", status=403)
    return ClientClosed(sentence("client.forbidden", url=address.url), why)


def _not_a_server(address: Address, why: Sentence) -> ClientClosed:
    which = sentence("client.not_a_server", url=address.url)
    return ClientClosed(which, why, sentence("client.check_address"))
