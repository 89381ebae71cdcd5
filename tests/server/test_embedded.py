"""The embedded Redis and one process that uses it."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import redis.asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry
from tests.server.redis_processes import (
    append_only_file,
    connected,
    get,
    kill_redis,
    no_redis_left_in,
    pid_of_redis,
    put,
    redis_lives,
    starts,
)

from bigben_server.storage.embedded import EmbeddedRedis, RedisFailed


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with no_redis_left_in(tmp_path / "data") as folder:
        yield folder


async def test_the_data_survive_a_restart(folder: Path) -> None:
    async with EmbeddedRedis(folder) as url:
        put(url, "bb:key", "kept")
    assert not redis_lives(folder)
    async with EmbeddedRedis(folder) as url:
        assert get(url, "bb:key") == "kept"
    assert starts(folder) == 2


async def test_the_url_fits_the_asyncio_client(folder: Path) -> None:
    async with EmbeddedRedis(folder) as url, redis.asyncio.from_url(url) as client:
        assert url == f"unix://{folder}/redis.sock?db=0"
        assert await client.ping()


async def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    odd = tmp_path / "{ä} %41?#'\"\\x"
    async with EmbeddedRedis(odd) as url:
        put(url, "bb:key", "kept")
    async with EmbeddedRedis(odd) as url:
        assert get(url, "bb:key") == "kept"
    assert not redis_lives(odd)


async def test_redis_syncs_every_write_and_listens_on_no_port(folder: Path) -> None:
    promised = {
        "appendonly": "yes",
        "appendfsync": "always",
        "aof-load-truncated": "yes",
        "aof-use-rdb-preamble": "yes",
        "save": "",
        "port": "0",
    }
    async with EmbeddedRedis(folder) as url:
        with connected(url) as client:
            said = {name: client.config_get(name) for name in promised}
    assert said == {name: {name: value} for name, value in promised.items()}


async def test_ensure_and_close_may_be_repeated_in_any_order(folder: Path) -> None:
    embedded = EmbeddedRedis(folder)
    await embedded.close()
    url = await embedded.ensure()
    first = pid_of_redis(url)
    assert set(await asyncio.gather(embedded.ensure(), embedded.ensure())) == {url}
    assert pid_of_redis(url) == first
    await embedded.close()
    await embedded.close()
    assert not redis_lives(folder)
    assert await embedded.ensure() == url
    await embedded.close()
    assert starts(folder) == 2


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The system's folder for temporary files; nothing may be left in it."""
    with tempfile.TemporaryDirectory(prefix="t") as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)
        assert os.listdir(name) == []


@pytest.mark.parametrize("length", [103, 104])
async def test_a_socket_name_of_any_length_works(
    tmp_path: Path, temporary: Path, length: int
) -> None:
    """The longest that the kernel takes, and one byte more."""
    begin = tmp_path / "é" / "redis.sock"
    folder = tmp_path / ("é" + "x" * (length - len(os.fsencode(begin))))
    assert len(os.fsencode(folder / "redis.sock")) == length
    async with EmbeddedRedis(folder) as url:
        assert url.startswith(f"unix://{temporary}/") == (length == 104)
        put(url, "bb:key", "kept")
    async with EmbeddedRedis(folder) as url:
        assert get(url, "bb:key") == "kept"
    assert not redis_lives(folder)


