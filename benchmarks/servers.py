"""Server processes for benchmarks and tests that can be killed and started again."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE_S = 60.0
"""Longer than any kill keeps anybody waiting, and than ratings take after the last race."""
_TIRELESS = {
    "BIGBEN_ROOMS_PER_MINUTE": "1000000",
    "BIGBEN_ROOMS_PER_ADDRESS": "1000000",
    "BIGBEN_GUESTS_PER_ADDRESS": "1000000",
    "BIGBEN_RACES_PER_ADDRESS": "1000000",
    "BIGBEN_CONNECTS_PER_SECOND": "1000000",
}
"""No limits for clients that play faster than any person."""


class ServerDied(RuntimeError):
    """The server ended before it listened; the text is what it printed."""


class ServerProcess:
    """One ``python -m bigben_server.cli`` on a fixed port, so that clients find it again.

    ``port``: 0 for any free port; to restart the server, reserve a port. ``module`` may be another
    one that accepts ``--data`` and ``--port`` and prints its address.
    """

    def __init__(
        self,
        data: Path,
        *options: str,
        port: int = 0,
        env: dict[str, str] | None = None,
        module: str = "bigben_server.cli",
    ) -> None:
        self.data = data
        self._module = module
        self._options = options
        self._env = {**os.environ, **_TIRELESS, **(env or {})}
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[bytes] | None = None
        self.exit_code: int | None = None
        """The exit code of the last process."""

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"ws://127.0.0.1:{self._port}"

    @property
    def redis_url(self) -> str:
        """The embedded Redis of the data folder."""
        return f"unix://{self.data / 'redis.sock'}"

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        assert self._process is not None, "started"
        return self._process.pid

    def workers(self) -> list[int]:
        """The ids of its worker processes."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [pid for pid in map(int, children) if _is_worker(pid)]

    async def start(self) -> None:
        """Start it and wait until it listens. Raises ServerDied."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", self._module, "--data", str(self.data)),
            *("--port", str(self._port), *self._options),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=self._env,
        )
        assert self._process.stdout is not None, "asked for"
        said: list[str] = []
        while line := (await self._process.stdout.readline()).decode():
            said.append(line)
            if line.startswith("listening on "):
                self._port = int(line.rpartition(":")[2])
                # Read its later output, so that it never waits for a full pipe.
                self._reading = asyncio.create_task(self._process.stdout.read())
                return
        raise ServerDied("".join(said))

    async def kill(self) -> None:
        """kill -9."""
        await self._end(signal.SIGKILL)

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> str:
        """Stop it, and return its output since it listened."""
        return await self._end(number)

    async def _end(self, number: signal.Signals) -> str:
        if self._process is None:
            return ""
        with suppress(ProcessLookupError):
            self._process.send_signal(number)
        self.exit_code = await self._process.wait()
        self._process = None
        return (await self._reading).decode() if self._reading else ""


def _is_worker(pid: int) -> bool:
    try:
        return b"--worker" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:  # it has just ended
        return False


@contextmanager
def reserved_port() -> Iterator[int]:
    """A reserved port, for a server that must find it free whenever it starts.

    It is bound here, and the server listens on it. Linux allows this if both set SO_REUSEPORT.
    """
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # as workers do
        reserved.bind(("127.0.0.1", 0))
        yield int(reserved.getsockname()[1])
