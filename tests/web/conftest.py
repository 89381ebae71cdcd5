"""One browser and one server for all files."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from tests.support.server_process import PLATFORMS, UNHURRIED, ServerProcess, serving
from tests.web.chromium import BINARY, OPTIONS, PATIENCE_MS, check_there, person

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def _playwright() -> Iterator[tuple[Playwright, asyncio.AbstractEventLoop]]:
    check_there()
    with sync_playwright() as one:
        loop = asyncio.get_running_loop()
        yield one, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
def _chromium(_playwright: tuple[Playwright, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    playwright, loop = _playwright
    asyncio._set_running_loop(loop)
    with playwright.chromium.launch(executable_path=BINARY, args=OPTIONS) as one:
        yield one
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def playwright(
    _playwright: tuple[Playwright, asyncio.AbstractEventLoop],
) -> Iterator[Playwright]:
    """Playwright. Its own event loop runs in this thread as long as a file needs it.

    Between two calls Playwright says so to asyncio, and then no other loop can run here.
    """
    one, loop = _playwright
    asyncio._set_running_loop(loop)
    yield one
    asyncio._set_running_loop(None)


@pytest.fixture(scope="module")
def browser(playwright: Playwright, _chromium: Browser) -> Browser:
    """The browser that all files share."""
    return _chromium


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), {**UNHURRIED, **PLATFORMS}) as one:
        yield one
        assert one.complaints() == []


@pytest.fixture(scope="module")
def address(server: ServerProcess) -> str:
    """Where browsers find the server."""
    return server.url.replace("ws:", "http:")


@pytest.fixture(scope="module")
def idle(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which nobody does anything: the tests of a file ask the modules of its script."""
    with person(browser, address) as nobody:
        yield nobody.page()
