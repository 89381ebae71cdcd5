"""Browsers that take the stand-in for Discord, and know no other host."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Frame, Page, Playwright
from tests.web.chromium import BINARY, OPTIONS, PATIENCE_MS


@contextmanager
def chromium(playwright: Playwright, port: int) -> Iterator[Browser]:
    """A Chromium for which this port of this machine is Discord."""
    rules = f"MAP discord.com 127.0.0.1:{port},MAP *.discordsays.com 127.0.0.1:{port}"
    options = [*OPTIONS, f"--host-resolver-rules={rules}", "--ignore-certificate-errors"]
    with playwright.chromium.launch(executable_path=BINARY, args=options) as browser:
        yield browser


def frame_in(page: Page) -> Frame:
    """What is in the frame of Discord's page, once it is there."""
    page.frame_locator("iframe").locator("body").wait_for(state="attached", timeout=PATIENCE_MS)
    frame = page.frames[1]
    frame.wait_for_load_state()
    return frame
