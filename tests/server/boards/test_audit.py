"""``bigben admin``'s audit log, its question before it does harm, and what it tells programs."""

import asyncio
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.boards.made import Season, player, won
from tests.server.redis_processes import no_redis_left_in
from tests.support.patience import PATIENCE_S

from bigben_server.ops.admin import admin
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

ADA = player("ada")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder of a server that is not running, with one day in it."""
    for name in os.environ:
        if name.startswith("BIGBEN_"):
            monkeypatch.delenv(name)

    async def play(folder: Path) -> None:
        async with EmbeddedRedis(folder) as url, client_of(url) as client:
            await Season(Store(client)).day("2026-11-21", {"ada": won(61_000), "bob": won(62_000)})

    with no_redis_left_in(tmp_path / "data") as folder:
        asyncio.run(play(folder))
        yield folder


def run(folder: Path, *words: str) -> int:
    return admin(["--data", str(folder), *words])


def audit(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    capsys.readouterr()
    assert run(folder, "--json", "audit") == 0
    entries: list[dict[str, object]] = json.loads(capsys.readouterr().out)["entries"]
    return entries


def test_what_changes_something_is_kept_with_who_did_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "check") == 0
    assert run(folder, "rename-player", player("bob"), "Robert") == 0
    assert run(folder, "rename-player", "guest:nobody", "X") == 1
    renamed, refused = audit(folder, capsys)
    assert renamed["command"] == "rename-player"
    assert renamed["arguments"] == {"player": player("bob"), "name": "Robert"}
    assert renamed["done"]
    assert "@" in str(renamed["by"])
    assert not refused["done"]
    assert refused["outcome"] == "there is no player guest:nobody with a result or an open race"
    assert run(folder, "audit") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert f"rename-player {player('bob')} Robert: {player('bob')} is called Robert" in first
    assert second.endswith("there is no player guest:nobody with a result or an open race")


def test_it_names_no_deleted_player(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "rename-player", ADA, "Ada the First") == 0
    assert run(folder, "delete-player", ADA) == 0
    renamed, deleted = audit(folder, capsys)
    assert ADA not in json.dumps([renamed, deleted])
    assert isinstance(deleted["arguments"], dict)
    assert str(deleted["arguments"]["player"]).startswith("deleted:")
    assert renamed["arguments"] == {**deleted["arguments"], "name": "Ada the First"}


def test_it_is_exported_and_imported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "rename-player", ADA, "Ada the First") == 0
    before = audit(folder, capsys)
    assert run(folder, "export", str(tmp_path / "everything")) == 0
    with no_redis_left_in(tmp_path / "other") as other:
        assert run(other, "import", str(tmp_path / "everything")) == 0
        assert audit(other, capsys) == before


async def test_entries_that_are_written_at_once_are_all_kept(tmp_path: Path) -> None:
    def entry(n: int) -> AuditEntry:
        return AuditEntry(n, "root@race1", "rename-player", {"player": f"guest:{n}"}, "", True)

    async with EmbeddedRedis(tmp_path / "data") as url, client_of(url) as client:
        log = Audit(Store(client))
        await asyncio.gather(*(log.add(entry(n)) for n in range(5)))
        assert sorted(one.at for one in await log.entries()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("typed", "code"), [(b"n\n", 1), (b"\n", 1), (b"y\n", 0)])
def test_on_a_terminal_it_asks_before_it_deletes(folder: Path, typed: bytes, code: int) -> None:
    ours, theirs = pty.openpty()
    words = ["--data", str(folder), "--json", "delete-player", ADA]
    with subprocess.Popen(
        [sys.executable, "-c", f"from bigben_server.ops.admin import *; exit(admin({words}))"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.write(ours, typed)
        out, said = process.communicate(timeout=PATIENCE_S)
    os.close(ours)
    os.close(theirs)
    assert f"Delete {ADA} for ever? [y/N]" in said
    assert process.returncode == code
    assert ("deleted_as" in out) == (code == 0)
    assert ("Nothing was done." in said) == (code == 1)
    assert "Traceback" not in said


def test_yes_may_stand_after_the_command_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "delete-player", ADA, "--yes", "--json") == 0
    assert json.loads(capsys.readouterr().out)["done"]
    assert run(folder, "--json", "delete-player", ADA) == 1
    said = json.loads(capsys.readouterr().out)
    assert said == {"done": False, "error": f"there is no player {ADA}"}


def test_it_shows_options_with_their_names_and_what_was_not_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "announce", "Hello", "--minutes", "5") == 0
    assert run(folder, "announce", "--withdraw") == 0
    assert run(folder, "ban", "203.0.113.7", "--minutes", "5") == 0
    assert run(folder, "unban", "203.0.113.8") == 1
    capsys.readouterr()
    assert run(folder, "audit") == 0
    said = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    assert said[0].startswith("announce Hello --minutes 5: Announced until ")
    assert "--withdraw: The announcement is withdrawn." in said[1]
    assert said[2:] == ["ban an address --minutes 5: done", "unban an address: not done"]
