"""How tasks end, and work that goes ahead of its use."""

import asyncio
import signal
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


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


async def ahead(
    work: Iterable[Coroutine[Any, Any, _Result]],  # Any: what a coroutine is sent and sends
    most: int,
) -> AsyncIterator[_Result]:
    """The results of all this work, in order. While one is used, ``most`` more are under way."""
    under_way = deque[asyncio.Task[_Result]]()
    try:
        for one in work:
            under_way.append(asyncio.create_task(one))
            if len(under_way) > most:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
