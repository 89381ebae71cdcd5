"""Several server processes on one port and one Redis, started again when one dies. Serves nothing
itself: the kernel hands each connection to one of them.
"""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bigben_server.config import Settings

_log = logging.getLogger(__name__)

READY = "listening on "
"""How the line begins that a process prints when it serves."""


class WorkerFailed(OSError):
    """A worker ended before it served; it has said why itself."""


def run(count: int, settings: Settings, started: Callable[[int], None]) -> int:
    """Run ``count`` workers until SIGINT or SIGTERM; the exit code. Raises OSError."""
    with _reserved_port(settings) as port:
        return asyncio.run(_run(count, settings, port, started))


async def _run(count: int, settings: Settings, port: int, started: Callable[[int], None]) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    # The first one alone makes what all share: the data folder, the secret, today's daily.
    first = await _start(settings, port)
    others = await asyncio.gather(*(_start(settings, port) for _ in range(count - 1)))
    started(port)
    keepers = [asyncio.create_task(_keep(w, settings, port)) for w in (first, *others)]
    await stop.wait()
    for keeper in keepers:
        keeper.cancel()
    await asyncio.gather(*keepers, return_exceptions=True)
    return 0


async def _start(settings: Settings, port: int) -> asyncio.subprocess.Process:
    """A worker that serves. Raises WorkerFailed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_server", "--worker"),
        *("--host", settings.host, "--port", str(port), "--data", str(settings.data)),
        stdout=asyncio.subprocess.PIPE,
        # Ctrl-C in a terminal is for this process, which passes it on.
        start_new_session=True,
    )
    assert process.stdout is not None, "it was asked for"
    while line := await process.stdout.readline():
        if line.decode().startswith(READY):
            return process
    raise WorkerFailed("a worker could not start")


async def _keep(process: asyncio.subprocess.Process, settings: Settings, port: int) -> None:
    """Start the worker again whenever it dies; when cancelled, end it and wait for it."""
    try:
        while True:
            code = await process.wait()
            _log.error("worker %d ended with %d; starting another", process.pid, code)
            process = await _start(settings, port)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


@contextmanager
def _reserved_port(settings: Settings) -> Iterator[int]:
    """The port all workers share, kept for them while they come and go."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((settings.host, settings.port))
        port: int = reserved.getsockname()[1]
        yield port
