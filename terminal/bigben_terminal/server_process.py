"""A server of one's own for a while: a child process with an empty data folder, gone afterwards.

It is started as a command, since the terminal never imports the server.
"""

import asyncio
import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Final

from bigben_terminal.complaint import Complaint

READY: Final = "listening on "
"""Begins the last line that the server prints at its start; its address follows."""

PATIENCE_S: Final = 30.0
"""For the start, and again for the end."""


@asynccontextmanager
async def own_server() -> AsyncIterator[str]:
    """The address of a new server on this machine. Raises Complaint if it does not start."""
    with TemporaryDirectory(prefix="bigben-", ignore_cleanup_errors=True) as folder:
        server = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bigben_server.cli", "--host", "127.0.0.1", "--port", "0", "--data", folder),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=_without_settings(os.environ),
            # Ctrl-C is for the players first; then the server is told to stop.
            start_new_session=True,
        )
        said: deque[str] = deque(maxlen=20)
        listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        reading = asyncio.create_task(_read(server, said, listening))
        try:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    address = await listening
            except TimeoutError:
                raise _failed("did not start in time", said) from None
            yield address
        finally:
            await _end(server)
            await reading


async def _read(
    server: asyncio.subprocess.Process, said: deque[str], listening: asyncio.Future[str]
) -> None:
    """Read all that the server prints, so that it never waits for a reader."""
    assert server.stdout is not None
    async for line in server.stdout:
        text = line.decode(errors="replace").rstrip()
        said.append(text)
        if text.startswith(READY) and not listening.done():
            listening.set_result(text.removeprefix(READY))
    if not listening.done():
        listening.set_exception(_failed("did not start", said))


def _failed(how: str, said: deque[str]) -> Complaint:
    lines = "\n".join(f"  {line}" for line in said) or "  nothing"
    return Complaint(f"the server {how}; it said:\n{lines}")


async def _end(server: asyncio.subprocess.Process) -> None:
    """Stop the server: it takes its Redis along. Kills it if it does not want to."""
    if server.returncode is None:
        server.terminate()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await server.wait()
    except TimeoutError:
        server.kill()
        await server.wait()


def _without_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Another server's settings (its Redis!) are not meant for this one."""
    return {name: value for name, value in environ.items() if not name.startswith("BIGBEN_")}
