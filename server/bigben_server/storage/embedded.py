"""The embedded Redis: one process for all servers that share a data folder.

Two files in the folder are locked with flock. The kernel releases a lock when the last process that
has the file open ends, so a kill -9 leaves nothing to clean up:

- `users.lock`: shared by every server that uses the folder; exclusive while the last stops Redis.
- `redis.lock`: taken to start Redis and inherited by it, so it is held exactly while Redis lives.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import os
import re
import socket
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import IO
from urllib.parse import quote

from bigben_server.storage.redis_server import RedisFailed, find_redis_server

PATIENCE = 30.0
"""Seconds of silence after which Redis counts as stuck. Loading a long log is not silence."""

_POLL = 0.02
_ANSWER = 1.0
_ROOM = 1 << 20
_LONGEST_SOCKET_NAME = 103
"""The kernel's limit in bytes: 107 on Linux, 103 on macOS."""

# The socket and the log are relative to the data folder, whose full path may be too long for a
# socket. A kill -9 during a write leaves half a command, which was never acknowledged.
_OPTIONS = (
    "--port 0 --unixsocket redis.sock --unixsocketperm 700 --logfile redis.log --appendonly yes"
    " --appendfsync always --aof-load-truncated yes --aof-use-rdb-preamble yes --daemonize no"
)


