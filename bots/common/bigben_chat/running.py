"""Runs a bot as a command: until a signal stops it, or something ends it."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress


async def until_stopped(bot: Coroutine[None, None, None]) -> None:
    """Run the bot until SIGINT or SIGTERM. Raises what ends it."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    running = asyncio.create_task(bot)
    stopping = asyncio.create_task(stopped.wait())
    await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


def first(error: BaseException) -> str:
    """What the first error of a group says."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)
