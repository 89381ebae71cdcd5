"""One address for a server that is started again on another port, as behind a proxy. No tests."""

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

    async def run(self, started: threading.Event, stop: asyncio.Event) -> None:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _pass_on(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            far, forth = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            back.close()
            return
        await asyncio.gather(_copy(near, forth), _copy(far, back))


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while some := await source.read(65_536):
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
