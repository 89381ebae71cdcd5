"""The data of a folder: who wrote them, who may open them, and the copy that is kept of them."""

import logging
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.redis_processes import connected, no_redis_left_in, put
from tests.support.paths import ROOT

from bigben_server.storage.embedded import EmbeddedRedis, RedisFailed, find_redis_server
from bigben_server.storage.embedded.folder import RECORD, written_by
from bigben_server.storage.embedded.programs import Release

OLD_DATA = ROOT / "tests/compatibility/recorded_0_1_0/stored"
"""A data folder of 0.1.0: one file, which Redis 6.2 wrote."""


@pytest.fixture(autouse=True)
def only_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with no_redis_left_in(tmp_path / "data") as folder:
        yield folder


@pytest.fixture
def old_folder(folder: Path) -> Path:
    shutil.copytree(OLD_DATA, folder)
    folder.chmod(0o700)
    return folder


def on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    """Put the wheel's program on PATH under the name of Redis, as this version of it."""
    real = find_redis_server().path
    script = folder / "redis-server"
    script.write_text(
        f"#!/bin/sh\nif [ $1 = --version ]; then echo 'Redis server v={version}'\n"
        f"else exec '{real}' \"$@\"; fi\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def recorded(folder: Path, writer: str) -> Path:
    """A folder that names this program as its writer, without data."""
    folder.mkdir(mode=0o700)
    (folder / RECORD).write_text(f"{writer}\n")
    return folder


def unrecorded(folder: Path, header: bytes) -> None:
    """A folder whose data begin with this header."""
    folder.mkdir(mode=0o700)
    log = folder / "appendonlydir"
    log.mkdir(mode=0o700)
    (log / "appendonly.aof.1.base.rdb").write_bytes(header)
    manifest = log / "appendonly.aof.manifest"
    manifest.write_text("file appendonly.aof.1.base.rdb seq 1 type b\n")


def lasting(url: str) -> set[str]:
    """The keys that do not expire."""
    with connected(url) as redis:
        return {str(key) for key in redis.scan_iter() if redis.ttl(key) == -1}


def written(folder: Path) -> dict[Path, int]:
    """When each file of the folder was last written, but for the locks."""
    paths = [path for path in folder.rglob("*") if path.suffix != ".lock"]
    return {path: path.stat().st_mtime_ns for path in paths}


async def refuses_and_changes_nothing(folder: Path, sentence: str) -> None:
    before = written(folder)
    with pytest.raises(RedisFailed, match=sentence):
        async with EmbeddedRedis(folder):
            pass
    assert written(folder) == before


def copies(folder: Path) -> list[Path]:
    return sorted(folder.glob("before-valkey-*"))


async def test_a_new_folder_records_which_program_wrote_it(folder: Path) -> None:
    async with EmbeddedRedis(folder):
        assert (folder / RECORD).read_text() == f"{find_redis_server().release}\n"
    assert written_by(folder) == [find_redis_server().release]


async def test_data_of_the_old_default_open_and_a_copy_of_them_is_kept(
    old_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = (old_folder / "appendonly.aof").read_bytes()
    assert written_by(old_folder) == [Release("Redis", (6, 2))]
    async with EmbeddedRedis(old_folder) as url:
        keys = lasting(url)
        assert len(keys) > 10
        put(url, "bb:new", "kept")
    async with EmbeddedRedis(old_folder) as url:
        assert lasting(url) == {*keys, "bb:new"}
    (copy,) = copies(old_folder)
    assert (copy / "appendonly.aof").read_bytes() == before
    assert (copy / RECORD).read_text() == "Redis 6.2\n"
    assert copy.stat().st_mode & 0o777 == 0o700
    (said,) = [record.getMessage() for record in caplog.records if record.levelno > logging.INFO]
    assert f"Redis 6.2 wrote. They were copied to {copy} first" in said
    assert written_by(old_folder)[0].name == "Valkey"


async def test_the_copy_is_a_data_folder(old_folder: Path) -> None:
    async with EmbeddedRedis(old_folder) as url:
        keys = lasting(url)
        put(url, "bb:new", "not in the copy")
    (copy,) = copies(old_folder)
    async with EmbeddedRedis(copy) as url:
        assert lasting(url) == keys


async def test_a_copy_that_does_not_fit_is_not_begun(
    old_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(old_folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 20))
    await refuses_and_changes_nothing(
        old_folder, r"cannot keep its data in .*: Valkey 9\.\S+ needs \d+ free bytes for a copy"
    )


async def test_a_disk_that_is_full_in_the_middle_of_the_copy_leaves_no_half_of_it(
    old_folder: Path,
) -> None:
    """The limit on a file's size stands for the full disk: the same write fails."""
    with (old_folder / "appendonly.aof").open("ab") as log:
        log.write(b"*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$2000000\r\n" + bytes(2_000_000) + b"\r\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, before[1]))
    try:
        await refuses_and_changes_nothing(old_folder, "cannot keep its data in .*: File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_what_a_kill_left_of_a_copy_is_removed(old_folder: Path) -> None:
    (old_folder / "copying").mkdir()
    (old_folder / "copying" / "appendonly.aof").write_text("half")
    async with EmbeddedRedis(old_folder):
        assert not (old_folder / "copying").exists()
    assert len(copies(old_folder)) == 1


async def test_data_that_no_program_here_reads_are_left_alone(folder: Path) -> None:
    recorded(folder, "Redis 8.4.0")
    await refuses_and_changes_nothing(
        folder,
        r"were written by Redis 8\.4\.0, and no program that reads them was found, only Valkey "
        r"9\.\S+: install Redis 8\.4 or newer, or export the data where it is installed "
        r"\(`bigben admin --data FOLDER export FILE`\) and import them here "
        r"\(`bigben admin --data NEW-FOLDER import FILE`\)\.$",
    )


@pytest.mark.parametrize(
    ("header", "writer"),
    [
        (b"REDIS0012\xfa\x09redis-ver\x058.0.2\xfa", r"Redis 8\.0\.2"),
        (b"VALKEY999\xfa\x0avalkey-ver\x0a99.10.100\xfa", r"Valkey 99\.10\.100"),
    ],
)
async def test_data_without_a_record_name_their_writer_themselves(
    folder: Path, header: bytes, writer: str
) -> None:
    """As 0.1.0 left them, with a newer Redis on PATH, or as they come from a backup."""
    unrecorded(folder, header)
    await refuses_and_changes_nothing(folder, f"were written by {writer}, and no program")


@pytest.mark.parametrize(
    ("writer", "installed", "opener", "copied"),
    [
        ("Redis 7.0.15", "7.2.4", "Redis 7.2.4", False),
        ("Redis 8.0.2", "8.4.0", "Redis 8.4.0", False),
        ("Redis 7.2.0", "7.0.15", "Valkey", True),
        ("Valkey 9.1.0", "99.0.0", "Valkey", False),
    ],
)
async def test_newer_is_compared_only_within_the_program_that_wrote(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    writer: str,
    installed: str,
    opener: str,
    copied: bool,
) -> None:
    recorded(folder, writer)
    on_path(tmp_path, monkeypatch, installed)
    async with EmbeddedRedis(folder):
        assert (folder / RECORD).read_text().startswith(opener)
    assert len(copies(folder)) == copied
