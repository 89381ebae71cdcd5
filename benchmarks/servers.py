"""Server processes for benchmarks and tests that can be killed and started again."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Protocol

RACE_SERVER: Final = (sys.executable, "-m", "bigben_server.cli")
PATIENCE_S = 60.0
"""Longer than any kill keeps anybody waiting, and than ratings take after the last race."""
TIRELESS = {
    "BIGBEN_ROOMS_PER_MINUTE": "1000000",
    "BIGBEN_ROOMS_PER_ADDRESS": "1000000",
    "BIGBEN_SEATS_PER_ADDRESS": "1000000",
    "BIGBEN_GUESTS_PER_ADDRESS": "1000000",
    "BIGBEN_RACES_PER_ADDRESS": "1000000",
    "BIGBEN_CONNECTS_PER_SECOND": "1000000",
    "BIGBEN_WORK_PER_SECOND": "1000000",
    "BIGBEN_DAILY_GRADES": "none " * 7,
}
"""No limits for clients that play faster than any person, and no cores lent to coming dailies."""
UNLIMITED = {
    **TIRELESS,
    "BIGBEN_MESSAGES_PER_SECOND": "1000000000",
    "BIGBEN_BURST": "1000000000",
    "BIGBEN_CONNECTIONS_PER_ADDRESS": "1000000",
    "BIGBEN_RACES_PER_CONNECTION": "1000000",
}
"""No limits for thousands of clients of one machine that send as fast as they can."""


class ServerDied(RuntimeError):
    """The server ended before it listened; the text is what it printed."""


class Process(Protocol):
    """What is used of a process: of one that was started, or of one that was forked."""

    @property
    def pid(self) -> int: ...
    @property
    def stdout(self) -> IO[str] | None: ...
    def send_signal(self, number: signal.Signals, /) -> None: ...
    def wait(self) -> int: ...


class ServerProcess:
    """One server on a fixed port, so that clients find it again.

    ``port``: 0 for any free port; to restart the server, reserve a port. ``command`` starts the
    server; another one must accept ``--data`` and ``--port`` too, and print its address.
    """

    listens_on = re.compile(r"listening on .*:(\d+)$")
    """What it prints when it listens, and where."""

    def __init__(
        self,
        data: Path,
        *options: str,
        port: int = 0,
        env: Mapping[str, str] = TIRELESS,
        command: Sequence[str] = RACE_SERVER,
    ) -> None:
        self.data = data
        self.port = port
        self._command = tuple(command)
        self._options = ("--data", str(data), *options)
        self._env = {**os.environ, **env}
        self._process: Process | None = None
        self._reading: threading.Thread | None = None
        self._said: list[str] = []
        self._listens = 0
        """How many of these lines came before it listened, when it was started last."""
        self.exit_code: int | None = None
        """The exit code of the last process."""

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"ws://127.0.0.1:{self.port}"

    @property
    def metrics_url(self) -> str:
        """Where its metrics are, if it was given BIGBEN_METRICS_PORT."""
        return self.log().rpartition("Metrics: ")[2].split()[0]

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

    def log(self) -> str:
        """Everything that it has logged since it was first started."""
        return "".join(self._said)

    def complaints(self) -> list[str]:
        """The lines of its log that name a fault of the server.

        That Redis is slow, because the disk is busy with other things, is none.
        """
        alarming = ("Traceback", "ERROR", "CRITICAL", "WARNING", "Error", "Exception")
        slow = ("Redis is away: it does not answer", "Redis is back after")
        return [
            line
            for line in self.log().splitlines()
            if any(word in line for word in alarming) and not any(text in line for text in slow)
        ]

    def memory(self) -> int:
        """The resident memory of it and its workers in KiB."""
        pids = ",".join(map(str, (self.pid, *self.workers())))
        command = ["ps", "-o", "rss=", "-p", pids]
        said = subprocess.run(command, capture_output=True, check=True).stdout
        return sum(map(int, said.split()))

    def launch(self) -> None:
        """Start it and wait until it listens. Raises ServerDied."""
        began = len(self._said)
        self._process = self._started((*self._options, "--port", str(self.port)))
        decided = threading.Event()
        self._reading = threading.Thread(target=self._read, args=(self._process, decided))
        self._reading.start()
        decided.wait()
        if self._listens <= began:
            self.end()
            raise ServerDied("".join(self._said[began:]))

    def end(self, number: signal.Signals = signal.SIGTERM) -> str:
        """Stop it and its workers, and return their output since it listened."""
        if self._process is None:
            return ""
        self._process.send_signal(number)  # to nobody, if it has ended by itself
        self.exit_code = self._process.wait()
        assert self._reading is not None, "started with it"
        self._reading.join()
        self._process = None
        return "".join(self._said[self._listens :])

    async def start(self) -> None:
        """``launch`` in a thread."""
        await asyncio.to_thread(self.launch)

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> str:
        """``end`` in a thread."""
        return await asyncio.to_thread(self.end, number)

    async def update(self, command: Sequence[str] = RACE_SERVER) -> None:
        """Stop it, and start it by this command."""
        await self.stop()
        self._command = tuple(command)
        await self.start()

    async def kill(self) -> None:
        """kill -9."""
        await self.stop(signal.SIGKILL)

    def _started(self, options: Sequence[str]) -> Process:
        return subprocess.Popen(
            (*self._command, *options),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=self._env,
        )

    def _read(self, process: Process, decided: threading.Event) -> None:
        """Read all its output, so that it never waits for a full pipe."""
        assert process.stdout is not None, "asked for"
        with process.stdout:
            for line in process.stdout:
                self._said.append(line)
                if listens := self.listens_on.match(line):
                    self.port = int(listens[1])
                    self._listens = len(self._said)
                    decided.set()
        decided.set()


def _is_worker(pid: int) -> bool:
    try:
        return b"--worker" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:  # it has just ended
        return False


@contextmanager
def reserved_port() -> Iterator[int]:
    """A reserved port, for a server that must find it free whenever it starts.

    It is bound here, and the server listens on it. Linux allows this if both set SO_REUSEPORT, or
    both SO_REUSEADDR.
    """
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # as workers do
        reserved.bind(("127.0.0.1", 0))
        yield int(reserved.getsockname()[1])
