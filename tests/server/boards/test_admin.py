"""``bigben admin``: what the operator types, and the sentence that comes back."""

import asyncio
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.server.boards.made import Season, player, won
from tests.server.redis_processes import no_redis_left_in
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, Group, PlayerId, RaceId
from bigben_server.leaderboards.queries import Queries
from bigben_server.ops import check
from bigben_server.ops.admin import admin
from bigben_server.ops.long_work import SILENT, Progress, pool_for
from bigben_server.race.daily import daily_named, opened
from bigben_server.race.events import (
    BEGIN,
    NOTHING,
    Entry,
    Joined,
    RoomAppend,
    SeatAppend,
    SeatStatus,
)
from bigben_server.scoring.boards import Board
from bigben_server.storage.admin import dump
from bigben_server.storage.admin.backup import backup
from bigben_server.storage.admin.checkpoint import Checkpoint
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.exchange import Command
from bigben_server.storage.keys import Keys
from bigben_server.storage.opening import client_of
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Pool

KEYS = Keys()
BOARD = Board("daily", "2026-11-21", "bigben", "standard", "key")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("BIGBEN_"):
            monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The data folder of a server that is not running, with one day in it."""
    with no_redis_left_in(tmp_path / "data") as folder:
        asyncio.run(_play(folder))
        yield folder


async def _play(folder: Path) -> None:
    async with EmbeddedRedis(folder) as url, client_of(url) as client:
        store = Store(client)
        await Season(store).day("2026-11-21", {"ada": won(61_000), "bob": won(62_000)})
        await store.ask(("DEL", KEYS.board(BOARD.name)))


def names(folder: Path) -> list[str]:
    """Who is on the day's board."""

    async def read() -> list[str]:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            queries = Queries(Store(client), clock=lambda: NOON)
            return [row.name for row in (await queries.leaderboard("", GetLeaderboard())).rows]

    return asyncio.run(read())


def run(folder: Path, *words: str | Path) -> int:
    return admin(["--data", str(folder), *map(str, words)])


