"""What the tests let another process compute."""

import os
import signal
from pathlib import Path
from typing import Any

from bigben_protocol import RaceId
from bigben_server.storage.keys import Keys
from bigben_server.storage.packing.checking import checked_part


def hang(ready: Path) -> None:
    """Never return; ``ready`` is a pipe with a name, and gets the process's id."""
    ready.write_text(str(os.getpid()))
    while True:
        signal.pause()


def hang_while(ready: Path) -> str:
    """Hang if the pipe is there."""
    if ready.exists():
        hang(ready)
    return "answered"


def pack_others(fatal: RaceId, keys: Keys, race: RaceId, *rest: Any) -> bytes | None:
    """Pack a part of any race but the fatal one, which ends the process."""
    if race == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return checked_part(keys, race, *rest)


def note(order: Path, what: str) -> None:
    """Append a line to a file."""
    with order.open("a") as file:
        file.write(f"{what}\n")


def whereabouts() -> tuple[int, int, list[str]]:
    """The process's id, how nice it is, and which settings of the server it knows."""
    return os.getpid(), os.nice(0), [name for name in os.environ if name.startswith("BIGBEN_")]


class Twisted(Exception):
    """Can be pickled, but not read again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def twist() -> None:
    raise Twisted(1, 2)


def talk() -> str:
    os.write(1, b"never among the answers\n")
    print("nor this")
    return "heard"
