"""``bigben serve`` with a clock that a test sets, and with fixed seeds.

Start it as ``python -m tests.compatibility.stopped_clock``, with the options of ``serve`` and the
file of a ``StoppedClock`` in ``COMPATIBILITY_CLOCK``.
"""

import os
import secrets
import sys
import time
from itertools import count
from pathlib import Path
from random import Random

FILE = "COMPATIBILITY_CLOCK"
SERVER_SEED = Random(739).randbytes(32)
"""The server seed of every live race: with the recorded nonces it gives the recorded deal."""


class StoppedClock:
    """A time that changes only when it is set. A server process reads it from a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        return int(self._file.read_text())

    def set(self, now: int) -> None:
        """Set it atomically: a reader sees the old time or the new one."""
        part = self._file.with_suffix(".part")
        part.write_text(str(now))
        part.replace(self._file)


def _serve() -> None:
    clock = StoppedClock(Path(os.environ[FILE]))
    rising = count(clock())

    def token_bytes(nbytes: int | None = None) -> bytes:
        """Seeds are always the same. Ids increase, so that ties are always in the same order."""
        size = nbytes or 32
        number = next(rising).to_bytes(6, "big")
        return SERVER_SEED if size == 32 else (number * size)[:size]

    time.time_ns = lambda: clock() * 1_000_000
    secrets.token_bytes = token_bytes
    from bigben_server.cli import serve  # only now, so that no module has the real ones

    sys.exit(serve(sys.argv[1:]))


if __name__ == "__main__":
    _serve()
