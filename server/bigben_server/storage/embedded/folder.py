"""The data folder: only its owner may enter it, and only a program that reads its data opens it."""

import errno
import hashlib
import logging
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bigben_server.storage.embedded.programs import (
    RedisFailed,
    RedisServer,
    Release,
    installed,
    release_of,
)

_log = logging.getLogger(__name__)

RECORD = "written-by"
"""The file that names the last program that opened the data, such as "Valkey 9.1.2"."""

_ROOM = 1 << 20
_HEADER = 200
_LONGEST_SOCKET_NAME = 103
"""The kernel's limit in bytes: 107 on Linux, 103 on macOS."""


def server_for(folder: Path) -> RedisServer:
    """The program that is to open the data now, which is recorded in the folder.

    It is the newest that reads the data, of the kind that wrote them if it is installed. If it is
    of the other kind, the data are copied first. Call this with the lock of the store. Raises
    OSError, and RedisFailed if no installed program reads the data.
    """
    written = written_by(folder)
    found = [server for server in installed() if all(map(server.release.reads, written))]
    if not found:
        raise RedisFailed(_unreadable(folder, written))
    _prove_room(folder)
    names = [release.name for release in written]
    server = max(found, key=lambda server: (server.release.name in names, server.release))
    if names and server.release.name not in names:
        copy = _keep_copy(folder, server.release, written[0])
        _log.warning(
            "%s opens the data in %s, which %s wrote. They were copied to %s first: delete the copy"
            " when you no longer want to go back.",
            *(server.release, folder, written[0], copy),
        )
    _record(folder, server.release)
    return server


def written_by(folder: Path) -> list[Release]:
    """Each release of which a program must read the data; empty if there are none.

    It is recorded since 0.2.0. What 0.1.0 or a copied backup brought is known by its files.
    """
    written = []
    with suppress(FileNotFoundError):
        recorded = re.match(r"(\w+) (\d+(?:\.\d+)*)", _text(folder / RECORD))
        if recorded:
            written.append(release_of(recorded[1], recorded[2]))
    manifest = folder / "appendonlydir" / "appendonly.aof.manifest"
    if manifest.is_file():
        # "file appendonly.aof.1.base.rdb seq 1 type b"
        base = re.search(r"^file (\S+) seq \d+ type b", _text(manifest), re.MULTILINE)
        named = base and _release_in(manifest.with_name(base[1]))
        # Without a name these are plain commands, as all versions write them.
        written.append(named or Release("Redis", (7, 0)))
    elif (single := folder / "appendonly.aof").is_file():
        written.append(_release_in(single) or Release("Redis", (6, 2)))
    return list(dict.fromkeys(written))


def _release_in(file: Path) -> Release | None:
    """What the header of an RDB file names. None for a file of commands."""
    with suppress(FileNotFoundError), file.open("rb") as opened:
        header = opened.read(_HEADER)
        # The byte between them is the length of the version.
        stated = re.search(rb"(redis|valkey)-ver.(\d+(?:\.\d+)+)", header, re.DOTALL)
        if header.startswith((b"REDIS", b"VALKEY")) and stated:
            return release_of(stated[1].decode(), stated[2].decode())
    return None


def _text(file: Path) -> str:
    return file.read_text(errors="replace")


def _unreadable(folder: Path, written: Sequence[Release]) -> str:
    found = [server.release for server in installed()]
    unread = [each for each in written if not any(release.reads(each) for release in found)]
    writer = (unread or written)[0]
    return (
        f"The data in {folder} were written by {writer}, and no program that reads them was found, "
        f"only {' and '.join(map(str, found))}: install {writer.name} "
        f"{'.'.join(map(str, writer.version[:2]))} or newer, or export the data where it is "
        "installed (`bigben admin --data FOLDER export FILE`) and import them here (`bigben admin "
        "--data NEW-FOLDER import FILE`)."
    )


def _prove_room(folder: Path) -> None:
    """Raises OSError on a full disk, where Redis would start, and fail at the first write."""
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(bytes(_ROOM))
        probe.flush()
        os.fsync(probe.fileno())


def _keep_copy(folder: Path, opener: Release, writer: Release) -> Path:
    """Copy the data to a folder in `folder`, which `writer` can open as its data folder."""
    files = [*folder.glob("appendonly.aof"), *folder.glob("appendonlydir/*")]
    size = sum(file.stat().st_size for file in files)
    if shutil.disk_usage(folder).free < size + _ROOM:
        what = f"{opener} needs {size + _ROOM} free bytes for a copy of them before it opens them"
        raise OSError(errno.ENOSPC, what)
    name = f"before-{opener.name.lower()}-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    part = folder / "copying"  # What a kill left of it is no copy.
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(mode=0o700)
        for file in files:
            copy = part / file.relative_to(folder)
            copy.parent.mkdir(mode=0o700, exist_ok=True)
            sync(Path(shutil.copy(file, copy)))
            sync(copy.parent)
        _record(part, writer)
        return part.rename(folder / name)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _record(folder: Path, release: Release) -> None:
    new = folder / f"{RECORD}.new"
    new.write_text(f"{release}\n")
    sync(new)
    new.rename(folder / RECORD)
    sync(folder)


def sync(path: Path) -> None:
    """Have the kernel write a file or the names in a folder to the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def reachable_name(folder: Path) -> Path:
    """Where to connect. A socket with a long path gets a symbolic link with a short one.

    Only call this as a user of Redis: the last user removes the link.
    """
    name = folder / "redis.sock"
    if len(os.fsencode(name)) <= _LONGEST_SOCKET_NAME:
        return name
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    short = Path(tempfile.gettempdir(), f"bigben-{digest}", "redis.sock")
    if len(os.fsencode(short)) > _LONGEST_SOCKET_NAME:
        raise OSError("both its name and that of the folder for temporary files are too long")
    # Anybody may have made that folder before us; make_private refuses it unless we own it.
    make_private(short.parent)
    with suppress(FileExistsError):
        short.symlink_to(name)
    return short


def make_private(folder: Path) -> None:
    """Create `folder` with mode 0700, or check that it is already private.

    An empty folder that we own gets mode 0700. A folder with something in it is refused: a mistake
    such as naming /tmp or a home folder must not lock everybody else out. A symbolic link is
    refused, because its owner could change it later. Raises OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(f"{folder} is a link and not a folder")
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user (uid {found.st_uid})")
    if found.st_mode & 0o077:
        if any(folder.iterdir()):
            raise PermissionError(
                f"other users can enter {folder}, which is not empty (`chmod 700` closes it)"
            )
        folder.chmod(0o700)
