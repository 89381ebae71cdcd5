"""The signs that stand for results and players: wheels, medals, avatars."""

from typing import Any

from playwright.sync_api import Browser
from tests.web.chromium import person

WHEELS = """
async () => {
  const { wheel } = await import("/figures/wheel.js");
  const { draw } = await import("/draw.js");
  const there = document.createElement("div");
  const hours = [[8, 8], [3, 9], [0, 9], ...Array(9).fill([9, 9])];
  const of = (more) => {
    draw(there, wheel({ size: 38, home: 92, total: 104, hours, ...more }));
    const fills = [...there.querySelectorAll("path")].map((path) => path.getAttribute("fill"));
    const count = (colour) => fills.filter((fill) => fill === colour).length;
    return { gold: count("#f2c55a"), green: count("#8fe3a8"), texts: there.textContent };
  };
  return {
    small: of({}),
    fine: of({ size: 164, middle: 92 }),
    kings: of({ size: 164, hours: [...Array(12).fill([1, 4]), [4, 4]] }),
    unknown: of({ hours: [], numbers: true }),
  };
}
"""
HOURS = """
async () => {
  const { hoursOf } = await import("/share/share.js");
  const { Games } = await import("/wire/games.js");
  const games = await Games.fetched();
  const of = (game) => {
    const piles = Object.fromEntries(game.slots.map(({ pile }) => [pile, { up: [], down: 4 }]));
    for (const [pile, card] of game.deal?.laid ?? []) piles[pile] = { up: [card] };
    const king = game.slots.find(({ goal }) => goal === "K");
    const turned = king && [king.pile, "any", "KH", "turned"];
    const steps = king ? [[turned], [["any", king.pile, "KH", "under"]]] : [];
    return hoursOf({ piles, steps }, game);
  };
  return Object.fromEntries(games.all.map((game) => [game.name, of(game)]));
}
"""


def evaluated(browser: Browser, address: str, script: str) -> Any:
    with person(browser, address) as ada:
        return ada.page().evaluate(script)


def test_an_hour_is_green_when_it_is_complete_and_gold_before(
    browser: Browser, address: str
) -> None:
    wheels = evaluated(browser, address, WHEELS)
    assert wheels["small"] == {"gold": 1, "green": 10, "texts": ""}
    assert wheels["fine"] == {"gold": 3, "green": 8 + 9 * 9, "texts": "92"}
    assert wheels["kings"] == {"gold": 12, "green": 4, "texts": ""}


def test_no_hour_is_shown_where_the_hours_are_not_public(browser: Browser, address: str) -> None:
    unknown = evaluated(browser, address, WHEELS)["unknown"]
    assert unknown == {"gold": 0, "green": 0, "texts": "121234567891011"}


def test_every_game_fills_a_wheel(browser: Browser, address: str) -> None:
    hours = evaluated(browser, address, HOURS)
    assert [whole for _, whole in hours.pop("bigben")] == [8, *[9] * 8, 8, 8, 8]
    grandfather = hours.pop("grandfathersclock")
    assert (len(grandfather), sum(whole for _, whole in grandfather)) == (12, 52)
    for game, filled in hours.items():
        assert filled == [[0, 4]] * 12 + [[1, 4]], game


MEDALS = """
async () => {
  const { medal } = await import("/figures/medal.js");
  const { avatar } = await import("/figures/avatar.js");
  const { draw } = await import("/draw.js");
  const there = document.createElement("div");
  const told = (one) => {
    draw(there, one);
    return [there.textContent, there.querySelectorAll("circle").length];
  };
  const [ada, guest, tick] = [{ name: "Ada" }, { name: "Guest 4711" }, { name: "Tick", bot: true }];
  const avatars = [avatar(ada, 7), avatar(guest, 2), avatar(tick, 1)];
  return [medal(1), medal(3), medal(4), ...avatars].map(told);
}
"""


def test_three_places_have_medals_and_guests_their_digits(browser: Browser, address: str) -> None:
    told = evaluated(browser, address, MEDALS)
    assert told == [["1", 2], ["3", 2], ["4", 0], ["Ad", 1], ["11", 1], ["", 1]]
