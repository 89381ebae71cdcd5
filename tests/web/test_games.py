"""Every game of the server on the page: all its piles can be seen and used on every screen."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.torture import each_kind, often
from tests.web.chromium import person
from tests.web.guests import EARLY_KINGS, TO_LAST_KING, Guest, practising
from tests.web.hands import OVER, choose_game, come_in, give_up, moved, see_result

from bigben_rules import GAMES

SEED = "5e" * 32
SCREENS = ((360, 640), (390, 844), (844, 390), (1024, 768), (1280, 800), (1920, 1080))
BUILDS = r"^\d+ \d+$"
"""Moves between piles of the tableau make the longest piles."""

LOOK = """
() => {
  const board = document.querySelector("svg.board");
  const plain = ({ x, y, width, height }) => ({ x, y, width, height });
  const box = (element) => plain(element.getBoundingClientRect());
  const piles = [...board.querySelectorAll("[data-pile]")].map((pile) => ({
    name: pile.dataset.pile,
    parts: [...pile.querySelectorAll(":scope > .card > .face, :scope > .gap")].map(box),
    faces: [...pile.querySelectorAll(":scope > .card:not(.tucked)")].map((card) => ({
      ...box(card.querySelector(".face")),
      rank: card.querySelector(".rank") && box(card.querySelector(".rank")),
    })),
  }));
  const wide = document.documentElement.scrollWidth;
  const beside = [...document.querySelectorAll(".controls > *, .rail > *, header > *")].map(box);
  const n = Number(board.dataset.n);
  const seen = beside.filter(({ width }) => width);
  return { felt: box(board), piles, beside: seen, wide, high: innerHeight, n };
}
"""
"""Where each pile and each index is on the screen."""

Box = dict[str, float]


@pytest.mark.longer
@pytest.mark.parametrize("game", each_kind(sorted(GAMES)))
def test_every_pile_of_every_game_is_seen_on_every_screen(
    browser: Browser, address: str, game: str
) -> None:
    guest = Guest(address)
    race = guest.opens(practice=True, game=game, seed=SEED)
    with person(browser, address, token=guest.token) as ada:
        page = ada.page(f"#room={race}")
        page.get_by_role("button", name="Show me the cards").click()
        moved(page, 0)
        look_on_all(page, whole_index=True)
        for most in often((40,), (12, 40)):
            page.close()
            n = guest.plays_on(race, most, BUILDS)
            page = ada.page(f"#room={race}")
            moved(page, n)
            look_on_all(page, whole_index=False)


def look_on_all(page: Page, *, whole_index: bool) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "() => Math.abs(document.querySelector('svg.board').viewBox.baseVal.width"
            " - document.querySelector('svg.board').getBoundingClientRect().width) < 0.5"
        )
        check(page.evaluate(LOOK), f"{width}x{height}", whole_index=whole_index)


def check(seen: dict[str, Any], screen: str, *, whole_index: bool) -> None:
    felt, piles = seen["felt"], seen["piles"]
    assert seen["wide"] <= int(screen.split("x")[0]), screen
    assert felt["y"] + felt["height"] <= seen["high"] + 0.5, screen
    around = {pile["name"]: union(pile["parts"]) for pile in piles}
    covered = [
        (name, one) for name, box in around.items() for one in seen["beside"] if overlap(box, one)
    ]
    assert not covered, screen
    for name, box in around.items():
        where = f"pile {name} on {screen} after move {seen['n']}: {box} on {felt}"
        assert box["x"] >= felt["x"] - 0.5, where
        assert box["y"] >= felt["y"] - 0.5, where
        assert box["x"] + box["width"] <= felt["x"] + felt["width"] + 0.5, where
        assert box["y"] + box["height"] <= felt["y"] + felt["height"] + 0.5, where
        assert min(box["width"], box["height"]) >= 30, where
        for other, there in around.items():
            assert other == name or not overlap(box, there), f"{where}, pile {other}: {there}"
    for pile in piles:
        check_indices(pile["faces"], f"pile {pile['name']} on {screen}", whole=whole_index)


def check_indices(faces: list[dict[str, Any]], where: str, *, whole: bool) -> None:
    """Of each card the strip with its index is seen, of short piles all of it."""
    for card, above in pairwise(faces):
        if card["rank"] is None:
            continue
        strip = max(above["x"] - card["x"], above["y"] - card["y"])
        assert strip >= 6, where
        if whole:
            assert not overlap(card["rank"], above, by=2), where


def union(boxes: list[Box]) -> Box:
    left, top = min(one["x"] for one in boxes), min(one["y"] for one in boxes)
    right = max(one["x"] + one["width"] for one in boxes)
    bottom = max(one["y"] + one["height"] for one in boxes)
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def overlap(a: Box, b: Box, by: float = 0.5) -> bool:
    return all(
        min(a[start] + a[size], b[start] + b[size]) - max(a[start], b[start]) > by
        for start, size in (("x", "width"), ("y", "height"))
    )


NEXT = """
() => {
  const board = document.querySelector("svg.board");
  const top = (pile) => {
    const { x, y, width, height } = pile.querySelector(".top, .gap").getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const homing = board.querySelector(".homing");
  const tap = board.querySelector(".tappable") ?? board.querySelector(".movable");
  const taps = homing ? [top(homing), top(homing)] : tap ? [top(tap)] : [];
  return { n: board.dataset.n, over: Boolean(document.querySelector(".ended")), taps };
}
"""
"""Where to tap next: twice on a card that can go home, else on what stands for a move."""


@pytest.mark.longer
@pytest.mark.parametrize("game", each_kind(sorted(GAMES.keys() - {"bigben"})))
def test_a_whole_game_is_played_by_taps_from_the_start_page(
    browser: Browser, address: str, game: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        choose_game(page, game)
        name = page.locator(".hero h1").inner_text()
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)
        tap_on(page, often(15, 60))
        if not page.locator(OVER).count():
            give_up(page)
        expect(page.locator(OVER)).to_have_text(re.compile("No moves|All cards home|You gave up"))
        see_result(page)
        page.get_by_role("link", name="Watch your replay").or_(
            page.get_by_role("link", name="Replay", exact=True)
        ).first.click()
        page.get_by_role("slider", name="Time").press("End")
        expect(page.get_by_role("status").filter(has_text="Move ")).to_contain_text("of")
        assert not page.locator("svg.board [role=button]").count()


def tap_on(page: Page, most: int) -> None:
    """Play so many moves by taps, or as many as there are."""
    for _ in range(most):
        seen = page.evaluate(NEXT)
        if seen["over"] or not seen["taps"]:
            break  # without a tap, only undo is left
        for x, y in seen["taps"]:
            page.mouse.click(x, y)
        n = seen["n"]
        after = f'svg.board:not([data-n="{n}"]), svg.board .picked, .offer'
        expect(page.locator(after).first).to_be_attached()
        # A pile whose cards are offered is picked too, and has no target.
        if page.locator(".offer").count():
            page.locator(".offer .safe").click()
        elif len(seen["taps"]) == 1 and page.locator("svg.board .picked").count():
            page.locator("svg.board .target").first.click()
        expect(page.locator("svg.board")).not_to_have_attribute("data-n", n)


def test_a_last_king_is_exchanged_by_taps(browser: Browser, address: str) -> None:
    with practising(browser, address, TO_LAST_KING, **EARLY_KINGS) as page:
        n = len(TO_LAST_KING)
        page.set_viewport_size({"width": 844, "height": 390})
        check_narrow_rail(page)
        closed = page.locator("svg.board .closed")
        page.locator('svg.board [data-pile="8"] .top').click()
        page.locator('svg.board [data-pile="9"] .top').click()
        expect(closed).to_have_count(3)
        closed.nth(0).click(position={"x": 12, "y": 12})
        page.get_by_role("button", name="Take card 1").click()
        moved(page, n + 1)


def check_narrow_rail(page: Page) -> None:
    """Beside the felt are the clock and signs with names; what is seldom needed opens in words."""
    expect(page.get_by_role("timer")).to_be_in_viewport()
    rail = page.locator(".controls").bounding_box()
    assert rail
    assert rail["width"] <= 88
    give_up = page.get_by_role("button", name="Give up")
    expect(give_up).to_be_hidden()
    page.get_by_role("button", name="More").click()
    expect(give_up).to_have_text("Give up")
    page.keyboard.press("Escape")
    expect(give_up).to_be_hidden()


def test_a_last_king_is_exchanged_with_keys_for_a_card_as_deep_as_one_likes(
    browser: Browser, address: str
) -> None:
    with practising(browser, address, TO_LAST_KING, **EARLY_KINGS) as page:
        n = len(TO_LAST_KING)
        expect(page.locator(".controls")).to_contain_text("Exchange the last king")
        keys, at = page.keyboard, page.locator("svg.board [data-pile]:focus")
        page.locator('svg.board [tabindex="0"]').focus()
        for _ in range(12):
            keys.press("ArrowRight")
            if "tappable" in (at.get_attribute("class") or ""):
                break
        keys.press("Enter")
        choice = page.get_by_role("dialog", name="Which card of Pile")
        cards = page.locator("svg.board .closed")
        expect(choice.get_by_role("button", name="Take card")).to_be_focused()
        keys.press("Escape")
        expect(cards).to_have_count(0)
        page.locator('svg.board [tabindex="0"]').focus()
        keys.press("Enter")
        keys.press("2")
        expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")
        choice.get_by_role("button", name="Take card 2").press("Enter")
        moved(page, n + 1)
        expect(choice).to_have_count(0)
        expect(page.locator("#said")).to_have_text(
            re.compile(r"^king of \w+ face down into Pile \w+\. .* is exposed\.$")
        )


def test_a_replay_shows_the_rules_of_its_own_game(browser: Browser, address: str) -> None:
    with practising(browser, address, game="grandfathersclock", seed=SEED) as page:
        race = page.url.split("=")[1]
        give_up(page)
        page.goto(f"{address}/#replay={race}&player=")
        expect(page.locator(".side")).to_be_visible()
        page.keyboard.press("?")
        rules = page.get_by_role("dialog").get_by_role("heading", level=2)
        expect(rules).to_have_text("Grandfather’s Clock")
