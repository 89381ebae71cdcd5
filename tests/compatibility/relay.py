"""A server with a stopped clock behind a relay that records all messages."""

import asyncio
import contextlib
import json
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.compatibility.conversation import Frame, Line, encoded, frame_of
from tests.compatibility.stopped_clock import FILE, StoppedClock
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S
from tests.support.server_process import UNHURRIED, ServerProcess
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bigben_protocol import CODECS

ISSUER_KEY = "a key of the Discord bot that is written in a test"


def server(data: Path, clock_file: Path) -> ServerProcess:
    """A server with this data folder and the clock in that file, not started yet."""
    env = {
        **UNHURRIED,
        "BIGBEN_ISSUER_DISCORD_KEY": ISSUER_KEY,
        "PYTHONPATH": str(ROOT),
        FILE: str(clock_file),
    }
    command = (sys.executable, "-m", "tests.compatibility.stopped_clock")
    return ServerProcess(data, env=env, command=command)


@asynccontextmanager
async def served(data: Path, clock_file: Path) -> AsyncIterator[str]:
    """The URL of a running server with this data folder."""
    one = server(data, clock_file)
    try:
        await one.start()
        yield one.url
        said = await one.stop()
        assert one.exit_code == 0, said
    finally:
        await one.stop()  # which also stops its Redis


def get(url: str, path: str) -> Frame:
    """The answer of a server's HTTP API."""
    with urllib.request.urlopen(f"{url.replace('ws', 'http', 1)}{path}") as answer:
        body = json.load(answer)
    assert isinstance(body, dict)
    return body


async def dialled(url: str, codec: str) -> ClientConnection:
    """A connection with this subprotocol."""
    return await connect(
        url, subprotocols=[Subprotocol(codec)], compression=None, ping_interval=None
    )


class Relay:
    """Clients connect to ``url``; each event is recorded as a line."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.lines: list[Line] = []
        self.url = ""
        self.clock = StoppedClock(folder / "clock")
        self._server = server(data, folder / "clock")
        self._up = asyncio.Event()
        self._opened = 0

    def wait_until(self, now: int) -> None:
        """Set the clock to this time."""
        self.clock.set(now)
        self.lines.append({"clock": now})

    def wait(self, ms: int) -> None:
        """Advance the clock."""
        self.wait_until(self.clock() + ms)

    async def start(self) -> None:
        """Start the server. Clients can connect after ``open``."""
        await self._server.start()
        self.lines.append({"start": True})

    def open(self) -> None:
        """Let clients connect."""
        self._up.set()

    async def stop(self) -> None:
        """Stop the server cleanly; clients wait."""
        self._up.clear()
        self.lines.append({"stop": True})
        await self._server.stop()
        assert self._server.exit_code == 0

    async def get(self, path: str, wanted: Callable[[Frame], bool] = lambda _: True) -> None:
        """Record the answer of the HTTP API, once it is the expected one."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                answer = await asyncio.to_thread(get, self._server.url, path)
                if wanted(answer):
                    break
                await asyncio.sleep(0.05)
        self.lines.append({"get": path, "answer": answer})

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the relay."""
        codecs = [Subprotocol(codec) for codec in CODECS]
        async with serve(
            self._pass_on, "127.0.0.1", 0, subprotocols=codecs, compression=None, ping_interval=None
        ) as listening:
            self.url = f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}"
            try:
                yield
            finally:
                await self._server.stop()  # which also stops its Redis

    async def _pass_on(self, near: ServerConnection) -> None:
        await self._up.wait()
        codec = str(near.subprotocol)
        far = await dialled(self._server.url, codec)
        self._opened += 1
        number = self._opened
        self.lines.append({"open": number, "codec": codec})
        async with asyncio.TaskGroup() as group:
            group.create_task(self._say(number, near, far, codec))
            group.create_task(self._hear(number, near, far, codec))

    async def _say(
        self, number: int, near: ServerConnection, far: ClientConnection, codec: str
    ) -> None:
        try:
            while True:
                frame = await near.recv()
                self.lines.append({"say": number, "frame": frame_of(frame, codec)})
                await far.send(frame)
        except ConnectionClosed:
            if far.close_code is None:
                self.lines.append({"leave": number})
                await far.close()

    async def _hear(
        self, number: int, near: ServerConnection, far: ClientConnection, codec: str
    ) -> None:
        try:
            while True:
                frame = await far.recv()
                self.lines.append({"hear": number, "frame": frame_of(frame, codec)})
                await near.send(frame)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd_then_sent:
                self.lines.append({"closed": number, "code": closed.rcvd.code})
                await near.close(closed.rcvd.code, closed.rcvd.reason)


class Hand:
    """A connection that sends and receives plain data."""

    def __init__(self, socket: ClientConnection, codec: str) -> None:
        self._socket = socket
        self._codec = codec

    async def say(self, frame: Frame) -> None:
        """Send one message."""
        await self._socket.send(encoded(frame, self._codec))

    async def hear(self) -> Frame:
        """The next message. Raises ConnectionClosed."""
        async with asyncio.timeout(PATIENCE_S):
            return frame_of(await self._socket.recv(), self._codec)

    async def until(self, kind: str, **having: object) -> Frame:
        """Receive messages up to one of this kind with these fields."""
        while True:
            frame = await self.hear()
            if frame["type"] == kind and having.items() <= frame.items():
                return frame

    async def closed(self) -> int | None:
        """The code with which the server closes, after its other messages."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.hear()
        return self._socket.close_code

    async def leave(self) -> None:
        """Close."""
        await self._socket.close()


async def hand(url: str, codec: str) -> Hand:
    """A connection that sends nothing by itself."""
    return Hand(await dialled(url, codec), codec)
