"""A server that dies or hangs at one command: ``python -m tests.server.boards.dying``.

Arguments: the data folder, the beginning of a command, and when. It kills itself with SIGKILL when
that command is to go to Redis for the first time: ``before`` anything of its round trip is sent,
``halfway`` through it, or ``after`` all of it was answered. Or such commands are ``held``, and
nothing of their round trips is sent before the process gets SIGUSR1. With more arguments it is
``bigben admin``, and if the third is ``interrupted`` it gets SIGINT halfway instead.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bigben_server import cli
from bigben_server.config import Settings
from bigben_server.ops.admin import admin
from bigben_server.race import choosing
from bigben_server.storage.client import Connection, script
from bigben_server.storage.exchange import Command
from bigben_server.thinking import packer

FOLDER, WORDS, WHEN, *ADMIN = sys.argv[1:]
released = asyncio.Event()

_send = Connection.send


async def send(
    self: Connection, commands: Sequence[Command], *, raise_on_error: bool = True
) -> list[Any]:
    """Send the commands, unless this process is to hang, or not to outlive them."""
    if any(" ".join(map(str, words)).startswith(WORDS) for words in commands):
        if WHEN == "held":
            await released.wait()
            return await _send(self, commands, raise_on_error=raise_on_error)
        halfway = len(commands) // 2
        sent = {"before": 0, "after": len(commands)}.get(WHEN, halfway)
        await _send(self, commands[:sent], raise_on_error=raise_on_error)
        os.kill(os.getpid(), signal.SIGINT if WHEN == "interrupted" else signal.SIGKILL)
    return await _send(self, commands, raise_on_error=raise_on_error)


def listening(port: int) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, released.set)
    print(f"listening on {port}", flush=True)


if __name__ == "__main__":
    choosing.COUNTDOWN_MS = 0  # nobody has to look at it here
    if f"EVAL {script('pack')}" == WORDS:
        packer.AGE_MS, packer.LOOK_S = 0, 0.1  # type: ignore[attr-defined, misc] # at once
    Connection.send = send  # type: ignore[method-assign]
    if ADMIN:
        sys.exit(admin(["--data", FOLDER, *ADMIN]))
    settings = Settings(port=0, data=Path(FOLDER))
    asyncio.run(cli.run_server(settings, listening))
