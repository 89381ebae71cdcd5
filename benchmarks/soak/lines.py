"""Connections to a server that can be cut without a word to either side."""

import asyncio
import random
from contextlib import suppress
from typing import Any, Self


class Lines:
    """Passes bytes between clients and the port of a server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: dict[asyncio.Task[None], tuple[asyncio.StreamWriter, ...]] = {}
        self._server: asyncio.Server

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *raised: Any) -> None:  # Any: of no interest
        self._server.close()
        tasks = list(self._open)
        for ends in self._open.values():
            for end in ends:
                end.transport.abort()
        await asyncio.gather(*tasks)

    def cut(self, draw: random.Random) -> bool:
        """Cut one of the lines, if there are any."""
        if self._open:
            for end in self._open[draw.choice(list(self._open))]:
                end.transport.abort()
        return bool(self._open)

    async def _serve(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "the server made one"
        far, forth = await asyncio.open_connection("127.0.0.1", self._port)
        self._open[task] = back, forth
        await asyncio.gather(_copy(near, forth), _copy(far, back))
        del self._open[task]


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await source.read(65_536):
            target.write(some)
            await target.drain()
    target.close()
