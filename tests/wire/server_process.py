"""A server in its own process with its own Redis, as operators run it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

UNHURRIED = {
    "BIGBEN_MESSAGES_PER_SECOND": "1000000",
    "BIGBEN_BURST": "1000000",
    "BIGBEN_ROOMS_PER_MINUTE": "1000000",
    "BIGBEN_ROOMS_PER_ADDRESS": "1000000",
    "BIGBEN_GUESTS_PER_ADDRESS": "1000000",
    "BIGBEN_RACES_PER_ADDRESS": "1000000",
    "BIGBEN_CONNECTS_PER_SECOND": "1000000",
}
"""The settings of a server that lets a test send as fast as it can."""


class ServerProcess(NamedTuple):
    """A running server."""

    port: int
    process: subprocess.Popen[str]
    log_file: Path

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def memory(self) -> int:
        """Its resident memory in KiB."""
        command = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
        return int(subprocess.run(command, capture_output=True, check=True).stdout)

    def log(self) -> str:
        """Everything that it has logged since its start."""
        return self.log_file.read_text()

    def complaints(self) -> list[str]:
        """The lines of its log that an operator would have to investigate."""
        alarming = ("Traceback", "ERROR", "CRITICAL", "WARNING", "Error", "Exception")
        return [line for line in self.log().splitlines() if any(word in line for word in alarming)]


@contextmanager
def serving(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[ServerProcess]:
    """A server with its data and its log in ``folder``; it must end cleanly, or by SIGKILL."""
    log_file = folder / "server.log"
    others = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    with log_file.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "bigben_server.cli"],
            env={
                **others,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "PYTHONUNBUFFERED": "1",
                "BIGBEN_PORT": "0",
                "BIGBEN_DATA": str(folder / "data"),
                **(settings or {}),
            },
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout
    with process, process.stdout:
        try:
            line = next((line for line in process.stdout if line.startswith("listening on ")), "")
            assert line, log_file.read_text()
            yield ServerProcess(int(line.rpartition(":")[2]), process, log_file)
        except BaseException:
            process.kill()
            raise
        if process.poll() == -signal.SIGKILL:
            return
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0, log_file.read_text()
