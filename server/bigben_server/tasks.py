"""Helpers for the end of a server process's tasks."""

import asyncio
import signal
from collections.abc import Iterable


def not_cancelled() -> bool:
    """Whether the current task has not been cancelled; the condition of every endless loop.

    A cancellation is delivered once, and the error of a connection that is being closed may take
    its place. A loop that catches that error would never end.
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


async def all_set(events: Iterable[asyncio.Event]) -> None:
    """Wait until each event is set that ``events`` has now."""
    for event in list(events):
        await event.wait()
