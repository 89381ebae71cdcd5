"""What the parent of several processes must know of each: that it lives, its players and races.

Several may have the same player or race, which is counted once.
"""

import os
import time
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import msgspec

from bigben_protocol import Kind, Phase


class Shared(msgspec.Struct, array_like=True):
    """What one process has. Checksums take less room than names, and tell nobody who plays."""

    players: set[int]
    """Those who are connected."""
    races: dict[int, tuple[Kind, Phase]]
    """Those in memory, by code."""


_ALIVE = "alive_"
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Shared).decode


def checksum(name: str) -> int:
    return crc32(name.encode())


def write(shared: Shared, folder: Path, pid: int) -> None:
    new = folder / f"shared_{pid}.new"
    new.write_bytes(_encode(shared))
    new.replace(_file(folder, pid))


def beat(folder: Path, pid: int) -> None:
    """Note that a process lives. Needs no room on the disk, after the first time."""
    file = folder / f"{_ALIVE}{pid}"
    file.touch()
    now = time.monotonic()  # nobody sets this clock, and all processes of a machine have the same
    os.utime(file, (now, now))


def silent(folder: Path) -> dict[int, float]:
    """For how many seconds each process has not noted that it lives."""
    found: dict[int, float] = {}
    for file in folder.glob(f"{_ALIVE}*"):
        with suppress(FileNotFoundError):  # its process has just ended
            heard = file.stat().st_mtime
            found[int(file.name.removeprefix(_ALIVE))] = max(time.monotonic() - heard, 0)
    return found


def forget(folder: Path, pid: int) -> None:
    """Forget what a process had that has ended. Idempotent."""
    _file(folder, pid).unlink(missing_ok=True)
    (folder / f"{_ALIVE}{pid}").unlink(missing_ok=True)


def united(folder: Path) -> Shared:
    """What all processes have."""
    whole = Shared(set(), {})
    for file in folder.glob("shared_*.msgpack"):
        with suppress(FileNotFoundError):  # its process has just ended
            part = _decode(file.read_bytes())
            whole.players |= part.players
            whole.races |= part.races
    return whole


def _file(folder: Path, pid: int) -> Path:
    return folder / f"shared_{pid}.msgpack"
