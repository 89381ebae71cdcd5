"""Servers on data of an older and of a newer version than theirs."""

import shutil
from pathlib import Path

import pytest
from benchmarks.servers import ServerDied
from tests.processes.playing import client, serving
from tests.server.redis_processes import connected
from tests.support.paths import ROOT

from bigben_server.race.events import VERSION
from bigben_server.storage.embedded import EmbeddedRedis

STORED = ROOT / "tests/compatibility/recorded_0_1_0/stored"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of what 0.1.0 stored."""
    data = Path(shutil.copytree(STORED, tmp_path / "data"))
    data.chmod(0o700)  # which git does not keep
    return data


async def test_data_of_0_1_0_are_raised_and_newer_data_refused_with_one_sentence(
    data: Path,
) -> None:
    async with serving(data) as server, client(server, "Ada") as ada:
        assert (await ada.create(game="clock")).rules.game == "clock"
        with connected(server.redis_url) as redis:
            assert redis.get("bb:{schema}") == str(VERSION)
            assert redis.hlen("bb:{schema}:readers") == 1
    async with EmbeddedRedis(data) as url:
        with connected(url) as redis:
            assert redis.hlen("bb:{schema}:readers") == 0, "the server has left"
            redis.set("bb:{schema}", VERSION + 1)
    with pytest.raises(ServerDied) as died:
        async with serving(data):
            pass
    said = str(died.value).splitlines()
    assert said[-1] == (
        f"bigben serve: The data are of version {VERSION + 1}, and this program reads them up to "
        f"version {VERSION}: use the version of Big Ben that wrote them, or a later one."
    )
