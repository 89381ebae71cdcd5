"""How long the page waits before it dials again."""

from playwright.sync_api import Browser
from tests.web.chromium import person

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


def test_pauses_grow_behind_what_the_server_asks_until_there_was_calm(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        assert ada.page().evaluate(WAITS) == [250, 500, 5000, 250]


def test_a_hint_is_read_as_the_python_client_reads_it(browser: Browser, address: str) -> None:
    reasons = {
        "The server restarts; retry in 2.5 s": 2500,
        "retry in 86400 s": 60_000,
        "retry in -5 s": 0,
        "retry in 1e9 s": 0,
        "retry in 4 s, or go home": 0,
        "": 0,
    }
    with person(browser, address) as ada:
        assert ada.page().evaluate(HINTS, list(reasons)) == list(reasons.values())
