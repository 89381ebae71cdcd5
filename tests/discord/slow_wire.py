"""A wire between the bot and the server that a test can hold, cut and mend. Reads nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class SlowWire:
    """Passes bytes on, both ways, unless it is told not to."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._open = asyncio.Event()
        self._open.set()
        self._answering = asyncio.Event()
        self._answering.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def hold(self) -> None:
        """What is sent from now on waits, and nobody is told."""
        self._open.clear()

    def hold_answers(self) -> None:
        """What the server sends from now on waits; it hears everything."""
        self._answering.clear()

    def let_go(self) -> None:
        """What was held is delivered, and all that follows."""
        self._open.set()
        self._answering.set()

    def lead_to(self, port: int) -> None:
        """Where new connections go."""
        self._far = port

    async def cut(self) -> None:
        """Every connection breaks, and no new one is taken."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()

    async def mend(self) -> None:
        """New connections are taken, on the same port."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _pass_on(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, forth = await asyncio.open_connection("127.0.0.1", self._far)
        self._writers |= {back, forth}
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._copy(near, forth, self._open))
                both.create_task(self._copy(far, back, self._open, self._answering))
        finally:
            self._writers -= {back, forth}
            forth.close()
            back.close()

    async def _copy(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *gates: asyncio.Event
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65_536):
                for gate in gates:
                    await gate.wait()
                target.write(data)
                await target.drain()
            target.close()


@asynccontextmanager
async def slow_wire(port: int) -> AsyncIterator[SlowWire]:
    """A wire to this port of the machine."""
    wire = SlowWire(port)
    await wire.mend()
    try:
        yield wire
    finally:
        wire.let_go()
        await wire.cut()