async def test_a_very_long_name_is_reached_through_a_private_folder(
    tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / ("x" * 200) / ("y" * 200)
    async with EmbeddedRedis(folder) as url, EmbeddedRedis(folder) as same:
        (private,) = os.listdir(temporary)
        assert url == same == f"unix://{temporary}/{private}/redis.sock?db=0"
        assert os.lstat(temporary / private).st_mode & 0o777 == 0o700
        assert get(url, "bb:key") is None
    assert not redis_lives(folder)


async def test_the_private_folder_exists_for_a_user_who_comes_while_the_last_one_leaves(
    tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / ("x" * 200)
    last, next_one = EmbeddedRedis(folder), EmbeddedRedis(folder)
    pid = pid_of_redis(await last.ensure())
    os.kill(pid, signal.SIGSTOP)

    async def let_redis_go_on() -> None:
        os.kill(pid, signal.SIGCONT)

    _, url, _ = await asyncio.gather(last.close(), next_one.ensure(), let_redis_go_on())
    assert pid_of_redis(url) != pid
    await next_one.close()
    assert not redis_lives(folder)


async def test_a_private_folder_that_somebody_else_laid_out_is_refused(
    tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / ("x" * 200)
    async with EmbeddedRedis(folder):
        (private,) = os.listdir(temporary)
    os.symlink(tmp_path, temporary / private)
    with pytest.raises(RedisFailed, match="is a link and not a folder"):
        async with EmbeddedRedis(folder):
            pass
    os.unlink(temporary / private)


async def test_a_folder_for_temporary_files_with_a_long_name_is_of_no_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/" + "t" * 100)
    with pytest.raises(RedisFailed, match="both its name and that of the folder for temporary"):
        async with EmbeddedRedis(tmp_path / ("x" * 200)):
            pass


async def test_only_the_user_may_use_the_socket(folder: Path) -> None:
    async with EmbeddedRedis(folder):
        assert os.lstat(folder).st_mode & 0o777 == 0o700
        assert os.lstat(folder / "redis.sock").st_mode & 0o777 == 0o700
        assert os.lstat(append_only_file(folder)).st_mode & 0o077 == 0


async def test_a_link_to_the_folder_is_the_folder(folder: Path, tmp_path: Path) -> None:
    os.symlink(folder, tmp_path / "link")
    async with EmbeddedRedis(folder) as url, EmbeddedRedis(tmp_path / "link") as same:
        assert url == same


# Redis dies


async def test_every_acknowledged_write_survives_a_kill(folder: Path) -> None:
    acknowledged = 0
    enough = asyncio.Event()

    async def write(url: str) -> None:
        nonlocal acknowledged
        never_resend = Retry(NoBackoff(), 0)
        async with redis.asyncio.from_url(url, retry=never_resend) as client:
            while True:
                acknowledged = await client.incr("bb:count")
                if acknowledged >= 50:
                    enough.set()

    async with EmbeddedRedis(folder) as url:
        pid = pid_of_redis(url)
        writing = asyncio.create_task(write(url))
        await enough.wait()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(redis.ConnectionError):
            await writing
    async with EmbeddedRedis(folder) as url:
        count = get(url, "bb:count")
    # One more may have been written than was answered.
    assert count in (str(acknowledged), str(acknowledged + 1))


async def test_half_a_write_at_the_end_of_the_log_is_dropped(folder: Path) -> None:
    embedded = EmbeddedRedis(folder)
    async with embedded as url:
        put(url, "bb:first", "kept")
        put(url, "bb:second", "torn")
        kill_redis(folder, url)
        log = append_only_file(folder)
        os.truncate(log, log.stat().st_size - 3)
        await embedded.ensure()
        assert get(url, "bb:first") == "kept"
        assert get(url, "bb:second") is None


async def test_a_redis_that_is_stuck_is_reported_and_left_alone(folder: Path) -> None:
    async with EmbeddedRedis(folder) as url:
        pid = pid_of_redis(url)
        os.kill(pid, signal.SIGSTOP)
        hasty = EmbeddedRedis(folder, patience=0.1)
        with pytest.raises(RedisFailed, match=r"did not answer within 0\.1 seconds"):
            await hasty.ensure()
        await hasty.close()
        os.kill(pid, signal.SIGCONT)
        assert pid_of_redis(url) == pid


async def test_a_redis_that_does_not_stop_is_left_to_the_next_user(folder: Path) -> None:
    hasty = EmbeddedRedis(folder)
    url = await hasty.ensure()
    hasty.patience = 0.1
    pid = pid_of_redis(url)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(RedisFailed, match=r"did not stop within 0\.1 seconds"):
        await hasty.close()
    os.kill(pid, signal.SIGKILL)
    async with EmbeddedRedis(folder) as url:
        assert pid_of_redis(url) != pid
