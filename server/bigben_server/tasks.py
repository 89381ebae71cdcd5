"""The tasks of a server process, and how its loops end."""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Final, Self, TypeVarTuple

_log = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 60.0
"""Seconds before a loop that keeps failing is started again."""

Work = Coroutine[Any, Any, None]
_Args = TypeVarTuple("_Args")


class Tasks:
    """Tasks that run until the ``async with`` block is left.

    A task that fails is logged with its traceback; it ends neither the others nor the server.
    """

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._group.__aexit__(kind, error, trace)

    def start(self, what: str, run: Callable[[*_Args], Work], *args: *_Args) -> None:
        """Do this once; ``what`` names it in the log.

        ``run`` is called when the task begins: one that is cancelled before that leaves no
        coroutine behind which nobody awaits.
        """
        contained = self._contained(what, run, *args)
        try:
            self._group.create_task(contained)
        except RuntimeError:  # all is being ended
            contained.close()

    def keep(self, what: str, run: Callable[[], Work]) -> None:
        """Run a loop for as long as the block lasts. If it fails, run it again after a pause that
        grows.
        """
        self._group.create_task(self._kept(what, run))

    async def _contained(self, what: str, run: Callable[[*_Args], Work], *args: *_Args) -> None:
        try:
            await run(*args)
        except asyncio.CancelledError:
            if not not_cancelled():
                raise
            _log.error("%s was cancelled by what it waited for", what)
        except Exception:
            _log.exception("%s failed", what)

    async def _kept(self, what: str, run: Callable[[], Work]) -> None:
        loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE_S
        while not_cancelled():
            began = loop.time()
            await self._contained(what, run)
            pause = min(2 * pause, _LONGEST_PAUSE_S)
            if loop.time() - began > _LONGEST_PAUSE_S:
                pause = _FIRST_PAUSE_S
            await asyncio.sleep(pause)


def not_cancelled() -> bool:
    """Whether the task that asks has not been cancelled; the condition of every endless loop.

    A cancellation is delivered once, and the error of a connection that is being closed may take
    its place: whoever catches that error would go on for ever.
    """
    task = asyncio.current_task()
    return task is not None and not task.cancelling()


def told_to_stop() -> asyncio.Event:
    """Set by SIGINT, by SIGTERM, and by SIGHUP (the terminal is closed) unless it is ignored."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            loop.add_signal_handler(number, stop.set)
    return stop
