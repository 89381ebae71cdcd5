"""One embedded Redis and several processes that use it, come, go and are killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.redis_processes import (
    get,
    kill_redis,
    no_redis_left_in,
    pid_of_redis,
    put,
    redis_lives,
    sees_the_end_of_redis,
    starts,
)
from tests.support.patience import PATIENCE_S

import bigben_server

SERVER_ROOT = Path(bigben_server.__file__).parents[1]

USER = """
import asyncio, sys
from pathlib import Path
from bigben_server.storage.embedded import EmbeddedRedis

async def main():
    embedded = EmbeddedRedis(Path(sys.argv[1]))
    print("here", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(await embedded.ensure(), flush=True)
    await embedded.close()

asyncio.run(main())
"""


class User:
    """Another process that uses a data folder."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", USER, str(folder)],
            env={**os.environ, "PYTHONPATH": str(SERVER_ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.hear() == "here"

    def ask(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("ensure\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def ensure(self) -> str:
        self.ask()
        return self.hear()

    def turn_to_leave(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def leave(self) -> tuple[int, str]:
        """How it ended and what it complained about."""
        self.turn_to_leave()
        assert self.process.stderr
        return self.process.wait(timeout=PATIENCE_S), self.process.stderr.read()

    def die(self) -> None:
        with self.process:
            self.process.kill()


LEFT_IN_PEACE = (0, "")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with no_redis_left_in(tmp_path / "data") as folder:
        yield folder


@pytest.fixture
def join(folder: Path) -> Iterator[Callable[[], User]]:
    """Starts other users of the folder; those still there at the end are killed."""
    with ExitStack() as ends:

        def start() -> User:
            user = User(folder)
            ends.callback(user.die)
            return user

        yield start


def test_the_last_to_leave_stops_redis(folder: Path, join: Callable[[], User]) -> None:
    first, second = join(), join()
    url = first.ensure()
    assert second.ensure() == url
    pid = pid_of_redis(url)
    assert first.leave() == LEFT_IN_PEACE
    assert pid_of_redis(url) == pid
    with sees_the_end_of_redis(folder):
        assert second.leave() == LEFT_IN_PEACE
    assert not redis_lives(folder)
    assert not (folder / "redis.sock").exists()


def test_users_who_come_at_the_same_moment_share_one_redis(
    folder: Path, join: Callable[[], User]
) -> None:
    users = [join() for _ in range(4)]
    for user in users:
        user.ask()
    assert len({user.hear() for user in users}) == 1
    assert starts(folder) == 1
    assert [user.leave() for user in users] == [LEFT_IN_PEACE] * 4


def test_users_who_leave_at_the_same_moment_leave_no_redis(
    folder: Path, join: Callable[[], User]
) -> None:
    users = [join() for _ in range(3)]
    for user in users:
        user.ensure()
    with sees_the_end_of_redis(folder):
        for user in users:
            user.turn_to_leave()
        assert [user.leave() for user in users] == [LEFT_IN_PEACE] * 3


def test_a_user_who_comes_while_the_last_one_leaves_has_a_redis(
    folder: Path, join: Callable[[], User]
) -> None:
    last, next_one = join(), join()
    put(last.ensure(), "bb:key", "kept")
    next_one.ask()
    assert last.leave() == LEFT_IN_PEACE
    assert get(next_one.hear(), "bb:key") == "kept"
    assert next_one.leave() == LEFT_IN_PEACE


def test_redis_outlives_an_owner_who_is_killed(folder: Path, join: Callable[[], User]) -> None:
    owner = join()
    url = owner.ensure()
    pid = pid_of_redis(url)
    owner.die()
    assert redis_lives(folder)

    next_one = join()
    assert next_one.ensure() == url
    assert pid_of_redis(url) == pid
    assert next_one.leave() == LEFT_IN_PEACE
    assert not redis_lives(folder)


def test_ctrl_c_in_the_terminal_of_one_user_does_not_reach_redis(
    folder: Path, join: Callable[[], User]
) -> None:
    starter, other = join(), join()
    url = starter.ensure()
    other.ensure()
    pid = pid_of_redis(url)
    os.killpg(starter.process.pid, signal.SIGINT)
    assert starter.leave() != LEFT_IN_PEACE
    assert pid_of_redis(url) == pid
    assert other.leave() == LEFT_IN_PEACE
    assert "SIGINT" not in (folder / "redis.log").read_text()


def test_a_killed_redis_is_started_once_and_has_its_data(
    folder: Path, join: Callable[[], User]
) -> None:
    users = [join() for _ in range(3)]
    (url,) = {user.ensure() for user in users}
    put(url, "bb:key", "kept")
    kill_redis(folder, url)
    assert (folder / "redis.sock").exists(), "the dead socket that is to be no obstacle"
    for user in users:
        user.ask()
    assert {user.hear() for user in users} == {url}
    assert starts(folder) == 2
    assert get(url, "bb:key") == "kept"
    (code, said), *others = [user.leave() for user in users]
    assert said.startswith("The store ended: it was killed by SIGKILL"), "who started it knows why"
    assert [(code, ""), *others] == [LEFT_IN_PEACE] * 3


def test_owner_and_redis_killed_together_lose_nothing(
    folder: Path, join: Callable[[], User]
) -> None:
    owner = join()
    url = owner.ensure()
    put(url, "bb:key", "kept")
    kill_redis(folder, url)
    owner.die()
    next_one = join()
    assert get(next_one.ensure(), "bb:key") == "kept"
    assert next_one.leave() == LEFT_IN_PEACE