class EmbeddedRedis:
    """One user of the Redis in `folder`, which is created if it is missing.

    Use `async with EmbeddedRedis(folder) as url`; or call ensure(), and close() in any case.
    """

    def __init__(self, folder: Path, *, patience: float = PATIENCE) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.patience = patience
        self._log = self.folder / "redis.log"
        self._users: IO[bytes] | None = None
        self._name: Path | None = None
        self._turn = asyncio.Lock()

    async def ensure(self) -> str:
        """The URL of a Redis that answers. Starts Redis if none runs. Raises RedisFailed.

        Call it again if the connection is lost: one of the users that do so starts Redis again,
        with everything that was ever acknowledged.
        """
        async with self._turn:
            with self._problems_explained():
                make_private(self.folder)
                self._users = self._users or await self._join()
                self._name = _reachable_name(self.folder)
                await self._until_answered(self._name)
            return f"unix://{quote(str(self._name))}?db=0"

    async def close(self) -> None:
        """Stop using Redis. The last user stops it and returns when it has ended.

        Raises RedisFailed if it does not end; it then keeps running for the next user.
        """
        async with self._turn:
            if self._users is None:
                return
            users, self._users = self._users, None
            with users, self._problems_explained():
                if _lock(users, fcntl.LOCK_EX):
                    await self._stop()

    async def __aenter__(self) -> str:
        try:
            return await self.ensure()
        except BaseException:
            await self.close()
            raise

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _join(self) -> IO[bytes]:
        users = (self.folder / "users.lock").open("ab")
        try:
            deadline = monotonic() + self.patience
            while not _lock(users, fcntl.LOCK_SH):  # Somebody is stopping Redis.
                if monotonic() > deadline:
                    raise self._stuck("stop")
                await asyncio.sleep(_POLL)
        except BaseException:
            users.close()
            raise
        return users

    async def _until_answered(self, name: Path) -> None:
        ours: subprocess.Popen[bytes] | None = None
        log_begins = self._log.stat().st_size if self._log.exists() else 0
        deadline = monotonic() + self.patience
        while True:
            answer = await _ask(name, "PING")
            if answer.startswith("-LOADING"):
                deadline = monotonic() + self.patience
            elif answer:
                return
            elif ours is None:
                ours = self._start()
            elif ours.poll() is not None:
                raise RedisFailed(
                    f"Redis did not start in {self.folder}: {self._last_words(log_begins)} "
                    f"Put that right ({self._log} says more), or choose another "
                    "data folder, or set BIGBEN_REDIS_URL."
                )
            if monotonic() > deadline:
                raise self._stuck("answer")
            await asyncio.sleep(_POLL)

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start Redis. None if one runs already, which is about to answer or to end.

        This blocks the event loop for some milliseconds, so that no cancellation comes between lock
        and process. Without Redis there is nothing else to do.
        """
        with (self.folder / "redis.lock").open("ab") as lock:
            if not _lock(lock, fcntl.LOCK_EX):
                return None
            server = find_redis_server()
            if server.version < (7,) and (self.folder / "appendonlydir").exists():
                # An older Redis looks for its data in another place and would start empty.
                raise RedisFailed(
                    f"The data in {self.folder} were written by Redis 7 or newer and the newest "
                    f"redis-server found is {server.path}: install Redis 7 or newer."
                )
            _prove_room(self.folder)
            with self._log.open("ab") as log:
                # Not asyncio's subprocess: it kills its child when the event loop ends, and this
                # one may have other users. Its own session keeps a Ctrl-C from reaching it.
                process = subprocess.Popen(
                    [server.path, "--dir", self.folder, *_OPTIONS.split(), "--save", ""],
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[lock.fileno()],
                    start_new_session=True,
                    umask=0o077,
                )
        # Reaps the process when it ends. Nothing waits for the thread.
        threading.Thread(target=process.wait, name="redis-server", daemon=True).start()
        return process

    async def _stop(self) -> None:
        deadline = monotonic() + self.patience
        with (self.folder / "redis.lock").open("ab") as lock:
            while not _lock(lock, fcntl.LOCK_EX):
                if monotonic() > deadline:
                    raise self._stuck("stop")
                self._name = _reachable_name(self.folder)
                # Without a dump; the append-only file is complete.
                await _ask(self._name, "SHUTDOWN NOSAVE")
                await asyncio.sleep(_POLL)
        if self._name and self._name.parent != self.folder:
            with contextlib.suppress(OSError):
                self._name.unlink()
                self._name.parent.rmdir()

    @contextlib.contextmanager
    def _problems_explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise RedisFailed(
                f"Redis cannot keep its data in {self.folder}: {problem.strerror or problem}. "
                "Put that right, or choose another data folder, or set BIGBEN_REDIS_URL."
            ) from problem

    def _stuck(self, verb: str) -> RedisFailed:
        return RedisFailed(
            f"The Redis in {self.folder} did not {verb} within {self.patience:g} seconds: see "
            f"{self._log}, end the process and try again. Nothing acknowledged is lost by that."
        )

    def _last_words(self, begin: int) -> str:
        with self._log.open("rb") as log:
            log.seek(begin)
            lines = log.read().decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "it did not say why")
        # Without process id and time: "12:M 01 Jan 2025 00:00:00.000 # Bad file format …".
        return re.sub(r"^\d+:\w .{24} \S ", "", last).strip().rstrip(".") + "."


def _reachable_name(folder: Path) -> Path:
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
    with contextlib.suppress(FileExistsError):
        short.symlink_to(name)
    return short


def make_private(folder: Path) -> None:
    """Create `folder` with mode 0700, or check that it is already private.

    An empty folder that we own gets mode 0700. A folder with something in it is refused: a mistake
    such as naming /tmp or a home folder must not lock everybody else out. A symbolic link is
    refused, because its owner could change it later.

    Raises OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(f"{folder} is a link and not a folder")
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user (uid {found.st_uid})")
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        if any(folder.iterdir()):
            raise PermissionError(
                f"other users can enter {folder}, which is not empty (`chmod 700` closes it)"
            )
        folder.chmod(0o700)


def _prove_room(folder: Path) -> None:
    """Raises OSError on a full disk, on which Redis would start and fail at the first write."""
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(bytes(_ROOM))
        probe.flush()
        os.fsync(probe.fileno())


async def _ask(name: Path, command: str) -> str:
    """The first line of Redis's answer, or "" if nothing answers."""
    loop = asyncio.get_running_loop()
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.setblocking(False)
            async with asyncio.timeout(_ANSWER):
                await loop.sock_connect(line, str(name))
                await loop.sock_sendall(line, command.encode() + b"\r\n")
                answer = await loop.sock_recv(line, 512)
    except OSError:  # TimeoutError is one.
        return ""
    return answer.decode(errors="replace").partition("\r\n")[0]


def _lock(file: IO[bytes], kind: int) -> bool:
    """Lock `file` without waiting, and return whether it worked. Replaces its earlier lock."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
