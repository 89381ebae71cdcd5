"""The embedded store's process. It is Valkey or Redis, and called Redis here, as its protocol is.

Two files in the folder are locked with flock. The kernel releases a lock when the last process that
has the file open ends, so a kill -9 leaves nothing to clean up:

- `users.lock`: shared by every server that uses the folder; exclusive while the last stops Redis.
- `redis.lock`: taken to start Redis and inherited by it, so it is held exactly while Redis lives.
"""

import asyncio
import contextlib
import fcntl
import logging
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import IO
from urllib.parse import quote

from bigben_server.storage.embedded import memory
from bigben_server.storage.embedded.folder import make_private, reachable_name, server_for
from bigben_server.storage.embedded.programs import RedisFailed

_logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds of silence after which Redis counts as stuck. Loading a long log is not silence."""

_POLL = 0.02
_ANSWER = 1.0

# The socket and the log are relative to the data folder, whose full path may be too long for a
# socket. A kill -9 during a write leaves half a command, which was never acknowledged.
_OPTIONS = (
    "--port 0 --unixsocket redis.sock --unixsocketperm 700 --logfile redis.log --appendonly yes"
    " --appendfsync always --aof-load-truncated yes --aof-use-rdb-preamble yes --daemonize no"
    # A store that refuses writes says so. One that the system kills comes back and is killed again.
    " --maxmemory-policy noeviction"
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
        self._began: subprocess.Popen[bytes] | None = None
        """The Redis that this user has started, once it has answered."""
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
                name = reachable_name(self.folder)
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
                self._began = ours or self._began
                return
            elif ours is None:
                if ours := self._start():
                    deadline = monotonic() + self.patience  # Copying may have taken longer.
            elif ours.poll() is not None:
                raise RedisFailed(
                    f"The store did not start in {self.folder}: {self._why(ours, log_begins)}. "
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
            server = server_for(self.folder)
            limit = "--maxmemory", f"{memory.share(memory.allowed())}"
            with self._log.open("ab") as log:
                # Not asyncio's subprocess: it kills its child when the event loop ends, and this
                # one may have other users. Its own session keeps a Ctrl-C from reaching it.
                process = subprocess.Popen(
                    [server.path, "--dir", self.folder, *_OPTIONS.split(), "--save", "", *limit],
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[lock.fileno()],
                    start_new_session=True,
                    umask=0o077,
                )
        # Nothing waits for the thread.
        args = process, self._log.stat().st_size
        threading.Thread(target=self._reap, args=args, name="redis-server", daemon=True).start()
        return process

    def _reap(self, process: subprocess.Popen[bytes], log_begins: int) -> None:
        """Wait for the end of a Redis, and log why it came if it was in use."""
        if process.wait() and process is self._began:
            with contextlib.suppress(OSError):  # the folder is gone too
                _logger.error("The store ended: %s", self._why(process, log_begins))

    async def _stop(self) -> None:
        name = reachable_name(self.folder)
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
                f"The store cannot keep its data in {self.folder}: {problem.strerror or problem}. "
                "Put that right, or choose another data folder, or set BIGBEN_REDIS_URL."
            ) from problem

    def _stuck(self, verb: str) -> RedisFailed:
        return RedisFailed(
            f"The store in {self.folder} did not {verb} within {self.patience:g} seconds: see "
            f"{self._log}, end the process and try again. Nothing acknowledged is lost by that."
        )

    def _why(self, ended: subprocess.Popen[bytes], log_begins: int) -> str:
        """Why it ended: a signal that killed it, or else its last words."""
        if ended.returncode < 0:
            return memory.why_killed(-ended.returncode, self.folder)
        return self._last_words(log_begins)

    def _last_words(self, begin: int) -> str:
        said = self._log.read_bytes()[begin:].decode(errors="replace").strip()
        last = said.rpartition("\n")[2] or "it did not say why"
        # Without process id and time: "12:M 01 Jan 2025 00:00:00.000 # Bad file format …".
        return re.sub(r"^\d+:\w .{24} \S ", "", last).strip().rstrip(".")


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
