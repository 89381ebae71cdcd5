"""A real server for the tests of the terminal, with its own Redis and folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.server_process import PLATFORMS, serving

from bigben_terminal.language import choose


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as long as the tests."""
    with serving(tmp_path_factory.mktemp("server"), PLATFORMS) as server:
        yield server.url


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The language of the tests, whatever that of the machine is."""
    choose("en")
    yield
    choose("")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A state folder without a token, so its player is new."""
    return tmp_path / "state"
