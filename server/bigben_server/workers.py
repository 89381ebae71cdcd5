"""Several server processes behind one port, each started again when it ends."""

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Final

from bigben_server.accepting import Accepting, Line, reserved
from bigben_server.accounts.secrets import secret_of
from bigben_server.accounts.tokens import Issuers
from bigben_server.config import Settings
from bigben_server.house import house_beside
from bigben_server.metrics.serving import forget
from bigben_server.metrics.writing import counts_written
from bigben_server.startup.life import log_start
from bigben_server.storage.opening import opened
from bigben_server.summary import Summary
from bigben_server.tasks import all_set, told_to_stop
from bigben_server.watchdog import BEAT_S, HANGS_S, LATE_S

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
    with reserved(settings) as listeners:
        accepting, port = Accepting(settings, listeners), listeners[0].getsockname()[1]
        settings = replace(settings, port=port)
        # This process uses the embedded Redis too, so that it outlives the workers.
        async with opened(settings) as store:
            try:
                async with asyncio.TaskGroup() as tasks:
                    # The first worker creates what all share: the secret, and today's daily.
                    keeping = []
                    for number, one in enumerate(serving, 1):
                        keeping.append(tasks.create_task(_keep(settings, accepting, number, one)))
                        if number == 1:
                            await one.wait()
                    await all_set(serving)
                    # Before anybody is told: later an outage of Redis must not end this process.
                    secret = await secret_of(store, settings) if settings.house else b""
                    key = Issuers(secret, {}).house_key if settings.house else ""
                    await log_start(store, settings, count)
                    keeping.append(tasks.create_task(Summary().run()))
                    with accepting.listening():
                        started(port)
                        async with (
                            counts_written(settings.metrics_folder),
                            house_beside(settings, port, key),
                        ):
                            await stop.wait()
                    for task in keeping:
                        task.cancel()
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from failed


async def _keep(
    settings: Settings, accepting: Accepting, number: int, serving: asyncio.Event
) -> None:
    """Run a worker, and another whenever it ends. Raises OSError if the first could not start."""
    while True:
        try:
            async with _worker(settings, number) as (process, end):
                with accepting.worker(number, end) as line:
                    serving.set()
                    hangs = await _hangs(process, accepting, line)
                if hangs:
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


async def _hangs(process: asyncio.subprocess.Process, accepting: Accepting, line: Line) -> bool:
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
            accepting.lateness(line, is_late=silent * BEAT_S > LATE_S)
        return True
    finally:
        ended.cancel()
        beat.cancel()


@contextlib.asynccontextmanager
async def _worker(
    settings: Settings, number: int
) -> AsyncIterator[tuple[asyncio.subprocess.Process, socket.socket]]:
    """A process that serves, and this end of the line to it. It is ended on leaving.

    Raises OSError if the machine can't start it, or if it ends and has printed the reason.
    """
    options = ["--host", settings.host, "--port", f"{settings.port}", "--data", f"{settings.data}"]
    if settings.metrics_folder:
        options += ["--metrics-folder", f"{settings.metrics_folder}"]
    if settings.house:
        options.append("--house")
    end, its_end = socket.socketpair()
    with end:
        with its_end:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bigben_server.cli", "--worker", f"{number}", *options),
                # Connections come over it. It ends with this process, and then the worker ends.
                stdin=its_end.fileno(),
                stdout=asyncio.subprocess.PIPE,
                # Only this process receives Ctrl-C of a terminal, and stops the workers.
                start_new_session=True,
            )
        async with _serving(process):
            yield process, end


@contextlib.asynccontextmanager
async def _serving(process: asyncio.subprocess.Process) -> AsyncIterator[None]:
    """Wait until it serves; end it on leaving. Raises OSError."""
    try:
        assert process.stdout is not None, "it is a pipe"
        async with asyncio.timeout(None) as patience:
            while not (line := await process.stdout.readline()).startswith(READY.encode()):
                if not line:
                    await process.wait()  # a signal to an ended process would take its exit code
                    raise OSError("a worker could not start")
                patience.reschedule(asyncio.get_running_loop().time() + HANGS_S)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(_ENDS_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
