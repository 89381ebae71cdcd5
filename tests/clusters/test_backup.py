"""A backup made under load, and while Redis rewrites its files, has every acknowledged move."""

import asyncio
import random
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import pytest
from benchmarks.chaos_players import Player, Tally, all_move, playing
from redis.exceptions import RedisError
from tests.clusters.redis_setups import Node, alone
from tests.processes.playing import serving
from tests.support.paths import ROOT

from bigben_protocol import PlayerId, RaceId
from bigben_server.config import Settings
from bigben_server.ops.admin import admin
from bigben_server.storage.admin.backup import backup
from bigben_server.storage.opening import opened

OLD_DATA = ROOT / "tests/compatibility/recorded_0_1_0/stored"
"""What Redis 6.2 wrote."""
BACKUPS = 3
Moves = dict[tuple[str, str], list[tuple[int, str]]]
"""Acknowledged moves by race and player."""


@pytest.mark.timeout(180)
async def test_a_backup_under_load_has_every_move_that_was_acknowledged_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tally, kept = Tally(), list[Moves]()
    async with alone(tmp_path) as redis:
        monkeypatch.setenv("BIGBEN_REDIS_URL", redis.url)
        async with (
            serving(tmp_path / "data") as server,
            playing([server.url], 6, random.Random(1), tally) as players,
        ):
            rewriting = asyncio.create_task(rewrite_for_ever(redis))
            for number in range(BACKUPS):
                await all_move(players)
                kept.append(acknowledged(players))
                arguments = [
                    "backup",
                    str(tmp_path / f"{number}"),
                    "--files",
                    str(tmp_path / "redis"),
                ]
                assert await asyncio.to_thread(admin, arguments) == 0
            rewriting.cancel()
    assert tally.faults == []
    for number in range(BACKUPS):
        restored = tmp_path / f"restored {number}"
        restored.mkdir()
        (tmp_path / f"{number}").rename(restored / "redis")
        async with alone(restored) as redis:
            assert await missing(redis, kept[number]) == {}


async def rewrite_for_ever(redis: Node) -> None:
    """One rewrite of the files after the other, until cancelled."""
    while True:
        with suppress(RedisError):  # one is running
            await redis.ask("BGREWRITEAOF")
        await asyncio.sleep(0.05)


def acknowledged(players: list[Player]) -> Moves:
    return {
        (race, player.client.player): deepcopy(moves)
        for player in players
        for race, moves in player.games.items()
    }


async def missing(redis: Node, kept: Moves) -> Moves:
    """The moves that are not in this Redis."""
    async with opened(Settings(redis_url=redis.url)) as store:
        return {
            (race, player): moves
            for (race, player), moves in kept.items()
            if [
                entry.move
                for entry in await store.entries(RaceId(race), PlayerId(player))
                if entry.n > 0
            ][: len(moves)]
            != [move for _, move in moves]
        }


def test_the_single_file_of_redis_6_is_copied_as_it_is(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    backup(OLD_DATA, copy)
    assert (copy / "appendonly.aof").read_bytes() == (OLD_DATA / "appendonly.aof").read_bytes()
    assert admin(["--data", str(copy), "check"]) == 0, "it is a data folder"


def test_nothing_is_copied_from_a_folder_without_data_or_over_another_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BIGBEN_REDIS_URL", raising=False)
    data, copy, empty = (tmp_path / name for name in ("data", "copy", "empty"))
    data.mkdir(mode=0o700)
    empty.mkdir()
    assert admin(["--data", str(data), "backup", str(copy)]) == 0
    assert copy.stat().st_mode & 0o777 == 0o700
    assert admin(["--data", str(copy), "check"]) == 0, "it is a data folder"
    assert admin(["--data", str(data), "backup", str(copy)]) == 1
    assert "exists already" in capsys.readouterr().err
    arguments = ["backup", str(tmp_path / "other"), "--files", str(empty)]
    assert admin(["--data", str(data), *arguments]) == 1
    assert "has no append-only file" in capsys.readouterr().err
    assert not (tmp_path / "other.part").exists()
