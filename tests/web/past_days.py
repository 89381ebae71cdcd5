"""Dailies of past days with results made by hand, beside a running server. No tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page
from tests.server.boards.made import Season
from tests.support.server_process import ServerProcess

from bigben_server.scoring.results import Result
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store


def days_ago(days: int) -> str:
    return str((datetime.now(UTC) - timedelta(days=days)).date())


def make_days(server: ServerProcess, days: dict[str, dict[str, Result]]) -> None:
    """Record the results of each day by player, oldest day first, and settle them."""

    async def made() -> None:
        async with client_of(server.redis_url) as client:
            season = Season(Store(client))
            for day in sorted(days):
                await season.day(day, days[day])

    # Playwright's own event loop runs in this thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, made()).result()


def who_plays(page: Page) -> str:
    """The id of the player of this page, once the server knows them."""
    page.wait_for_function("() => localStorage.getItem('bigben.players')")
    token: str = page.evaluate("() => localStorage.getItem('bigben.token')")
    return str(page.evaluate("(token) => JSON.parse(atob(token.split('.')[1])).sub", token))