def test_boards_are_rebuilt(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert names(folder) == []
    assert run(folder, "rebuild-boards") == 0
    assert "rebuilt from the results of 1 race." in capsys.readouterr().out
    assert names(folder) == ["Ada", "Bob"]


@pytest.mark.parametrize(
    "words", [["export", "backup"], ["rebuild-boards"], ["rename-player", "guest:x", "Ada"]]
)
def test_a_folder_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    typed = [str(tmp_path / word) if word == "backup" else word for word in words]
    assert run(tmp_path / "tada", *typed) == 1
    assert f"there is no data folder {tmp_path / 'tada'}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_everything_moves_to_another_redis(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "everything.jsonl"
    assert run(folder, "export", file) == 0
    assert "keep it private" in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with no_redis_left_in(tmp_path / "other") as other:
        assert run(other, "import", file) == 0
        assert names(other) == ["Ada", "Bob"]
        assert run(other, "export", tmp_path / "again.jsonl") == 0
        assert (tmp_path / "again.jsonl").read_bytes() == file.read_bytes()
        assert run(other, "import", file) == 1
        assert "This Redis is in use" in capsys.readouterr().err
    assert run(folder, "export", file) == 1
    assert "exists already; choose another name" in capsys.readouterr().err


DAILY = RaceId("daily.2026-11-21.bigben.standard")
ADA = PlayerId("guest:ada")
SEAT = KEYS.seat_log(DAILY, ADA)


async def _live_room(store: Store) -> None:
    """A daily that Ada has begun, and in which she has made a move."""
    first = opened(daily_named(DAILY, NOON), b"secret")
    joined = Joined(ADA, "Ada", NOON)
    await store.append([RoomAppend(DAILY, 1, first), RoomAppend(DAILY, 2, joined)], {DAILY: NOON})
    status = SeatStatus("playing", 1, 12, 9, 0, NOON)
    await store.append([SeatAppend(DAILY, ADA, Entry(0, NOON, BEGIN), status, NOTHING)], {})
    await store.append([SeatAppend(DAILY, ADA, Entry(1, 9, "turn"), status, 0)], {})


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        pytest.param(
            ("XADD", KEYS.room_log(DAILY), "3-0", "3", '{"type":"new"}'),
            "bb:{daily.2026-11-21.bigben.standard}:room: Invalid value 'new'",
            id="event",
        ),
        pytest.param(
            ("XADD", KEYS.room_log(DAILY), "5-0", "5", '{"type":"closed","at":1}'),
            "bb:{daily.2026-11-21.bigben.standard}:room: event 3 is missing before event 5",
            id="event that is missing",
        ),
        pytest.param(
            ("XADD", SEAT, "4-0", "4", "99 turn", "is", f"4 12 0 9 {NOON} playing"),
            ":seat:guest:ada: entries are missing before entry 4; ended after move 1",
            id="hole in a game",
        ),
        pytest.param(
            ("XADD", SEAT, "2-0", "2", "99 fly", "is", f"2 12 0 9 {NOON} playing"),
            ":seat:guest:ada: ",
            id="move that is none",
        ),
        pytest.param(
            ("SET", KEYS.room_log(DAILY), "?"), "another kind of value is there", id="kind"
        ),
        pytest.param(
            ("HSET", KEYS.results(DAILY), player("ada"), "?"), ":results guest:ada: ", id="result"
        ),
        pytest.param(
            ("HSET", KEYS.history(player("bob")), DAILY, "?"), "bb:history:guest:bob", id="past"
        ),
        pytest.param(
            ("ZADD", KEYS.agenda, 1, b"\xff"), "there is no such race: b'\\xff'", id="agenda"
        ),
        pytest.param(
            ("ZADD", KEYS.closed, 1, "K7QPXM"), "no such race: b'K7QPXM'", id="closed race"
        ),
    ],
)
def test_a_check_names_what_is_damaged(
    folder: Path, capsys: pytest.CaptureFixture[str], spoil: Command, named: str
) -> None:
    async def ask(*commands: Command) -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            await Store(client).ask(*commands)

    async def begin() -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            await _live_room(Store(client))

    asyncio.run(begin())
    assert run(folder, "check") == 0
    assert capsys.readouterr().out == "Everything can be read, and holds together: 1 race.\n"
    asyncio.run(ask(*([("DEL", spoil[1])] if spoil[0] == "SET" else []), spoil))
    assert run(folder, "check") == 1
    said = capsys.readouterr()
    (line,) = said.out.splitlines()
    assert named in line
    assert "bigben admin: 1 damaged; everything else can be read" in said.err


