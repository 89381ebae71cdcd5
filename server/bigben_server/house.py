"""Keeps the process of the house players beside the server.

It is a client like others, on an address of this machine, and it signs the tokens of its players
itself.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Final

from bigben_server.config import Settings

_log = logging.getLogger(__name__)

KEY: Final = "BIGBEN_ISSUER_BOT_KEY"
"""The variable in which the process finds its key: a command line can be read by everybody."""
_SOONEST_S: Final = 1.0
_LATEST_S: Final = 60.0
"""Between two starts: it doubles, as long as the process ends again soon."""


@contextlib.asynccontextmanager
async def house_beside(settings: Settings, port: int, key: str) -> AsyncIterator[None]:
    """While inside, the house players run if the settings want them; none beside a worker."""
    if not settings.house or settings.worker:
        yield
        return
    options = ["--server", own_address(settings.host, port)]
    options += ["--thinkers", f"{settings.house_thinkers}", "--with-parent"]
    keeping = asyncio.create_task(_keep(options, key))
    try:
        yield
    finally:
        keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeping


def own_address(host: str, port: int) -> str:
    """The server's address for clients on this machine."""
    host = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"


async def _keep(options: Sequence[str], key: str) -> None:
    """Run the house, and again whenever it ends."""
    loop, pause = asyncio.get_running_loop(), _SOONEST_S
    while True:
        began = loop.time()
        try:
            code = await _run(options, key)
        except OSError as error:
            _log.error("the house can't be started: %s", error)
        else:
            _log.error("the house ended with %d; starting another", code)
        pause = _SOONEST_S if loop.time() - began > _LATEST_S else min(2 * pause, _LATEST_S)
        await asyncio.sleep(pause)


async def _run(options: Sequence[str], key: str) -> int:
    """Run the house until it ends. It is ended if this is cancelled. Raises OSError."""
    # The server's secrets do not concern the house.
    own = ("BIGBEN_LOG", "BIGBEN_HOUSE_")
    environ = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(own) or not name.startswith("BIGBEN_")
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bigben_house", *options),
        # Nothing is written to it. It is closed when this process ends, and the house ends.
        stdin=asyncio.subprocess.PIPE,
        env=environ | {KEY: key},
        start_new_session=True,
    )
    try:
        return await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
