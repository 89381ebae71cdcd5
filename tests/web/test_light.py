"""The first load is light, and the page can be installed and opens without a network."""

import pytest
from playwright.sync_api import Browser, Request, Route, expect
from tests.web.chromium import person
from tests.web.hands import give_up, moved

MOST_REQUESTS = 8
ONLY_WITH_A_WINDOW = ("/icon.svg", "/manifest.webmanifest")
"""What other browsers than this one ask for, too."""
MOST_BYTES = 80 * 1024
MOST_SHIFT = 0.02

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
        if (!hadRecentInput) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML)]);
    }
}).observe({ type: "layout-shift", buffered: true });
"""


def sent(request: Request) -> int:
    """The bytes of its answer."""
    sizes = request.sizes()
    return sizes["responseHeadersSize"] + sizes["responseBodySize"]


def test_the_first_load_is_light_and_its_text_is_compressed(browser: Browser, address: str) -> None:
    asked: list[Request] = []
    with person(browser, address) as ada:
        ada.context.on("request", lambda request: asked.append(request))
        page = ada.page()
        expect(page.get_by_role("button", name="Play today’s race")).to_be_visible()
        page.locator('link[href="/later.css"]').wait_for(state="attached")
        first = [one for one in asked if "later." not in one.url]
        assert len(first) + len(ONLY_WITH_A_WINDOW) <= MOST_REQUESTS, [one.url for one in first]
        assert sum(map(sent, first)) <= MOST_BYTES
        for path in ("/bundle.js", "/bundle.css", "/"):
            (request,) = [one for one in asked if one.url == address + path]
            response = request.response()
            assert response
            assert response.header_value("content-encoding") == "gzip"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_nothing_shifts_when_what_the_server_says_comes(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    width, height = size
    with person(browser, address, viewport={"width": width, "height": height}) as ada:
        ada.context.add_init_script(SHIFTS)
        page = ada.page()
        for known in (False, True):
            if known:
                page.get_by_role("button", name="Play today’s race").click()
                moved(page, 0)
                give_up(page)
                page.goto(address)
                page.get_by_text("Today’s race is played").wait_for()
                # What is remembered must be what the board still says.
                while not page.locator(".podium .mine").count():
                    page.reload()
                    page.wait_for_load_state("networkidle")
                page.reload()
            page.wait_for_load_state("networkidle")
            page.locator('link[href="/later.css"]').wait_for(state="attached")
            shifts = page.evaluate("shifts")
            assert sum(value for value, *_ in shifts) <= MOST_SHIFT, shifts


def test_what_comes_later_is_asked_for_again_if_it_does_not_come(
    browser: Browser, address: str
) -> None:
    with person(browser, address, server_goes=True) as ada:
        dropped: list[Route] = []

        def drop(route: Route) -> None:
            dropped.append(route)
            route.abort()

        ada.context.route("**/later.js", drop)
        page = ada.page("#board=daily")
        missing = page.get_by_text("Part of the page could not be loaded.")
        again = page.get_by_role("button", name="Try again")
        expect(missing).to_be_visible()
        while len(dropped) < 2:  # the page also asks by itself, once
            page.wait_for_event("requestfailed")
        page.get_by_role("link", name="Big Ben").click()
        play = page.get_by_role("button", name="Play today’s race")
        play.click()
        expect(page.get_by_role("alert").and_(missing)).to_be_visible()
        page.go_back()
        expect(again).to_be_visible()
        ada.context.unroute("**/later.js")
        again.click()
        expect(page.get_by_role("table").first).to_be_visible()
        page.get_by_role("link", name="Big Ben").click()
        play.click()
        expect(page.locator("svg.board")).to_be_visible()


def test_the_files_of_the_first_load_share_connections(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.wait_for_load_state("networkidle")
        connections = page.evaluate("""() => performance.getEntriesByType("resource").map(
            (file) => file.connectEnd > file.connectStart)""")
        assert connections.count(True) < len(connections)


def test_the_page_opens_without_a_network_once_it_was_there(browser: Browser, address: str) -> None:
    with person(browser, address, service_workers="allow", server_goes=True) as ada:
        page = ada.page()
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        kept = page.evaluate("""async () => {
            const names = await caches.keys();
            const requests = await (await caches.open(names[0])).keys();
            return [names.length, requests.map((request) => new URL(request.url).pathname)];
        }""")
        assert kept[0] == 1
        assert {"/", "/bundle.js", "/later.js", "/later.css", "/texts/en.later.json"} <= {*kept[1]}
        assert not [path for path in kept[1] if path.startswith("/api/") and path != "/api/games"]
        ada.context.set_offline(offline=True)
        page.reload()
        expect(page.get_by_role("button", name="Play today’s race")).to_be_visible()


def test_the_page_can_be_installed(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        told = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert told["url"] == f"{address}/manifest.webmanifest"
        assert told["errors"] == []
        icons = page.evaluate("""async () => {
            const manifest = await (await fetch("/manifest.webmanifest")).json();
            const icons = await Promise.all(manifest.icons.map(({ src }) => fetch(src)));
            return icons.map((icon) => icon.headers.get("content-type"));
        }""")
        assert icons == ["image/svg+xml"] * 2
