"""An address before a server, as behind a proxy: it may be started again on another port."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Relay:
    """Passes bytes on to ``to``, a port of this machine; while that is 0 it turns all away."""

    def __init__(self) -> None:
        self.to = 0
        self.port = 0
        self.mute = False
        """Whether what the server says is swallowed."""
        self.swallowed = threading.Event()
        self.asked: list[str] = []
        """What each WebSocket was asked for: a path and its query."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: list[asyncio.StreamWriter] = []

    def drop(self) -> None:
        """Close all connections, on both sides."""
        assert self._loop
        for writer in self._open:
            self._loop.call_soon_threadsafe(writer.close)

    async def run(self, started: threading.Event, stop: asyncio.Event) -> None:
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await stop.wait()
        server.close()
        for writer in self._open:
            writer.close()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

    async def _pass_on(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            far, forth = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            back.close()
            return
        self._open += (back, forth)
        self._note(await near.read(65_536), forth)
        await asyncio.gather(self._copy(near, forth), self._copy(far, back, muted=True))

    def _note(self, request: bytes, forth: asyncio.StreamWriter) -> None:
        """Pass the first bytes of a connection on."""
        if b"upgrade: websocket" in request.lower():
            self.asked.append(request.split()[1].decode())
        forth.write(request)

    async def _copy(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, muted: bool = False
    ) -> None:
        with contextlib.suppress(OSError):
            while some := await source.read(65_536):
                if muted and self.mute:
                    self.swallowed.set()
                    continue
                target.write(some)
                await target.drain()
        target.close()


@contextmanager
def relaying() -> Iterator[Relay]:
    """In a thread: the event loop of this one is Playwright's."""
    relay, started = Relay(), threading.Event()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(relay.run(started, stop),))
    thread.start()
    assert started.wait(10)
    try:
        yield relay
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
