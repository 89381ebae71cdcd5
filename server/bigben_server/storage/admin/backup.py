"""Copies the append-only files of a Redis that may be running, and may rewrite them meanwhile."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.embedded.folder import RECORD, sync

_SINGLE: Final = "appendonly.aof"
"""All of it before Redis 7."""
_FOLDER: Final = "appendonlydir"
"""From Redis 7 on, and in Valkey: a manifest, and the files that it lists."""
_TRIES: Final = 100
"""A rewrite changes the manifest twice, and takes longer than opening the files."""
_OLD = re.compile(rb"^file .* type h\n", re.MULTILINE)
"""The line of a file that the last rewrite has replaced."""
_LISTED = re.compile(rb"^file (\S+) seq \d+ type [bi]$", re.MULTILINE)

_Files = dict[Path, tuple[BinaryIO, int]]
"""By the name that each gets, and how many bytes of it are copied."""


Show = Callable[[int, int], None]


def _silent(_done: int, _of: int) -> None:
    """Show nothing."""


def backup(source: Path, target: Path, show: Show = _silent) -> int:
    """Copy what Redis keeps in ``source`` to ``target``, a new data folder; returns its bytes.

    Everything that was acknowledged before the call is in the copy. Redis only appends to its files
    or replaces them, so a file that was opened keeps its bytes, whatever happens to its name.
    ``show`` is told how many bytes are copied, and of how many; what it raises ends the copy.
    Raises OSError, and NotDone if there is nothing to copy.
    """
    if target.exists():
        raise NotDone(f"{target} exists already; choose another name")
    part = target.with_name(f"{target.name}.part")  # a backup that was killed may have left it
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    try:
        with ExitStack() as stack:
            files = _opened(source, stack)
            done, of = 0, sum(size for _, size in files.values())
            for name, (file, size) in files.items():
                for copied in _copied(file, size, part / name):
                    done += copied
                    show(done, of)
        if (about := source / RECORD).is_file():
            text = about.read_bytes()
            sum(_copied(BytesIO(text), len(text), part / RECORD))
        for folder in {(part / name).parent for name in files}:
            sync(folder)
        part.rename(target)
        sync(target.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return sum(size for _, size in files.values())


def _opened(source: Path, stack: ExitStack) -> _Files:
    """Files that belong together, as they are at one moment; ``stack`` closes them."""
    manifest = source / _FOLDER / f"{_SINGLE}.manifest"
    for _ in range(_TRIES):
        try:
            if not manifest.exists():
                file = stack.enter_context((source / _SINGLE).open("rb"))
                return {Path(_SINGLE): (file, _size(file))}
            text, files = manifest.read_bytes(), _Files()
            for listed in _LISTED.findall(text):
                name = Path(_FOLDER, os.fsdecode(listed))
                file = stack.enter_context((source / name).open("rb"))
                files[name] = (file, _size(file))
            if manifest.read_bytes() == text:  # so no rewrite began or ended meanwhile
                kept = _OLD.sub(b"", text)
                return {**files, manifest.relative_to(source): (BytesIO(kept), len(kept))}
        except FileNotFoundError:
            if not manifest.exists() and not (source / _SINGLE).exists():
                break
    raise NotDone(f"{source} has no append-only file of Redis; is it the folder of its data?")


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size


def _copied(file: BinaryIO, size: int, target: Path) -> Iterator[int]:
    """Copy the first ``size`` bytes: what follows was acknowledged later. Gives those of a step."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
        while size and (some := file.read(min(size, 1 << 20))):
            size -= copy.write(some)
            yield len(some)
        copy.flush()
        os.fsync(copy.fileno())
