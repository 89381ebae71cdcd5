"""An outside Redis that wants a password, and the sentence that the operator reads without it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.redis_processes import connected

from bigben_server.storage.client import StoreLost
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a Redis whose password is sesame."""
    async with EmbeddedRedis(tmp_path / "data") as url:
        with connected(url) as redis:
            redis.config_set("requirepass", "sesame")
            yield url
            redis.config_set("requirepass", "")


@pytest.mark.parametrize("user", ["", ":simsim@"])
async def test_a_missing_or_wrong_password_is_said_without_it(url: str, user: str) -> None:
    async with client_of(url.replace("unix://", f"unix://{user}")) as client:
        with pytest.raises(StoreLost) as lost:
            await Store(client).ping()
    assert str(lost.value) == "its password is missing or wrong"


async def test_the_right_password_lets_in(url: str) -> None:
    async with client_of(url.replace("unix://", "unix://:sesame@")) as client:
        await Store(client).ping()
