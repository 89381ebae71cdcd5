"""The players and races that several processes may have at once, and that are counted once."""

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


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Shared).decode


def checksum(name: str) -> int:
    return crc32(name.encode())


def write(shared: Shared, folder: Path, pid: int) -> None:
    new = folder / f"shared_{pid}.new"
    new.write_bytes(_encode(shared))
    new.replace(_file(folder, pid))


def forget(folder: Path, pid: int) -> None:
    """Forget what a process had that has ended. Idempotent."""
    _file(folder, pid).unlink(missing_ok=True)


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
