"""For the tests that start, kill and look for the embedded Redis. It starts none itself."""

import fcntl
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from tests.support.patience import PATIENCE_S


@contextmanager
def no_redis_left_in(folder: Path) -> Iterator[Path]:
    """Fails if a Redis still uses `folder` at the end, and kills it."""
    yield folder
    left = redis_lives(folder)
    if left:
        os.kill(pid_of_redis(f"unix://{folder}/redis.sock?db=0"), signal.SIGKILL)
    assert not left, "the test left a Redis behind"


def redis_lives(folder: Path) -> bool:
    if not folder.exists():
        return False
    with (folder / "redis.lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def starts(folder: Path) -> int:
    return (folder / "redis.log").read_text().count(" is starting")


@contextmanager
def connected(url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(url, decode_responses=True) as client:
        yield client


def pid_of_redis(url: str) -> int:
    with connected(url) as client:
        return int(client.info("server")["process_id"])


def put(url: str, key: str, value: str) -> None:
    with connected(url) as client:
        client.set(key, value)


def get(url: str, key: str) -> object:
    with connected(url) as client:
        return client.get(key)


@contextmanager
def sees_the_end_of_redis(folder: Path) -> Iterator[None]:
    """Returns from the block once the Redis that answered before it is gone."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(PATIENCE_S)
        line.connect(str(folder / "redis.sock"))
        line.sendall(b"PING\r\n")
        assert line.recv(16) == b"+PONG\r\n"
        yield
        assert line.recv(1) == b""


def kill_redis(folder: Path, url: str) -> None:
    pid = pid_of_redis(url)
    with sees_the_end_of_redis(folder):
        os.kill(pid, signal.SIGKILL)


def append_only_file(folder: Path) -> Path:
    """The end of the log: one file up to Redis 6, the last of several from Redis 7 on."""
    return max(folder.rglob("appendonly*.aof"))
