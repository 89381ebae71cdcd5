"""How long the page waits before it dials again."""

from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from tests.web.chromium import person
from tests.web.hands import come_in, moved, type_move

WAITS = """
async () => {
  const { Backoff } = await import("/wire/backoff.js");
  let now = 0;
  const backoff = new Backoff({ first: 500, longest: 20_000, draw: () => 0.5, clock: () => now });
  const waits = [];
  const closed = (lasted, atLeast) => {
    backoff.up();
    now += lasted;
    waits.push(backoff.wait(atLeast));
  };
  closed(0, 0);
  closed(19_999, 0);
  closed(0, 4000);
  closed(20_000, 0);
  return waits;
}
"""
HINTS = """
async (reasons) => {
  const { retryIn } = await import("/wire/backoff.js");
  return reasons.map(retryIn);
}
"""


def test_pauses_grow_behind_what_the_server_asks_until_there_was_calm(idle: Page) -> None:
    assert idle.evaluate(WAITS) == [250, 500, 5000, 250]


def test_a_hint_is_read_as_the_python_client_reads_it(idle: Page) -> None:
    reasons = {
        "The server restarts; retry in 2.5 s": 2500,
        "retry in 86400 s": 60_000,
        "retry in -5 s": 0,
        "retry in 1e9 s": 0,
        "retry in 4 s, or go home": 0,
        "": 0,
    }
    assert idle.evaluate(HINTS, list(reasons)) == list(reasons.values())


def test_nothing_that_wakes_up_here_cuts_short_what_the_server_asks(
    browser: Browser, address: str
) -> None:
    dials: list[WebSocketRoute] = []

    def dialled(socket: WebSocketRoute) -> None:
        dials.append(socket)
        socket.connect_to_server()

    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        page.route_web_socket("**", dialled)
        page.clock.install()
        page.reload()
        moved(page, 0)
        page.clock.pause_at(page.evaluate("Date.now()") + 1)
        (socket,) = dials
        socket.close(code=1012, reason="The server restarts; retry in 30 s")
        expect(page.get_by_text("The connection is lost.")).to_be_visible()
        page.clock.run_for(29_000)
        page.evaluate("dispatchEvent(new Event('online'))")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
        assert len(dials) == 1
        page.clock.run_for(2_000)
        page.clock.resume()
        type_move(page, "deal", 1)
        assert len(dials) == 2
