"""Runs several server processes on one port and one Redis, and restarts those that die."""

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import Callable, Iterator

from bigben_server.config import Settings, binding
from bigben_server.storage.opening import opened
from bigben_server.tasks import told_to_stop

_log = logging.getLogger(__name__)

READY = "listening on "
"""A process prints this and its address when it serves."""
_RETRY_S = 1.0
"""The pause after a worker could not start."""


async def run(count: int, settings: Settings, started: Callable[[int], None]) -> None:
    """Run ``count`` workers until a signal. Raises BadSetting, RedisFailed, OSError."""
    stop = told_to_stop()
    # This process uses the embedded Redis too, so that it outlives the workers.
    with _reserved(settings) as port:
        workers = [_Worker(settings, port) for _ in range(count)]
        async with opened(settings.redis_url, settings.data):
            try:
                # The first worker creates what all share: the secret, and today's daily.
                await workers[0].start()
                others = (worker.start() for worker in workers[1:])
                for failure in filter(None, await asyncio.gather(*others, return_exceptions=True)):
                    raise failure
                started(port)
                keeping = asyncio.gather(*(worker.keep() for worker in workers))
                await stop.wait()
                keeping.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await keeping
            finally:
                await asyncio.gather(*(worker.stop() for worker in workers))


@contextlib.contextmanager
def _reserved(settings: Settings) -> Iterator[int]:
    """The port that all workers share. It stays reserved while a worker is replaced."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with binding(settings):
            reserved.bind((settings.host, settings.port))
        yield reserved.getsockname()[1]


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