def test_a_race_that_was_not_opened_before_a_server_stopped_is_no_damage(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its place on the agenda is written before its log, and nobody has been told of it."""

    async def write(*command: str | int) -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            await Store(client).ask(command)

    asyncio.run(write("ZADD", KEYS.agenda, NOON, "daily.2026-11-22.bigben.standard"))
    assert run(folder, "check") == 0
    said = capsys.readouterr().out
    unopened = "Not opened, because a server was stopped just then: 1 race (daily.2026-11-22.bigben"
    assert unopened in said
    asyncio.run(
        write("HSET", KEYS.results(RaceId("daily.2026-11-22.bigben.standard")), "race", "{}")
    )
    assert run(folder, "check") == 1, "somebody has played in it, so its log is lost"
    assert "there is no such race: b'daily.2026-11-22.bigben.standard'" in capsys.readouterr().out


async def test_other_processes_find_the_same_damage_in_many_games(
    store: Store, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question has few seats here, so several are asked."""
    await _live_room(store)
    for n in range(7):
        await dump.copy_race(store, DAILY, RaceId(f"COPY{n:02}"), NOON)
    hole = ("XADD", KEYS.seat_log(RaceId("COPY03"), ADA), "4-0", "4", "99 turn")
    await store.ask((*hole, "is", f"4 12 0 9 {NOON} playing"))
    await store.ask(("XADD", KEYS.room_log(RaceId("COPY05")), "9-0", "9", "?"))
    monkeypatch.setattr(check, "_SEATS", 2)
    here = [str(one) async for one in check.damaged(store, SILENT)]
    monkeypatch.setattr(check, "_FEW", 0)
    store.url = redis_url
    assert [str(one) async for one in check.damaged(store, SILENT)] == here
    assert [one.partition("}")[0] for one in here] == ["bb:{COPY05", "bb:{COPY03"]
    assert "entries are missing before entry 4; ended after move 1" in here[1]


class Interrupted(Progress):
    """Ends a command when it shows that it has done as much as this."""

    def __init__(self, done: int) -> None:
        super().__init__()
        self.done = done
        self.shown: list[tuple[str, int, int]] = []

    def show(self, what: str, done: int, of: int) -> None:
        self.shown.append((what, done, of))
        if done >= self.done:
            raise KeyboardInterrupt


async def test_a_check_that_was_interrupted_goes_on_and_names_the_same_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _live_room(store)
    for n in range(7):
        await dump.copy_race(store, DAILY, RaceId(f"COPY{n:02}"), NOON)
    for race in ("COPY01", "COPY06"):
        await store.ask(("XADD", KEYS.room_log(RaceId(race)), "9-0", "9", "?"))
    whole = [str(one) async for one in check.damaged(store, SILENT)]
    monkeypatch.setattr(check, "_RACES", 2)
    with pytest.raises(KeyboardInterrupt):
        async for _ in check.damaged(store, Interrupted(done=4)):
            pass
    checkpoint, goes_on = Checkpoint(store), Interrupted(done=100)
    await checkpoint.resume()
    found = [str(one) async for one in check.damaged(store, goes_on, checkpoint=checkpoint)]
    assert found == whole, "COPY01 was damaged and is read again, with COPY04 and those after it"
    assert goes_on.shown[:3] == [("Races", done, 5) for done in (0, 2, 4)]
    checkpoint = Checkpoint(store)
    await checkpoint.resume()
    assert not checkpoint.upto, "the next check begins anew"


def test_a_backup_that_was_interrupted_leaves_nothing_and_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "appendonly.aof").write_bytes(bytes(3 << 20))
    copy = tmp_path / "copy"
    (tmp_path / "copy.part").mkdir()  # of one that was killed
    with pytest.raises(KeyboardInterrupt):
        backup(tmp_path, copy, partial(Interrupted(done=2 << 20).show, "Backup"))
    assert [file.name for file in tmp_path.iterdir()] == ["appendonly.aof"]
    shown = Interrupted(done=4 << 20)
    assert backup(tmp_path, copy, partial(shown.show, "Backup")) == 3 << 20
    assert shown.shown == [("Backup", done << 20, 3 << 20) for done in (1, 2, 3)]
    assert (copy / "appendonly.aof").read_bytes() == bytes(3 << 20)


async def test_a_command_may_ask_for_as_much_as_many_cores_can_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Quick(Pool):
        async def _keep_answering(self) -> None:
            while True:
                *_, question = await self._queue.get()
                question.answer.set_result(0)

    monkeypatch.setattr("bigben_server.ops.long_work.Pool", Quick)
    async with pool_for(2, few=1) as pool:
        assert {*await asyncio.gather(*(pool.ask(len, "") for _ in range(300)))} == {0}


def test_no_server_starts_on_an_import_that_is_not_complete(folder: Path) -> None:
    async def begin() -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            await Store(client).ask(("SET", "bb:importing", "a file"))

    asyncio.run(begin())
    command = [sys.executable, "-m", "bigben_server.cli", "--port", "0", "--data", str(folder)]
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = subprocess.run(command, env=path, capture_output=True, text=True, timeout=PATIENCE_S)
    assert ended.returncode == 1
    assert "bigben serve: An import into this Redis is not complete" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_players_are_renamed_and_deleted(folder: Path) -> None:
    assert run(folder, "rebuild-boards") == 0
    assert run(folder, "rename-player", player("bob"), "Robert") == 0
    assert names(folder) == ["Ada", "Robert"]
    assert run(folder, "delete-player", player("ada")) == 0
    assert names(folder) == ["deleted player", "Robert"]


