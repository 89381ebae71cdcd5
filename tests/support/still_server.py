"""`bigben serve` with a clock that stands until it is set, and chance that begins with a seed.

Whatever is done at such a server in the same order looks the same each time. ``STILL_CLOCK`` names
a file of eight bytes, ms since 1970. No tests.
"""

import mmap
import os
import secrets
import sys
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Final

from bigben_server import cli

COMMAND: Final = (sys.executable, "-m", "tests.support.still_server")


class StillClock:
    """The file from which the server reads the time, which a test sets."""

    def __init__(self, file: Path, now: int) -> None:
        file.write_bytes(bytes(8))
        with file.open("r+b") as opened:
            self._bytes = mmap.mmap(opened.fileno(), 8)
        self.env = {"STILL_CLOCK": str(file)}
        self.set(now)

    def set(self, now: int) -> None:
        self._bytes[:] = now.to_bytes(8, "little")


def main() -> int:
    """Serve. All that the command line takes the time and chance from is in two modules."""
    with Path(os.environ["STILL_CLOCK"]).open("rb") as file:
        now = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
    chance = Random(1)
    stands = SimpleNamespace(
        time_ns=lambda: 1_000_000 * int.from_bytes(now[:], "little"), monotonic=time.monotonic
    )
    seeded = SimpleNamespace(token_bytes=chance.randbytes, token_hex=secrets.token_hex)
    setattr(cli, "time", stands)  # noqa: B010 # the checkers see a module there
    setattr(cli, "secrets", seeded)  # noqa: B010
    return cli.serve(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
