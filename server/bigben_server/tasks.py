"""How the loops of a server end. Starts and cancels nothing."""

import asyncio


def goes_on() -> bool:
    """Whether the task that asks has not been cancelled; the condition of every endless loop.

    A cancellation is delivered once, and the error of a connection that is being closed may take
    its place: whoever catches that error would go on for ever.
    """
    task = asyncio.current_task()
    return task is not None and not task.cancelling()