def test_a_group_is_deleted_with_its_boards(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def make() -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            aces = Group("aces", "Aces", "23456789")
            assert await People(Store(client)).create(player("ada"), aces, NOON)
            await Store(client).ask(("ZADD", "bb:board:{daily.2026-11-21.x.y@aces}", 1, "ada"))

    async def left() -> list[str]:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            return [key async for key in dump.keys_there(Store(client)) if "aces" in key]

    asyncio.run(make())
    assert run(folder, "delete-group", "discord:1") == 1
    assert "belongs to discord" in capsys.readouterr().err
    assert run(folder, "delete-group", "aces") == 0
    assert "1 player had been in it" in capsys.readouterr().out
    assert asyncio.run(left()) == []
    assert run(folder, "delete-group", "aces") == 1
    assert "there is no group aces" in capsys.readouterr().err


def test_a_race_that_cannot_be_read_is_named_when_a_player_was_deleted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def damage(told: str) -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            await Store(client).ask(("DEL", "bb:{X}:room"), ("SET", "bb:{X}:room", told))

    asyncio.run(damage(f"of {player('ada')}"))
    assert run(folder, "delete-player", player("ada")) == 1
    said = capsys.readouterr().err
    assert "guest:ada is named in a race that can't be read (bb:{X}:room: another kind" in said
    asyncio.run(damage("of nobody"))
    assert run(folder, "delete-player", player("ada")) == 0
    said = capsys.readouterr().out
    assert "guest:ada is gone; their results are those of deleted:" in said
    assert "left as it is: bb:{X}:room: another kind of value is there.\nNone of it holds" in said
    assert "delete the player again" in said


def on_disk(folder: Path) -> bytes:
    """All that the append-only file of this folder says; from Redis 7 on it is several."""
    return b"".join(f.read_bytes() for f in folder.rglob("appendonly.aof*") if f.is_file())


def test_the_append_only_file_names_no_deleted_player(folder: Path) -> None:
    assert b"guest:ada" in on_disk(folder)
    assert run(folder, "delete-player", player("ada")) == 0
    # The random part of the new id may have these letters.
    assert b"ada" not in re.sub(rb"deleted:guest-\w{16}", b"", on_disk(folder).lower())
    assert run(folder, "rebuild-boards") == 0
    assert names(folder) == ["deleted player", "Bob"], "all else is still there"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["rename-player", "guest:nobody", "X"], "there is no player guest:nobody"),
        (["rename-player", "guest:bob", "\u202e"], "direction characters"),
        (["delete-player", "guest:nobody"], "there is no player guest:nobody"),
        (["import", "missing.jsonl"], "No such file"),
        (["import", "/dev/null"], "/dev/null is not a file; an import reads a file twice"),
    ],
)
def test_a_command_that_fails_prints_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], text: str
) -> None:
    assert run(folder, *words) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("bigben admin: ")
    assert text in said.err


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{}", b'{"format": 1}\n'])
def test_a_file_that_is_not_an_export_is_not_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with no_redis_left_in(tmp_path / "data") as empty:
        assert run(empty, "import", file) == 1
    assert "xport" in capsys.readouterr().err


def test_the_folder_may_also_stand_after_the_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert admin(["find", "ada", "--data", str(folder)]) == 0
    assert player("ada") in capsys.readouterr().out


@pytest.mark.parametrize(("command", "code"), [("check", 0), ("restored", 1)])
def test_a_store_without_races_is_perhaps_not_the_one_that_was_meant(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    code: int,
) -> None:
    monkeypatch.setenv("BIGBEN_PREFIX", "other")
    assert run(folder, command) == code
    said = capsys.readouterr()
    assert "no race has a key that begins with other:. Check --data" in said.out + said.err
