"""Shows that the event loop of this process runs: to the parent of a worker, and to systemd."""

import asyncio
import os
import socket
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

BEAT_S: Final = 1.0
LATE_S: Final = 3.0
"""A worker that shows nothing for so long gets no connections, as long as others do."""
HANGS_S: Final = 10.0
"""A worker that shows nothing for so long hangs, and is replaced."""
BEAT: Final = b"\n"


async def beating(worker: int, serving: Coroutine[Any, Any, None]) -> None:
    """Show that the loop runs until ``serving`` ends. ``worker``: 0 for a process without a parent.

    ``Any``: what a coroutine is sent and sends.
    """
    if worker:
        # A parent that does not read must not stop its worker.
        os.set_blocking(sys.stdout.fileno(), False)
    beat = asyncio.create_task(_beat(worker))
    try:
        await serving
    finally:
        beat.cancel()


async def _beat(worker: int) -> None:
    while True:
        if worker:
            with suppress(OSError):  # the parent reads nothing, or has ended
                os.write(sys.stdout.fileno(), BEAT)
        else:
            tell_systemd("WATCHDOG=1")
        await asyncio.sleep(BEAT_S)


def tell_systemd(state: str) -> None:
    """Tell it, if it has started this process and wants to know, as ``sd_notify`` does."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            line.send(state.encode())
