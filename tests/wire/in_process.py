"""A server in the test's own process, with its own Redis."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bigben_server.cli import run_server
from bigben_server.config import Limits, Settings
from bigben_server.scoring.results import Ranked

USUAL = Limits()


@asynccontextmanager
async def server_here(
    folder: Path,
    limits: Limits = USUAL,
    issuers: Mapping[str, tuple[str, ...]] | None = None,
    *,
    ranked: Ranked | None = None,
    discord_app: str = "",
) -> AsyncIterator[str]:
    """The URL of a server with its data in ``folder``. It ends with the block."""
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    settings = Settings(
        port=0,
        data=folder,
        limits=limits,
        issuers=issuers or {},
        ranked=ranked,
        discord_app=discord_app,
        daily_grades=("none",) * 7,  # the cores belong to the tests
    )
    running = asyncio.create_task(run_server(settings, port.set_result))
    try:
        await asyncio.wait((running, port), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        yield f"ws://127.0.0.1:{port.result()}"
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
