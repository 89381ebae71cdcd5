"""Every game fills its felt: in the middle, with large cards of which none lies on another."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.support.server_process import ServerProcess
from tests.web.chromium import person

from bigben_rules import GAMES

PLACED = """
async ([name, felts]) => {
  const { Games } = await import("/wire/games.js");
  const { exchangePlaces } = await import("/board/exchange.js");
  const { layoutOf } = await import("/board/layout/layout.js");
  const { isWithin } = await import("/board/layout/curve.js");
  const { lying, spread } = await import("/board/layout/spread.js");
  const game = (await Games.fetched()).of({ game: name });
  const pile = ({ kind, place }, long) => {
    const tucked = long ? 4 : 0;
    if (kind === "reserve") return { up: Array(tucked).fill("10H"), down: 4 - tucked };
    if (kind === "stock") return { up: [], down: 20 };
    if (kind !== "tableau") return { up: ["10H"], down: 0 };
    return { up: Array(place === "column" ? (long ? 12 : 5) : long ? 8 : 3).fill("10H"), down: 0 };
  };
  const corners = ({ x, y }, w, h) => [[x, y], [x + w, y], [x, y + h], [x + w, y + h]];
  const exchanged = (layout, w, count) => {
    const { hand, cards, w: card } = exchangePlaces(layout, w, count);
    const closed = cards.flatMap((one) => corners(one, card, 1.4 * card));
    const all = [...corners(hand, hand.w, hand.h), ...closed];
    const covers = (one) => one.x < hand.x + hand.w && one.y < hand.y + hand.h;
    return all.every(([x, y]) => isWithin(layout.dial, { x, y })) && !cards.some(covers);
  };
  const placed = ([width, height], long) => {
    const piles = Object.fromEntries(game.slots.map((slot) => [slot.pile, pile(slot, long)]));
    const layout = layoutOf(game, { width, height }, piles);
    const boxes = game.slots.map((slot) => {
      const berth = layout.berths[slot.pile];
      const { cards, gaps } = spread(berth, lying(slot, piles[slot.pile]));
      const spots = [...gaps, ...cards];
      return {
        pile: slot.pile,
        left: Math.min(...spots.map(({ x }) => x)),
        top: Math.min(...spots.map(({ y }) => y)),
        right: Math.max(...spots.map(({ x }) => x)) + berth.w,
        bottom: Math.max(...spots.map(({ y }) => y)) + berth.h,
        width: berth.w,
      };
    });
    const hand = game.decides && game.slots.find(({ kind }) => kind === "hand");
    const fits = (count) => exchanged(layout, layout.berths[hand.pile].w, count);
    return [width, height, long, boxes, !hand || [2, 3, 4].every(fits)];
  };
  return felts.flatMap((felt) => [placed(felt, false), placed(felt, true)]);
}
"""
"""On each felt, at the deal and late in a long game: each pile's edges and the width of its cards,
and whether all cards of an exchange lie on the dial and not on the exposed one."""

FELTS = [(1072, 800), (1652, 1080), (816, 768), (390, 732), (756, 390)]
"""What 1280x800, 1920x1080, 1024x768, 390x844 and 844x390 leave of the screen."""

RING = [135, 182, 104, 94, 65]
CARDS = {
    "bigben": [85, 114, 66, 57, 51],
    "clock": RING,
    "watch": RING,
    "germanclock": [135, 182, 104, 71, 65],
    "grandfathersclock": [97, 131, 80, 59, 45],
    "travellers": [77, 113, 58, 58, 46],
    "hideandseek": [117, 169, 90, 65, 62],
}
"""The narrowest cards on each of the felts."""


@pytest.fixture(scope="module")
def page(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    with person(browser, server.url.replace("ws:", "http:")) as ada:
        yield ada.page()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_fills_its_felt_from_edge_to_edge(page: Page, game: str) -> None:
    for width, height, late, placed, fits in page.evaluate(PLACED, [game, FELTS]):
        where = f"{game} on {width}x{height}, {'late' if late else 'dealt'}"
        card = CARDS[game][FELTS.index((width, height))]
        assert min(one["width"] for one in placed) >= card * 0.95, where
        assert fits, where
        check_edges(placed, width, height, where)


def check_edges(placed: list[dict[str, Any]], width: int, height: int, where: str) -> None:
    """All piles are on the felt, in its middle, and none is on another."""
    left, right = min(one["left"] for one in placed), max(one["right"] for one in placed)
    assert left >= 0, where
    assert right <= width, where
    assert abs(left - (width - right)) <= 8, where
    assert min(one["top"] for one in placed) >= 0, where
    assert max(one["bottom"] for one in placed) <= height, where
    for one, other in combinations(placed, 2):
        across = min(one["right"], other["right"]) - max(one["left"], other["left"])
        down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
        assert across <= 0.5 or down <= 0.5, f"{where}: {one} lies on {other}"
