"""What the bot keeps in its file: there after a restart, for nobody else to read."""

import sqlite3
from pathlib import Path
from stat import S_IMODE

import pytest

from bigben_chat.store import Guild, InUse, Memory, Player, Post


def test_what_is_put_is_there_after_a_restart(tmp_path: Path) -> None:
    first = Memory(tmp_path)
    first.put("guild", 7, Guild(channel=8, time="09:15"))
    first.put("player", "7", Player(race="K7QPXM", guilds=(1, 2)))
    first.close()
    second = Memory(tmp_path)
    assert second.get("guild", 7, Guild) == Guild(channel=8, time="09:15")
    assert second.get("player", 7, Player) == Player(race="K7QPXM", guilds=(1, 2))
    assert second.get("guild", 8, Guild) is None
    second.close()


def test_a_value_is_replaced_and_dropped(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    for race in ("one", "two"):
        memory.put("post", 5, Post(race, 1, 5))
    assert list(memory.all("post", Post)) == [("5", Post("two", 1, 5))]
    memory.drop("post", 5)
    assert list(memory.all("post", Post)) == []
    memory.close()


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    Memory(tmp_path / "new").close()
    (path,) = (tmp_path / "new").iterdir()
    assert S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    Memory(tmp_path / "new").close()
    assert S_IMODE(path.stat().st_mode) == 0o600


def test_two_bots_do_not_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bigben_chat.store.PATIENCE_S", 0.05)
    first = Memory(tmp_path)
    with pytest.raises(InUse, match="another bot is using it"):
        Memory(tmp_path)
    first.put("guild", 1, Guild())
    first.close()
    second = Memory(tmp_path)
    assert second.get("guild", 1, Guild) == Guild()
    second.close()


def test_what_another_version_wrote_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    memory.put("guild", 1, Post("race", 1, 1))
    memory.put("post", 1, Guild())
    memory.put("post", 2, Post("race", 1, 2))
    assert memory.get("guild", 1, Guild) == Guild(channel=1)
    assert list(memory.all("post", Post)) == [("2", Post("race", 1, 2))]
    memory.close()


def test_a_file_that_is_no_memory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "discord.sqlite").write_text("not a database, but long enough to be read as one")
    with pytest.raises(sqlite3.DatabaseError):
        Memory(tmp_path)
