"""Runs several server processes on one port and one Redis, and restarts those that die."""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable

from bigben_server.config import Settings
from bigben_server.storage.opening import opened
from bigben_server.tasks import told_to_stop
from bigben_server.transport.port import reserved

_log = logging.getLogger(__name__)

READY = "listening on "
"""A process prints this and its address when it serves."""
_RETRY_S = 1.0
"""The pause after a worker could not start."""


def run(count: int, settings: Settings, started: Callable[[int], None]) -> None:
    """Run ``count`` workers until a signal. Raises CannotListen, RedisFailed, OSError."""
    with reserved(settings) as port:
        asyncio.run(_run(count, settings, port, started))


async def _run(count: int, settings: Settings, port: int, started: Callable[[int], None]) -> None:
    stop = told_to_stop()
    workers = [_Worker(settings, port) for _ in range(count)]
    # This process uses the embedded Redis too, so that it outlives the workers.
    async with opened(settings.redis_url, settings.data):
        try:
            # The first worker creates what all share: the secret, and today's daily.
            await workers[0].start()
            begun = await asyncio.gather(*(w.start() for w in workers[1:]), return_exceptions=True)
            for failure in filter(None, begun):
                raise failure
            started(port)
            keeping = asyncio.gather(*(worker.keep() for worker in workers))
            await stop.wait()
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping
        finally:
            await asyncio.gather(*(worker.stop() for worker in workers))


class _Worker:
    """One worker process, and the processes that replace it."""

    def __init__(self, settings: Settings, port: int) -> None:
        self._options = ("--host", settings.host, "--port", f"{port}", "--data", f"{settings.data}")
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process and wait until it serves.

        Raises OSError if the machine can't start it, or if it ends and has printed the reason.
        """
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bigben_server.cli", "--worker", *self._options),
            # Nothing is written to it. It is closed when this process ends, and the worker ends.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Only this process receives Ctrl-C of a terminal, and stops the workers.
            start_new_session=True,
        )
        assert self._process.stdout is not None, "it is a pipe"
        while line := await self._process.stdout.readline():
            if line.decode().startswith(READY):
                return
        raise OSError("a worker could not start")

    async def keep(self) -> None:
        """Start the process again whenever it dies. Call ``start`` first."""
        assert self._process is not None
        while True:
            code = await self._process.wait()
            _log.error("worker %d ended with %d; starting another", self._process.pid, code)
            while True:
                try:
                    await self.start()
                    break
                except OSError:
                    await asyncio.sleep(_RETRY_S)

    async def stop(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()
