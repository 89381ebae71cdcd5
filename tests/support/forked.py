"""A server process without its imports: forked from one that has made them. No tests.

What runs is `bigben serve` in a process of its own, which listens, writes and is killed like any
other. It is spared the imports, which are most of the work of a start.
"""

import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from multiprocessing.reduction import DupFd
from typing import Any, Final

_MODULE: Final = "bigben_server.cli"
_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__, _MODULE])


class Forked:
    """What is used of a ``subprocess.Popen`` whose output is one text."""

    def __init__(self, options: Sequence[str], env: Mapping[str, str]) -> None:
        reading, writing = os.pipe()
        self.stdout = os.fdopen(reading, encoding="utf-8", errors="replace")
        arguments = (tuple(options), dict(env), DupFd(writing))
        # A daemon, so that a test that failed to end it does not keep the run from ending.
        self._process = _FORKS.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        os.close(writing)
        assert self._process.pid is not None, "started"
        self.pid = self._process.pid

    def send_signal(self, number: signal.Signals) -> None:
        """Send this to the process, unless it has ended."""
        if self._process.is_alive():
            os.kill(self.pid, number)

    def wait(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        self._process.join()
        assert self._process.exitcode is not None, "ended"
        return self._process.exitcode


def _serve(options: Sequence[str], env: Mapping[str, str], output: Any) -> None:
    """Be ``python -m bigben_server.cli`` with these options and this environment."""
    os.environ.clear()
    os.environ.update(env)
    writing = output.detach()
    for number in (1, 2):
        os.dup2(writing, number)
    os.close(writing)
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, TextIOWrapper), "files, as in any process"
        stream.reconfigure(line_buffering=True)
    if env.get("PYTHONWARNINGS") == "error":
        warnings.simplefilter("error")
    from bigben_server.cli import serve

    sys.argv = [_MODULE, *options]
    sys.exit(serve(list(options)))
