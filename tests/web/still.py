"""A server whose clock stands, and people at it whose browsers leave nothing to chance. No tests.

They speak one language. What they see is the same each time, to the second.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, BrowserType, Locator, Page, ViewportSize
from tests.support.server_process import UNHURRIED, ServerProcess
from tests.support.still_server import COMMAND, StillClock
from tests.web.chromium import BINARY, OPTIONS, person
from tests.web.hands import name_field

from bigben_protocol import texts

EVENING: Final = datetime(2026, 11, 21, 18, 5, tzinfo=UTC)
"""A Saturday, on which all pictures are taken."""
LAPTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
ADDRESS: Final = "http://play.example"
"""What browsers call the server, whatever its port."""
LOCALES: Final = {"en": "en-GB", "de": "de-DE"}

_SETTINGS: Final = {
    **UNHURRIED,
    "BIGBEN_SECRET": "pictures " * 4,
    "BIGBEN_HOUSE": "1",
}
_STILL: Final = """
{
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647);
  Math.random = () => next() / 2147483647;
  crypto.getRandomValues = (array) => array.fill(0).map(() => next());

  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  let late = null;
  const wait = (heard) => (event) => {
    if (!event.data.includes('"pong"')) return late ? late.push(() => heard(event)) : heard(event);
    const data = event.data.replace(/"now_at":\\d+/, `"now_at":${Date.now()}`);
    return heard(new MessageEvent("message", { data }));
  };
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    set(heard) { set.call(this, wait(heard)); },
  });
  window.lookAway = () => (late = []);
  window.lookAgain = () => {
    const all = late;
    late = null;
    all.forEach((told) => told());
  };
}
"""
"""Chance that is the same at each load of a page: nonces, and where the rays of a win fly. And a
way to hear nothing of a race for a while, and then all at once, which a page draws in no time. The
server's clock and the page's are set one after the other: no pong tells that they ever differed."""


class Still:
    """What a walk needs: a server, its clock, and everybody's page."""

    def __init__(
        self, server: ServerProcess, clock: StillClock, browser: Browser, language: str
    ) -> None:
        self.server = server
        self.language = language
        self.now = EVENING
        self.leaving = ExitStack()
        """Closes all browsers."""
        self._clock = clock
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._pages: dict[str, Page] = {}
        self._texts = {**texts.of("shared", language), **texts.of("page", language)}

    def page(self, name: str) -> Page:
        """The page of the person of this name, where they are now; at first the start page."""
        if name in self._pages and self._pages[name].viewport_size != LAPTOP:
            self._pages[name].set_viewport_size(LAPTOP)
        if name not in self._pages:
            page = self._pages[name] = self.stranger()
            field = name_field(page)
            field.fill(name)
            field.press("Enter")
            page.wait_for_function("() => localStorage.getItem('bigben.token')")
        return self._pages[name]

    def stranger(self, place: str = "") -> Page:
        """The page of somebody who has never been here."""
        speaks = LOCALES[self.language]
        somebody = self.leaving.enter_context(
            person(self._browser, ADDRESS, viewport=LAPTOP, locale=speaks, timezone_id="UTC")
        )
        somebody.context.add_init_script(_STILL)
        somebody.context.clock.set_fixed_time(self.now)
        self._contexts.append(somebody.context)
        return somebody.page(place)

    def go(self, page: Page, place: str) -> Page:
        """Load the page at this place."""
        page.goto("about:blank")  # from the same page, another # loads nothing
        page.goto(f"{ADDRESS}/{place}")
        return page

    def pass_time(self, **span: float) -> None:
        """Let everybody's clock go on by this time, as ``timedelta`` takes it."""
        self.set(self.now + timedelta(**span))

    def set(self, now: datetime) -> None:
        self.now = now
        self._clock.set(ms_of(now))
        for context in self._contexts:
            context.clock.set_fixed_time(now)

    @contextmanager
    def looking_away(self) -> Iterator[None]:
        """While inside, nobody sees what happens in races; then all of it at once."""
        pages = self._pages.values()
        for page in pages:
            page.evaluate("lookAway()")
        yield
        for page in pages:
            page.evaluate("lookAgain()")

    def said(self, key: str, **values: object) -> str:
        """A text of the page in the language of the walk."""
        return texts.fill(self._texts[key], **values)

    def tap(self, page: Page, key: str, **values: object) -> None:
        """Tap the first button or link with this text, by its key."""
        self.control(page, key, **values).click()

    def control(self, page: Page, key: str, **values: object) -> Locator:
        text = self.said(key, **values)
        button = page.get_by_role("button", name=text)
        return button.or_(page.get_by_role("link", name=text)).first


def ms_of(time: datetime) -> int:
    return int(time.timestamp() * 1000)


@contextmanager
def still(chromium: BrowserType, folder: Path, language: str) -> Iterator[Still]:
    """A server with its data in ``folder``, and a browser that knows it by its name."""
    clock = StillClock(folder / "clock", ms_of(EVENING))
    unset = {name: "" for name in os.environ if name.startswith("BIGBEN_")}
    env = {**unset, **_SETTINGS, **clock.env, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    server = ServerProcess(folder / "data", env=env, command=COMMAND)
    server.launch()
    known = [
        f"--host-resolver-rules=MAP play.example 127.0.0.1:{server.port}",
        f"--unsafely-treat-insecure-origin-as-secure={ADDRESS}",
    ]
    try:
        with chromium.launch(executable_path=BINARY, args=[*OPTIONS, *known]) as browser:
            one = Still(server, clock, browser, language)
            with one.leaving:
                yield one
    finally:
        server.end()
