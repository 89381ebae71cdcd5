"""Measures how light and how quick the browser page is, in a Chromium of its own.

    python -m benchmarks.page [--rounds 5] [--browser PATH]

from the root of the project. It starts a server, and each round is somebody's first visit. The load
is all that comes until nothing has come for half a second. A button works once it is drawn and the
page has time for a tap. Slow 3G has 400 ms of latency and 400 kbit/s. Frames are those that
the browser draws while a card is dragged over the whole felt, with a CPU four times as slow.
"""

import argparse
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.servers import TIRELESS, ServerProcess

BROWSER: Final = os.environ.get("BIGBEN_CHROMIUM", "/usr/bin/chromium-headless-shell")
OPTIONS: Final = ("--no-sandbox", "--disable-gpu")
SLOW_3G: Final = {
    **{"offline": False, "latency": 400},
    **{"downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8},
}
SLOWER: Final = 4
"""How many times as slow the CPU is."""
DRAGGED: Final = 120
"""Over so many points a card is dragged."""
SIZES: Final = ((1280, 800), (390, 844))

WATCH: Final = """
window.seen = { works: 0, shifts: 0 };
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver((_, observer) => {
    if (!document.querySelector(".hero .start")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (seen.works = performance.now())));
}).observe(document, { childList: true, subtree: true });
"""
"""When the button that plays works, in ms since the visit began, and how far things shifted."""
FRAMES: Final = """
window.frames_at = [];
const frame = (now) => { frames_at.push(now); requestAnimationFrame(frame); };
requestAnimationFrame(frame);
"""


@contextmanager
def visit(
    browser: Browser, address: str, size: tuple[int, int] = SIZES[0]
) -> Iterator[tuple[Page, CDPSession]]:
    """Somebody's first page, not yet at its address, and what slows it down."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        base_url=address,
        service_workers="block",
        bypass_csp=True,  # what waits here evaluates
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    try:
        yield page, context.new_cdp_session(page)
    finally:
        context.close()


def load(browser: Browser, address: str) -> tuple[int, int]:
    """How many bytes came, and in how many requests."""
    with visit(browser, address) as (page, devtools):
        asked: list[str] = []
        sizes: list[float] = []
        devtools.on("Network.requestWillBeSent", lambda sent: asked.append(sent["requestId"]))
        devtools.on("Network.loadingFinished", lambda got: sizes.append(got["encodedDataLength"]))
        devtools.send("Network.enable")
        page.goto("/")
        page.wait_for_load_state("networkidle")
        return round(sum(sizes)), len(asked)


def works(browser: Browser, address: str, *, slow_line: bool) -> tuple[float, float]:
    """After how many ms the button works, and how many from its tap to the cards."""
    with visit(browser, address) as (page, devtools):
        if slow_line:
            devtools.send("Network.enable")
            devtools.send("Network.emulateNetworkConditions", SLOW_3G)
        else:
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto("/")
        page.wait_for_function("seen.works", polling=50)
        button = page.locator(".hero .start")
        tapped = float(page.evaluate("performance.now()"))
        button.click()
        page.locator("svg.board [data-pile]").first.wait_for()
        shown = float(page.evaluate("performance.now()"))
        return float(page.evaluate("seen.works")), shown - tapped


def shift(browser: Browser, address: str, size: tuple[int, int]) -> float:
    """How far things shifted until the page was quiet, with all screens."""
    with visit(browser, address, size) as (page, devtools):
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW_3G)
        page.goto("/")
        page.wait_for_function("document.styleSheets.length > 1")
        page.wait_for_load_state("networkidle")
        return float(page.evaluate("seen.shifts"))


def drag(browser: Browser, address: str) -> tuple[float, float]:
    """Frames a second while a card is dragged in a race, and the longest between two, in ms."""
    with visit(browser, address) as (page, devtools):
        page.goto("/")
        page.locator(".hero .start").click()
        page.locator("svg.board").wait_for()
        page.wait_for_load_state("networkidle")
        card = page.locator("svg.board .pile.movable .top").first
        box = card.bounding_box()
        assert box, "a card can move"
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(640, 400, steps=10)
        page.evaluate(FRAMES)
        for at in range(DRAGGED):
            page.mouse.move(300 + 5 * at, 200 + 3 * (at % 100))
        times: list[float] = page.evaluate("frames_at")
        page.mouse.up()
    gaps = [after - before for before, after in pairwise(times)]
    return 1000 * len(gaps) / sum(gaps), max(gaps)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of each figure (%(default)s)")
    parser.add_argument("--browser", default=BROWSER, help="(%(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder), env=TIRELESS)
        server.launch()
        browser = playwright.chromium.launch(executable_path=given.browser, args=OPTIONS)
        try:
            report(browser, server.url.replace("ws:", "http:"), given.rounds)
        finally:
            browser.close()
            server.end()


def report(browser: Browser, address: str, rounds: int) -> None:
    """Print the figures; of times and frames the median of all rounds."""
    size, requests = load(browser, address)
    print(f"first load           {size / 1024:.1f} KiB in {requests} requests", flush=True)
    for name, slow_line in ((f"CPU {SLOWER} times as slow", False), ("slow 3G", True)):
        times = [works(browser, address, slow_line=slow_line) for _ in range(rounds)]
        button, cards = (statistics.median(each) for each in zip(*times, strict=True))
        print(f"{name:<21}button {button:.0f} ms, tap to cards {cards:.0f} ms", flush=True)
    for width, height in SIZES:
        print(f"layout shift {width:>4}x{height}  {shift(browser, address, (width, height)):.4f}")
    drags = [drag(browser, address) for _ in range(rounds)]
    frames, longest = (statistics.median(each) for each in zip(*drags, strict=True))
    print(f"a dragged card       {frames:.1f} frames a second, longest gap {longest:.0f} ms")


if __name__ == "__main__":
    main()
