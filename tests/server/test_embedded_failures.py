"""An embedded Redis that cannot start, and the sentence that the operator reads."""

import asyncio
import os
import re
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.redis_processes import (
    append_only_file,
    kill_redis,
    no_redis_left_in,
    put,
)
from tests.support.patience import PATIENCE_S

from bigben_server.storage.embedded import EmbeddedRedis, RedisFailed


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with no_redis_left_in(tmp_path / "data") as folder:
        yield folder


async def test_a_spoilt_log_is_not_overwritten(folder: Path) -> None:
    async with EmbeddedRedis(folder) as url:
        put(url, "bb:key", "kept")
    log = append_only_file(folder)
    log.write_bytes(b"spoilt\r\n" * 3)
    with pytest.raises(RedisFailed, match=r"did not start in .*: Bad file format .*redis\.log"):
        async with EmbeddedRedis(folder):
            pass
    assert log.read_bytes() == b"spoilt\r\n" * 3


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("echo 'No luck'", "No luck"),
        ("echo 'No luck' >&2", "No luck"),
        ("exit 3", "it did not say why"),
    ],
)
async def test_the_last_words_of_redis_are_passed_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, words: str
) -> None:
    async with EmbeddedRedis(folder):
        pass  # So that the file of its words is not empty.
    write_program(
        tmp_path / "valkey-server",
        f"if [ $1 = --version ]; then echo 'Valkey server v=99.0.0'; else {end}; fi",
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RedisFailed, match=rf"did not start in .*: {words}\. Put that right"):
        async with EmbeddedRedis(folder):
            pass


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (9, "SIGKILL, most likely by the system, because memory was full"),
        (15, "SIGTERM, by somebody, or by what manages services here"),
        (11, "SIGSEGV, probably after a mistake of its own, which its log reports"),
    ],
)
async def test_a_store_that_is_killed_while_it_loads_names_signal_reason_and_figures(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    """Its last words, which say what it was doing, are no reason."""
    async with EmbeddedRedis(folder):
        pass
    loading = "echo 'RDB is base AOF'; "
    version = "if [ $1 = --version ]; then echo 'Valkey server v=99.0.0'; else "
    write_program(tmp_path / "valkey-server", f"{version}{loading}kill -{number} $$; fi")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RedisFailed) as failed:
        async with EmbeddedRedis(folder):
            pass
    assert f"did not start in {folder}: it was killed by {words}; its files have 0 MiB, and" in str(
        failed.value
    )
    assert re.search(
        r"may use [\d.]+ [GM]iB of the [\d.]+ [GM]iB of memory here", str(failed.value)
    )


async def test_a_store_that_is_killed_in_use_is_logged_with_the_likely_reason(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with EmbeddedRedis(folder) as url:
        kill_redis(folder, url)
        async with asyncio.timeout(PATIENCE_S):
            while not caplog.messages:  # noqa: ASYNC110  # a thread logs it
                await asyncio.sleep(0.02)
    (line,) = caplog.messages
    assert line.startswith("The store ended: it was killed by SIGKILL, most likely by the system")


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()  # Not even root makes a folder in a file.
    with pytest.raises(RedisFailed, match=r"cannot keep its data in .*/file/data: Not a directory"):
        await EmbeddedRedis(tmp_path / "file" / "data").ensure()


async def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").touch()
    os.chmod(tmp_path, 0o755)
    with pytest.raises(RedisFailed, match=r"other users can enter .*set BIGBEN_REDIS_URL\."):
        await EmbeddedRedis(tmp_path).ensure()


async def test_a_disk_that_takes_no_more_is_noticed_before_the_first_write(folder: Path) -> None:
    """The limit on a file's size stands for the full disk: the same write fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(RedisFailed, match=r"cannot keep its data in .*: File too large\."):
            async with EmbeddedRedis(folder):
                pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "redis.log" not in os.listdir(folder), "Redis was not even started"


def write_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
