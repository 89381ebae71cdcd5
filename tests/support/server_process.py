"""A server in its own process with its own Redis, as operators run it."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks import servers
from benchmarks.servers import RACE_SERVER, TIRELESS
from tests.support.forked import ForkedServer

UNHURRIED = {
    **TIRELESS,
    "BIGBEN_MESSAGES_PER_SECOND": "1000000",
    "BIGBEN_BURST": "1000000",
}
"""The settings of a server that lets a test send as fast as it can."""

PLATFORM_KEY = "a key that the server and all bots of the tests share"
PLATFORMS = {f"BIGBEN_ISSUER_{name}_KEY": PLATFORM_KEY for name in ("DISCORD", "MATRIX")}
"""The settings of a server to which the bots of two platforms bring their users."""


class ServerProcess(servers.ServerProcess):
    """A server that is forked, if it is started by no command but the usual one."""

    def _started(self, options: Sequence[str]) -> servers.Process:
        if self._command != RACE_SERVER:
            return super()._started(options)
        return ForkedServer(options, self._env)


@contextmanager
def serving(
    folder: Path,
    settings: Mapping[str, str] | None = None,
    *,
    port: int = 0,
    workers: int = 1,
) -> Iterator[ServerProcess]:
    """A server with its data in ``folder``; it must end cleanly, or by SIGKILL."""
    unset = {name: "" for name in os.environ if name.startswith("BIGBEN_")}
    env = {
        **unset,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "error",
        "BIGBEN_DAILY_GRADES": "none " * 7,  # the cores belong to the tests
        **(settings or {}),
    }
    server = ServerProcess(folder / "data", "--workers", f"{workers}", port=port, env=env)
    server.launch()
    try:
        yield server
    except BaseException:
        print(server.log())  # shown when the test fails
        server.end(signal.SIGKILL)
        raise
    server.end()
    assert server.exit_code in (0, -signal.SIGKILL), server.log()
