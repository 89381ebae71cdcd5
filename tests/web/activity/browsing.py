"""Browsers that take the stand-in for Discord, and know no other host."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, Frame, Page, Playwright
from tests.web.activity.evening import Evening
from tests.web.activity.hosts import Place
from tests.web.chromium import BINARY, OPTIONS, PATIENCE_MS, person

DISCORD: Final = "https://discord.com"


@contextmanager
def chromium(playwright: Playwright, port: int) -> Iterator[Browser]:
    """A Chromium for which this port of this machine is Discord."""
    rules = f"MAP discord.com 127.0.0.1:{port},MAP *.discordsays.com 127.0.0.1:{port}"
    options = [*OPTIONS, f"--host-resolver-rules={rules}", "--ignore-certificate-errors"]
    with playwright.chromium.launch(executable_path=BINARY, args=options) as browser:
        yield browser


def frame_in(page: Page) -> Frame:
    """What is in the frame of Discord's page, once it has loaded."""
    frame = page.frames[1]
    frame.wait_for_url("https://*.discordsays.com/**", timeout=PATIENCE_MS)
    return frame


def reload(frame: Frame) -> None:
    """Load what is in the frame again, as its user may."""
    with frame.page.expect_event("framenavigated"):
        frame.evaluate("void setTimeout(() => location.reload())")


@contextmanager
def shown(
    browser: Browser,
    evening: Evening,
    place: Place,
    *,
    size: tuple[int, int] = (480, 740),
    server_goes: bool = False,
) -> Iterator[Frame]:
    """What somebody with a browser of their own sees in this frame; nothing may go wrong there."""
    viewport = {"width": size[0], "height": size[1]}
    origin = evening.hosts.origin
    with person(
        browser, DISCORD, besides=origin, server_goes=server_goes, viewport=viewport
    ) as one:
        yield frame_in(one.page(place.path))
        assert place.partner.wrong == []
