"""Starts a temporary server: a child process with an empty data folder.

It runs as a command, because the terminal must not import the server.
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
"""The beginning of the last line that the server prints at its start; the address follows."""

PATIENCE_S: Final = 30.0
"""The most seconds for the start, and for the stop."""


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
            # Ctrl-C stops the players first, and then the server is stopped.
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
    """Read everything that the server prints, so that it never waits for a reader."""
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
    """Stop the server, which stops its Redis. Kill it if it does not stop."""
    if server.returncode is None:
        server.terminate()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await server.wait()
    except TimeoutError:
        server.kill()
        await server.wait()


def _without_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without settings for another server, such as its Redis."""
    return {name: value for name, value in environ.items() if not name.startswith("BIGBEN_")}
