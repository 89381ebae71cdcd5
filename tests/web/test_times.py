"""Times of results are shown in games where they count, and in no others."""

import json

import pytest
from playwright.sync_api import Browser, expect
from tests.web.chromium import person


def won(*, counts: bool) -> list[dict[str, object]]:
    """Two wins; the time of the last card home is 0 where it does not count."""
    usual = {"state": "won", "home": 52, "place": 1}
    return [
        usual | {"player": f"guest:{name}", "name": name, "ms": ms, "home_ms": ms if counts else 0}
        for name, ms in (("Ada", 61_000), ("Bob", 70_000))
    ]


BARS = """
async ([name, rows]) => {
  const { bars } = await import("/result/bars.js");
  const { draw } = await import("/draw.js");
  const { Games } = await import("/wire/games.js");
  const game = (await Games.fetched()).of({ game: name });
  const room = { kind: "live", phase: "closed", seats: [] };
  const race = { room, standings: { rows, final: true }, game };
  const list = document.createElement("div");
  draw(list, bars({ say: (key) => key, session: {}, cheering: { in: () => [] } }, race));
  return list.textContent;
}
"""


@pytest.mark.parametrize(("game", "counts"), [("clock", False), ("watch", True)])
def test_a_win_has_a_time_if_something_is_decided(
    browser: Browser, address: str, game: str, *, counts: bool
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        rows = won(counts=counts)
        board = {"board": f"daily.2026-11-21.{game}.standard", "total": 2, "rows": rows}
        page.route("**/api/leaderboard*", lambda route: route.fulfill(body=json.dumps(board)))
        page.goto(f"{address}/#board=daily&game={game}&rules=standard")
        row = page.get_by_role("row", name="Ada")
        expect(row.locator(".home")).to_have_text("52 home")
        expect(row.locator(".time")).to_have_text("1:01.0" if counts else "")
        assert ("1:01.0" in page.evaluate(BARS, [game, rows])) == counts
