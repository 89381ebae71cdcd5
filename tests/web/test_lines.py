"""A line that dies without a word: the page notices, says so, and is back when it can be."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.support.relay import Relay, relaying
from tests.support.server_process import UNHURRIED, serving
from tests.web.chromium import person
from tests.web.hands import come_in, moved, type_move
from tests.web.sight import covered

GONE = "The connection is lost."
SOON_MS = 7_000


@contextmanager
def practising(browser: Browser, folder: Path) -> Iterator[tuple[Page, Relay]]:
    """A practice game behind a relay, on a page whose clock moves only when it is told to."""
    with serving(folder, UNHURRIED) as server, relaying() as relay:
        relay.to = server.port
        with person(browser, f"http://127.0.0.1:{relay.port}", server_goes=True) as ada:
            page = ada.page()
            come_in(page, "Ada")
            page.get_by_role("button", name="Practise").click()
            moved(page, 0)
            type_move(page, "deal", 1)
            yield page, relay


def test_a_browser_that_goes_offline_says_so_at_once(browser: Browser, tmp_path: Path) -> None:
    with practising(browser, tmp_path) as (page, _):
        page.clock.pause_at(page.evaluate("Date.now()") + 1)
        page.context.set_offline(True)
        expect(page.get_by_text(GONE)).to_be_visible()
        assert covered(page) == []
        page.context.set_offline(False)
        page.clock.resume()
        expect(page.get_by_text(GONE)).to_have_count(0)
        type_move(page, "deal", 2)


def test_a_dead_line_is_noticed_soon_after_a_move_that_nobody_hears(
    browser: Browser, tmp_path: Path
) -> None:
    with practising(browser, tmp_path) as (page, relay):
        page.clock.install()
        page.reload()
        moved(page, 1)
        page.clock.pause_at(page.evaluate("Date.now()") + 1)
        relay.mute = True
        page.get_by_role("textbox", name="Type a move").fill("deal")
        page.keyboard.press("Enter")
        assert relay.swallowed.wait(20), "the server has answered"
        page.clock.run_for(SOON_MS)
        expect(page.get_by_text(GONE)).to_be_visible()
        relay.mute = False
        relay.drop()  # also the next dial, which nobody has heard either
        page.clock.resume()
        moved(page, 2)
        expect(page.get_by_text(GONE)).to_have_count(0)
