"""Discord's gateway over a real WebSocket: identify, heartbeat, resume, dispatch."""

import asyncio
import importlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from aiohttp import WSMsgType, web
from tests.discord.standin.changes import Changes
from tests.discord.standin.problems import Json

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT = 0, 1, 2, 6, 7
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11

UNKNOWN_OPCODE: Final = 4001
DECODE_ERROR: Final = 4002
NOT_AUTHENTICATED: Final = 4003
AUTHENTICATION_FAILED: Final = 4004
ALREADY_AUTHENTICATED: Final = 4005
TIMED_OUT: Final = 4009
INVALID_VERSION: Final = 4012
DISALLOWED_INTENTS: Final = 4014

PRIVILEGED: Final = (1 << 1) | (1 << 8) | (1 << 15)


@dataclass
class Session:
    """What survives a lost connection."""

    id: str
    intents: int
    sent: list[Json] = field(default_factory=list)
    """All that was dispatched; the n-th has sequence n."""


class Gateway:
    """The WebSocket side; one bot, one shard."""

    def __init__(
        self,
        token: str,
        changes: Changes,
        ready: Callable[[], Json],
        guilds: Callable[[], list[Json]],
    ) -> None:
        self.heartbeat_ms = 41_250
        self.intents = -1
        """Of the last identify."""
        self.identifies = 0
        self.resumes = 0
        self.heartbeats = 0
        self._token = token
        self._changes = changes
        self._ready = ready
        self._guilds = guilds
        self._session: Session | None = None
        self._connection: Connection | None = None

    @property
    def up(self) -> bool:
        """Whether the bot is connected and has said who it is."""
        return self._connection is not None and self._connection.session is not None

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection, until either side closes it."""
        socket = web.WebSocketResponse(max_msg_size=4096)
        await socket.prepare(request)
        await Connection(self, socket, request.query.get("compress", "")).run(dict(request.query))
        return socket

    async def dispatch(self, event: str, data: Json) -> None:
        """Tell the bot now, or when it resumes."""
        assert self._session is not None, "the bot has never been here"
        message = {"op": DISPATCH, "t": event, "s": len(self._session.sent) + 1, "d": data}
        self._session.sent.append(message)
        if self._connection is not None and self._connection.session is self._session:
            await self._connection.send(message)

    async def drop(self, code: int = 4000) -> None:
        """Break the connection. The bot may resume unless the code says otherwise."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.socket.close(code=code)

    def forget_session(self) -> None:
        """Nothing can be resumed any more."""
        self._session = None

    async def ask_to_reconnect(self) -> None:
        """As before a deploy of the gateway."""
        assert self._connection is not None, "the bot is not here"
        await self._connection.send({"op": RECONNECT, "d": None})

    async def take(self, connection: "Connection", message: Json) -> int:
        """Act on what the bot says; a close code, or 0."""
        match message:
            case {"op": 1, "d": int() | None}:
                self.heartbeats += 1
                await connection.send({"op": HEARTBEAT_ACK})
            case {"op": 2, "d": data}:
                return await self._identify(connection, data)
            case {"op": 6, "d": data}:
                return await self._resume(connection, data)
            case {"op": 3 | 4 | 8}:
                return 0 if connection.session else NOT_AUTHENTICATED
            case _:
                return UNKNOWN_OPCODE
        return 0

    def gone(self, connection: "Connection") -> None:
        """A connection has ended."""
        if self._connection is connection:
            self._connection = None

    def changed(self) -> None:
        """Something happened that a test may wait for."""
        self._changes.notify()

    async def _identify(self, connection: "Connection", data: Json) -> int:
        if connection.session is not None:
            return ALREADY_AUTHENTICATED
        if data["token"] != self._token:
            return AUTHENTICATION_FAILED
        if not {"os", "browser", "device"} <= set(data["properties"]):
            return DECODE_ERROR
        if data["intents"] & PRIVILEGED:
            return DISALLOWED_INTENTS
        self.identifies += 1
        self.intents = data["intents"]
        self._session = Session(f"session-{self.identifies}", data["intents"])
        connection.session, self._connection = self._session, connection
        await self.dispatch("READY", {**self._ready(), "session_id": self._session.id})
        if self.intents & 1:
            for guild in self._guilds():
                await self.dispatch("GUILD_CREATE", guild)
        return 0

    async def _resume(self, connection: "Connection", data: Json) -> int:
        if data["token"] != self._token:
            return AUTHENTICATION_FAILED
        if self._session is None or data["session_id"] != self._session.id:
            await connection.send({"op": INVALID_SESSION, "d": False})
            return 0
        self.resumes += 1
        connection.session, self._connection = self._session, connection
        for message in self._session.sent[data["seq"] or 0 :]:
            await connection.send(message)
        await self.dispatch("RESUMED", {})
        return 0


def squeezer(name: str) -> Callable[[bytes], bytes] | None:
    """What makes a message of this compressed stream; None without compression."""
    match name:
        case "":
            return None
        case "zlib-stream":
            flate = zlib.compressobj()
            return lambda data: flate.compress(data) + flate.flush(zlib.Z_SYNC_FLUSH)
        case "zstd-stream":  # discord.py asks for it from Python 3.14 on, which brings it
            zstd = importlib.import_module("compression.zstd").ZstdCompressor()
            return lambda data: bytes(zstd.compress(data, zstd.FLUSH_BLOCK))
        case _:
            raise AssertionError(f"{name} is not spoken here")


class Connection:
    """One socket of the bot's."""

    def __init__(self, gateway: Gateway, socket: web.WebSocketResponse, compress: str) -> None:
        self.socket = socket
        self.session: Session | None = None
        """None until it has identified or resumed."""
        self._gateway = gateway
        self._squeezed = squeezer(compress)

    async def run(self, query: dict[str, str]) -> None:
        """Say hello, and take what comes. Raises nothing."""
        if query.get("v") != "10" or query.get("encoding") != "json":
            await self.socket.close(code=INVALID_VERSION)
            return
        try:
            interval = self._gateway.heartbeat_ms
            await self.send({"op": HELLO, "d": {"heartbeat_interval": interval}})
            code = await self._listen(interval / 1000)
            if code:
                await self.socket.close(code=code)
        except (ConnectionError, TimeoutError):
            await self.socket.close(code=TIMED_OUT)
        finally:
            self._gateway.gone(self)
            self._gateway.changed()

    async def send(self, message: Json) -> None:
        """In the encoding that the bot asked for; lost if it has gone."""
        data = json.dumps(message).encode()
        if self.socket.closed:
            return
        if self._squeezed:
            await self.socket.send_bytes(self._squeezed(data))
        else:
            await self.socket.send_str(data.decode())
        self._gateway.changed()

    async def _listen(self, interval: float) -> int:
        """Until the bot goes, or does what it may not: the close code, 0 when it has gone."""
        loop = asyncio.get_running_loop()
        beaten = loop.time()
        while True:
            # A bot that misses its heartbeats for long has died without a word.
            async with asyncio.timeout_at(beaten + 4 * interval):
                frame = await self.socket.receive()
            if frame.type is not WSMsgType.TEXT:
                return 0
            try:
                message = json.loads(frame.data)
            except ValueError:
                return DECODE_ERROR
            if message.get("op") == HEARTBEAT:
                beaten = loop.time()
            code = await self._gateway.take(self, message)
            self._gateway.changed()
            if code:
                return code
