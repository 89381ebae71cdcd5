"""A race that the operator makes void says so on the page, and why."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.support.server_process import UNHURRIED, serving
from tests.web.chromium import person
from tests.web.hands import come_in, moved, see_result


def test_a_void_daily_says_why_beside_its_result(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, UNHURRIED) as server,
        person(browser, server.url.replace("ws:", "http:")) as ada,
    ):
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        why = "a card was there twice"
        run(server.data, "void", "daily", why)
        exception = page.locator(".exception")
        expect(exception).to_contain_text(f"its results count nowhere. {why}")
        see_result(page)
        expect(exception).to_be_visible()


def run(folder: Path, *words: str) -> None:
    """Run ``bigben admin`` beside Playwright, which has a loop of its own."""
    call = "import sys; from bigben_server.ops.admin import admin; sys.exit(admin(sys.argv[1:]))"
    subprocess.run([sys.executable, "-c", call, "--data", str(folder), *words], check=True)
