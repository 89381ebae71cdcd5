"""The fixtures of the Matrix tests: a homeserver for all, and people with accounts there."""

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.matrix.people import People
from tests.matrix.proxy import Proxy, proxied
from tests.matrix.running import KEY
from tests.matrix.synapse import INSTALLED, MISSING, Synapse, synapse
from tests.support.server_process import UNHURRIED, ServerProcess, serving


@pytest.fixture(scope="session")
def homeserver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synapse]:
    """A homeserver without rate limits. Other tests use it too: a restart must leave it running."""
    if not INSTALLED:
        pytest.skip(MISSING)
    with synapse(tmp_path_factory.mktemp("synapse")) as one:
        yield one


@pytest.fixture(scope="module")
def strict_homeserver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synapse]:
    """A homeserver with the rate limits of production."""
    if not INSTALLED:
        pytest.skip(MISSING)
    with synapse(tmp_path_factory.mktemp("strict"), limited=True) as one:
        yield one


@pytest.fixture
async def people(homeserver: Synapse) -> AsyncIterator[People]:
    """Makes people who have accounts on the homeserver."""
    async with People(homeserver) as all_of_them:
        yield all_of_them


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server with a real Redis, which knows the bot's key, and that of one on Discord."""
    keys = {f"BIGBEN_ISSUER_{platform}_KEY": KEY for platform in ("MATRIX", "DISCORD")}
    settings = {**UNHURRIED, **keys}
    with serving(tmp_path_factory.mktemp("server"), settings) as one:
        yield one
        assert one.complaints() == []


@pytest.fixture
async def proxy(homeserver: Synapse) -> AsyncIterator[Proxy]:
    """Between the bot and that homeserver."""
    async with proxied(homeserver.url) as one:
        yield one
