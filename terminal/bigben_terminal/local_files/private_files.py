"""Writes files that only their owner can read, and limits how many there are."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write(file: Path, content: bytes) -> None:
    """Replace the file, and make its folder if there is none. Raises OSError."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    # Created with its final mode: another account can never open it.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        out.write(content)
    new.replace(file)


def newest_first(files: Iterable[Path]) -> list[Path]:
    """The files by the time of their last change."""
    times: dict[Path, int] = {}
    for file in files:
        with suppress(OSError):  # another process has just deleted it
            times[file] = file.stat().st_mtime_ns
    return sorted(times, key=times.__getitem__, reverse=True)


def delete_oldest(files: Iterable[Path], *, beyond: int) -> None:
    """Delete all but the ``beyond`` newest of these files. Raises OSError."""
    for old in newest_first(files)[beyond:]:
        old.unlink(missing_ok=True)
