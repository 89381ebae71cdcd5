"""A browser and a server for each file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.web.chromium import BINARY, OPTIONS, PATIENCE_MS, check_there

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for longer: while it is open, Playwright's own event loop runs here, and no other can.
    check_there()
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=BINARY, args=OPTIONS) as one,
    ):
        yield one


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), UNHURRIED) as one:
        yield one
        assert one.complaints() == []


@pytest.fixture
def address(server: ServerProcess) -> str:
    """Where browsers find the server."""
    return server.url.replace("ws:", "http:")
