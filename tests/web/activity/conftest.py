"""One evening in Discord for a file, and one browser that finds it there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright
from tests.web.activity.aside import aside
from tests.web.activity.browsing import chromium
from tests.web.activity.evening import Evening, evening_in


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Discord, a server, the bot and both hosts."""
    with aside(lambda: evening_in(tmp_path_factory.mktemp("evening"))) as one:
        yield one


@pytest.fixture(scope="module")
def browser(playwright: Playwright, evening: Evening) -> Iterator[Browser]:
    """A Chromium for which that is Discord."""
    with chromium(playwright, evening.hosts.port) as one:
        yield one
