"""What the bot keeps in its file: there after a restart, for nobody else to read."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE

import pytest

from bigben_chat.records import GroupRecord, PendingBoard, PlayerRecord, Post
from bigben_chat.store import InUse, Store


def test_a_stored_value_is_there_after_a_restart(tmp_path: Path) -> None:
    first = Store(tmp_path / "bot.sqlite")
    first.put("guild", 7, GroupRecord(channel=8, time="09:15"))
    first.put("player", "7", PlayerRecord(race="K7QPXM", groups=(1, 2)))
    first.close()
    second = Store(tmp_path / "bot.sqlite")
    assert second.get("guild", 7, GroupRecord) == GroupRecord(channel=8, time="09:15")
    assert second.get("player", 7, PlayerRecord) == PlayerRecord(race="K7QPXM", groups=(1, 2))
    assert second.get("guild", 8, GroupRecord) is None
    second.close()


def test_a_value_is_replaced_and_dropped(tmp_path: Path) -> None:
    store = Store(tmp_path / "bot.sqlite")
    for race in ("one", "two"):
        store.put("post", 5, Post(race, 1, 5))
    assert list(store.all("post", Post)) == [("5", Post("two", 1, 5))]
    store.drop("post", 5)
    assert list(store.all("post", Post)) == []
    store.close()


def test_changes_that_belong_together_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path / "bot.sqlite")
    with store.transaction():
        store.put("post", 1, Post("one", 1, 1))
    with suppress(ZeroDivisionError), store.transaction():
        store.put("post", 2, Post("two", 1, 2))
        store.drop("post", 1)
        raise ZeroDivisionError
    assert list(store.all("post", Post)) == [("1", Post("one", 1, 1))]
    store.close()


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    Store(tmp_path / "new" / "bot.sqlite").close()
    (path,) = (tmp_path / "new").iterdir()
    assert S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    Store(tmp_path / "new" / "bot.sqlite").close()
    assert S_IMODE(path.stat().st_mode) == 0o600


def test_two_bots_do_not_share_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bigben_chat.store.PATIENCE_S", 0.05)
    first = Store(tmp_path / "bot.sqlite")
    with pytest.raises(InUse, match="another bot is using it"):
        Store(tmp_path / "bot.sqlite")
    first.put("guild", 1, GroupRecord())
    first.close()
    second = Store(tmp_path / "bot.sqlite")
    assert second.get("guild", 1, GroupRecord) == GroupRecord()
    second.close()


def test_a_value_of_another_version_is_ignored(tmp_path: Path) -> None:
    store = Store(tmp_path / "bot.sqlite")
    store.put("guild", 1, Post("race", 1, 1))
    store.put("post", 1, GroupRecord())
    store.put("post", 2, Post("race", 1, 2))
    assert store.get("guild", 1, GroupRecord) == GroupRecord(channel=1)
    assert list(store.all("post", Post)) == [("2", Post("race", 1, 2))]
    store.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.sqlite").write_text("not a database, but long enough to be read as one")
    with pytest.raises(sqlite3.DatabaseError):
        Store(tmp_path / "bot.sqlite")


def test_the_store_of_an_older_bot_is_read(tmp_path: Path) -> None:
    """The names of fields in the file are those of version 0.1.0."""
    written = {
        ("player", "7"): b'{"race":"K7QPXM","guilds":[1,2],"seen":"K7QPXM","races":["K7QPXM"]}',
        ("guild", "1"): b'{"channel":8,"time":"09:15","posted":"2026-11-21"}',
        ("wait", "7:K7QPXM"): b'{"user":7,"name":"Ada","guild":1,"race":"K7QPXM","token":"t",'
        b'"interaction":2,"message":3,"language":"de"}',
    }
    Store(tmp_path / "bot.sqlite").close()
    with sqlite3.connect(tmp_path / "bot.sqlite") as old:
        rows = [(*key, value) for key, value in written.items()]
        old.executemany("INSERT INTO kept VALUES (?, ?, ?)", rows)
    old.close()
    store = Store(tmp_path / "bot.sqlite")
    player = PlayerRecord("K7QPXM", groups=(1, 2), seen="K7QPXM", races=("K7QPXM",))
    assert store.get("player", 7, PlayerRecord) == player
    assert store.get("guild", 1, GroupRecord) == GroupRecord(8, time="09:15", posted="2026-11-21")
    pending = PendingBoard(7, "Ada", 1, "K7QPXM", "t", 2, 3, "de")
    assert store.get("wait", "7:K7QPXM", PendingBoard) == pending
    store.close()
