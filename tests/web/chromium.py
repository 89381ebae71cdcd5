"""Chromium, and people at it whose pages complain about whatever goes wrong. No tests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    WebSocket,
)
from tests.support.patience import PATIENCE_S

# The shell without a screen draws with a fifth of the CPU.
_USUAL = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
BINARY = os.environ.get("BIGBEN_CHROMIUM") or next(filter(os.path.exists, _USUAL), _USUAL[0])
OPTIONS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-gpu",
    "--no-first-run",
]
PATIENCE_MS = 1000 * PATIENCE_S
AWAY = ("WebSocket connection to", "Failed to load resource: net::ERR_")
"""What a browser itself says when a server is gone."""
PLAIN = (
    "An iframe which has both allow-scripts and allow-same-origin for its sandbox attribute",
    "The Cross-Origin-Opener-Policy header has been ignored",
    "Service Worker registration blocked by Playwright",
)
"""What it says of Discord's frames, of pages over plain http from another host, and of `person`."""


def check_there() -> None:
    """Raises FileNotFoundError with what to do."""
    if not Path(BINARY).exists():
        raise FileNotFoundError(
            f"There is no Chromium at {BINARY}. On Debian: apt-get install "
            "chromium-headless-shell; or say where it is: BIGBEN_CHROMIUM=..."
        )


REFUSED = ("/api/races/", "/api/seasons/", "/login")
"""A browser complains of every 404 and 400; there it only says that the server said no."""


_BE = """
if (location.protocol === "http:" && !localStorage.getItem("bigben.token"))
  localStorage.setItem("bigben.token", "TOKEN");
"""


class Watched:
    """A browser of one person; what its pages say, ask for and receive is kept."""

    def __init__(self, context: BrowserContext, address: str, besides: str = "data:") -> None:
        self.context = context
        self.address = address
        self.besides = besides
        self.wrong: list[str] = []
        self.frames: list[str] = []
        """All that came over WebSockets."""
        self.sent: list[str] = []
        """All that went out over them."""
        context.on("console", self._said)
        context.on("weberror", lambda error: self.wrong.append(str(error.error)))
        context.on("request", self._asked)

    def page(self, place: str = "") -> Page:
        """A new tab at this place."""
        tab = self.context.new_page()
        tab.on("websocket", self._connected)
        tab.goto(f"{self.address}/{place}")
        return tab

    def _said(self, message: ConsoleMessage) -> None:
        if any(path in message.location.get("url", "") for path in REFUSED):
            return
        if message.type in ("error", "warning"):
            self.wrong.append(message.text)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", self.besides)):
            self.wrong.append(f"asked for {request.url}")

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(_text(frame)))
        socket.on("framesent", lambda frame: self.sent.append(_text(frame)))


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode()


def _context(browser: Browser, options: dict[str, Any]) -> BrowserContext:
    """A context of the browser.

    If the program that drives the browsers has died, none can be had in this process any more. Of
    several processes this one ends then: another takes its place, and its tests.
    """
    try:
        return browser.new_context(**options)
    except Error as error:
        if "connection closed" in str(error) and "PYTEST_XDIST_WORKER" in os.environ:
            os._exit(1)
        raise


@contextmanager
def person(
    browser: Browser,
    address: str,
    *,
    server_goes: bool = False,
    token: str = "",
    besides: str = "data:",
    **options: Any,
) -> Iterator[Watched]:
    """Somebody with a browser of their own, in which nothing may go wrong.

    With a player's ``token`` they are that player from the start. ``besides`` is where their page
    may ask beside the server.
    """
    # The narrowest screen that has the field for typed moves.
    usual = {"viewport": {"width": 480, "height": 740}, "reduced_motion": "reduce"}
    usual |= {"service_workers": "block"}  # a test may delay requests, which a worker would hide
    context = _context(browser, {**usual, **options})
    context.set_default_timeout(PATIENCE_MS)
    if token:
        context.add_init_script(_BE.replace("TOKEN", token))
    watched = Watched(context, address, besides)
    try:
        yield watched
    finally:
        context.close()
    context.close()
    allowed = (*AWAY, *PLAIN) if server_goes else PLAIN
    wrong = [line for line in watched.wrong if not line.startswith(allowed)]
    assert not wrong, wrong
