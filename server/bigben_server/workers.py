"""Runs several server processes on one port and one Redis, and restarts those that die."""

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator

from bigben_server.config import Settings, binding
from bigben_server.storage.opening import opened
from bigben_server.tasks import all_set, told_to_stop

_log = logging.getLogger(__name__)

READY = "listening on "
"""A process prints this and its address when it serves."""
_RETRY_S = 1.0
"""The pause after a worker could not start."""


async def run(count: int, settings: Settings, started: Callable[[int], None]) -> None:
    """Run ``count`` workers until a signal. Raises BadSetting, RedisFailed, OSError."""
    stop, serving = told_to_stop(), [asyncio.Event() for _ in range(count)]
    with _reserved(settings) as port:
        # This process uses the embedded Redis too, so that it outlives the workers.
        async with opened(settings.redis_url, settings.data):
            try:
                async with asyncio.TaskGroup() as tasks:
                    # The first worker creates what all share: the secret, and today's daily.
                    keeping = [tasks.create_task(_keep(settings, port, serving[0]))]
                    await serving[0].wait()
                    keeping += [tasks.create_task(_keep(settings, port, s)) for s in serving[1:]]
                    await all_set(serving)
                    started(port)
                    await stop.wait()
                    for task in keeping:
                        task.cancel()
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from failed


@contextlib.contextmanager
def _reserved(settings: Settings) -> Iterator[int]:
    """The port that all workers share. It stays reserved while a worker is replaced."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with binding(settings):
            reserved.bind((settings.host, settings.port))
        yield reserved.getsockname()[1]


async def _keep(settings: Settings, port: int, serving: asyncio.Event) -> None:
    """Run a worker, and another whenever it ends. Raises OSError if the first could not start."""
    while True:
        try:
            async with _worker(settings, port) as process:
                serving.set()
                code = await process.wait()
                _log.error("worker %d ended with %d; starting another", process.pid, code)
        except OSError:
            if not serving.is_set():
                raise
            await asyncio.sleep(_RETRY_S)


@contextlib.asynccontextmanager
async def _worker(settings: Settings, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that serves. It is ended on leaving.

    Raises OSError if the machine can't start it, or if it ends and has printed the reason.
    """
    options = ("--host", settings.host, "--port", f"{port}", "--data", f"{settings.data}")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_server.cli", "--worker", *options),
        # Nothing is written to it. It is closed when this process ends, and the worker ends.
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # Only this process receives Ctrl-C of a terminal, and stops the workers.
        start_new_session=True,
    )
    try:
        assert process.stdout is not None, "it is a pipe"
        while not (line := await process.stdout.readline()).startswith(READY.encode()):
            if not line:
                await process.wait()  # a signal to an ended process would take its exit code
                raise OSError("a worker could not start")
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
