"""Several server processes on one port, each started again when it ends."""

import asyncio
import contextlib
import errno
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

from bigben_server.accounts.secrets import secret_of
from bigben_server.accounts.tokens import Issuers
from bigben_server.config import Settings, binding
from bigben_server.house import house_beside
from bigben_server.metrics.serving import forget
from bigben_server.startup.life import log_start
from bigben_server.storage.opening import opened
from bigben_server.tasks import all_set, told_to_stop
from bigben_server.watchdog import BEAT_S, HANGS_S

_log = logging.getLogger(__name__)

READY: Final = "listening on "
"""A process prints this and its address when it serves."""
_RETRY_S: Final = 1.0
"""The pause after a worker could not start."""
_ENDS_S: Final = 30.0
"""How long a worker may take to end: it finishes its work, and tells its clients."""


async def run_workers(count: int, settings: Settings, started: Callable[[int], None]) -> None:
    """Run ``count`` workers until a signal. Raises BadSetting, RedisFailed, OSError."""
    stop, serving = told_to_stop(), [asyncio.Event() for _ in range(count)]
    with reserved(settings) as port:
        # This process uses the embedded Redis too, so that it outlives the workers.
        async with opened(settings) as store:
            try:
                async with asyncio.TaskGroup() as tasks:
                    # The first worker creates what all share: the secret, and today's daily.
                    keeping = []
                    for number, one in enumerate(serving, 1):
                        keeping.append(tasks.create_task(_keep(settings, port, number, one)))
                        if number == 1:
                            await one.wait()
                    await all_set(serving)
                    # Before anybody is told: later an outage of Redis must not end this process.
                    secret = await secret_of(store, settings) if settings.house else b""
                    key = Issuers(secret, {}).house_key if settings.house else ""
                    await log_start(store, settings, count)
                    started(port)
                    async with house_beside(settings, port, key):
                        await stop.wait()
                    for task in keeping:
                        task.cancel()
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from failed


@contextlib.contextmanager
def reserved(settings: Settings) -> Iterator[int]:
    """The port that all workers share. It stays reserved while a worker is replaced.

    Raises BadSetting, also if the port is taken by other processes that share it.
    """
    port = settings.port
    with contextlib.ExitStack() as reserved:
        with binding(settings):
            # As asyncio does for a worker: a name may have an IPv4 and an IPv6 address.
            stream, passive = socket.SOCK_STREAM, socket.AI_PASSIVE
            found = socket.getaddrinfo(settings.host or None, port, 0, stream, 0, passive)
            for family, *_, address in found:
                one = _bound(family, (address[0], port, *address[2:]))
                reserved.enter_context(one)
                port = one.getsockname()[1]
        yield port


def _bound(family: int, address: tuple[str | int, ...]) -> socket.socket:
    """A socket that nobody shares yet, and that the workers of this process may share."""
    for reused in (False, True):
        one = socket.socket(family)
        # Connections that have ended may take a port for a minute more. A port that is taken only
        # by them may be reused; so may one that is bound like this here, so it comes second.
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reused)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, True)
        try:
            one.bind(address)
        except OSError as error:
            one.close()
            if reused or error.errno != errno.EADDRINUSE:
                raise
        else:
            # Only now: a socket that has it before may share a port that is taken.
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, True)
            return one
    raise AssertionError("the second attempt returns or raises")


async def _keep(settings: Settings, port: int, number: int, serving: asyncio.Event) -> None:
    """Run a worker, and another whenever it ends. Raises OSError if the first could not start."""
    while True:
        try:
            async with _worker(settings, port, number) as process:
                serving.set()
                if await _hangs(process):
                    text = "worker %d (pid %d) has done nothing for %.0f s; killing it"
                    _log.error(text, number, process.pid, HANGS_S)
                    process.kill()
                code = await process.wait()
                forget(settings.metrics_folder, process.pid)
                _log.error(
                    "worker %d (pid %d) ended with %d; starting another", number, process.pid, code
                )
        except OSError:
            if not serving.is_set():
                raise
            await asyncio.sleep(_RETRY_S)


async def _hangs(process: asyncio.subprocess.Process) -> bool:
    """Wait until a worker has ended, or shows no more that it runs; return whether it hangs.

    Pauses are counted, not timed: if the whole machine has slept, so has this process.
    """
    assert process.stdout is not None, "it is a pipe"
    ended = asyncio.create_task(process.wait())
    silent, beat = 0, asyncio.create_task(process.stdout.read(1024))
    try:
        while silent * BEAT_S < HANGS_S:
            silent += 1
            done, _ = await asyncio.wait(
                (ended, beat), timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED
            )
            if ended in done or (beat in done and not beat.result()):
                return False
            if beat in done:
                silent, beat = 0, asyncio.create_task(process.stdout.read(1024))
        return True
    finally:
        ended.cancel()
        beat.cancel()


@contextlib.asynccontextmanager
async def _worker(
    settings: Settings, port: int, number: int
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that serves. It is ended on leaving.

    Raises OSError if the machine can't start it, or if it ends and has printed the reason.
    """
    options = ["--host", settings.host, "--port", f"{port}", "--data", f"{settings.data}"]
    if settings.metrics_folder:
        options += ["--metrics-folder", f"{settings.metrics_folder}"]
    if settings.house:
        options.append("--house")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_server.cli", "--worker", f"{number}", *options),
        # Nothing is written to it. It is closed when this process ends, and the worker ends.
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # Only this process receives Ctrl-C of a terminal, and stops the workers.
        start_new_session=True,
    )
    try:
        assert process.stdout is not None, "it is a pipe"
        async with asyncio.timeout(None) as patience:
            while not (line := await process.stdout.readline()).startswith(READY.encode()):
                if not line:
                    await process.wait()  # a signal to an ended process would take its exit code
                    raise OSError("a worker could not start")
                patience.reschedule(asyncio.get_running_loop().time() + HANGS_S)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(_ENDS_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
