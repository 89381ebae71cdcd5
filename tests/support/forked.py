"""A process without its imports: forked from one that has made them. No tests.

What runs is `bigben` or its server in a process of its own, which reads, writes and is killed like
any other. It is spared the imports, which are most of the work of a start.
"""

import fcntl
import multiprocessing
import os
import pkgutil
import signal
import sys
import tempfile
import termios
import warnings
from collections.abc import Mapping, Sequence
from multiprocessing.reduction import DupFd
from tempfile import TemporaryFile
from typing import Any, Final

SERVER: Final = "bigben_server.cli:serve"
ADMIN: Final = "bigben_server.ops.admin:admin"
TERMINAL: Final = "bigben_terminal.cli:main"
_PLAYED: Final = [f"bigben_terminal.subcommands.{name}" for name in ("demo", "play", "watch")]
_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [__name__, *(one.partition(":")[0] for one in (SERVER, ADMIN, TERMINAL)), *_PLAYED]
)


class Forked:
    """What is used of a ``subprocess.Popen``."""

    def __init__(
        self,
        program: str,
        options: Sequence[str],
        env: Mapping[str, str],
        *,
        output: int,
        errors: int | None = None,
        given: int | None = None,
        at_terminal: bool = False,
    ) -> None:
        """``output``, ``errors`` and ``given`` are file descriptors, which stay open here.

        Errors go to the output if there is no other place. Who is ``given`` something has a session
        of its own; ``at_terminal``: that is its terminal.
        """
        ends = [os.open(os.devnull, os.O_RDONLY) if given is None else given, output]
        ends.append(output if errors is None else errors)
        streams = [DupFd(end) for end in ends]
        # A daemon, so that a test that failed to end it does not keep the run from ending.
        self._process = _FORKS.Process(
            target=_run,
            args=(program, tuple(options), dict(env), streams, given is not None, at_terminal),
            daemon=True,
        )
        self._process.start()
        if given is None:
            os.close(ends[0])
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


class ForkedServer(Forked):
    """`bigben serve`, whose output is one text."""

    def __init__(self, options: Sequence[str], env: Mapping[str, str]) -> None:
        reading, writing = os.pipe()
        self.stdout = os.fdopen(reading, encoding="utf-8", errors="replace")
        super().__init__(SERVER, options, env, output=writing)
        os.close(writing)


def ran(
    program: str, options: Sequence[str], env: Mapping[str, str], stdin: bytes = b""
) -> tuple[int, str, str]:
    """The exit code, output and errors of this program, which is run to its end."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        ends = [one.fileno() for one in (out, err, given)]
        code = Forked(program, options, env, output=ends[0], errors=ends[1], given=ends[2]).wait()
        out.seek(0)
        err.seek(0)
        return code, out.read().decode(), err.read().decode()


def _run(
    program: str,
    options: Sequence[str],
    env: Mapping[str, str],
    streams: Any,
    session: bool,
    at_terminal: bool,
) -> None:
    """Be this program with these options, this environment and these standard streams."""
    os.environ.clear()
    os.environ.update(env)
    tempfile.tempdir = None  # as this environment says
    if session:
        os.setsid()
    for number, stream in enumerate(streams):
        end = stream.detach()
        os.dup2(end, number)
        os.close(end)
    if at_terminal:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout, sys.stderr = (
        os.fdopen(number, "w", 1, encoding="utf-8", errors=errors, closefd=False)
        for number, errors in ((1, "strict"), (2, "backslashreplace"))
    )
    if env.get("PYTHONWARNINGS") == "error":
        warnings.simplefilter("error")
    run = pkgutil.resolve_name(program)
    sys.argv = [program.partition(":")[0], *options]
    sys.exit(run(list(options)))
