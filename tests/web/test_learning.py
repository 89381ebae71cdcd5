"""The lesson on the page: played by taps, by keys, or shown; and what comes after it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.torture import tortured
from tests.web.chromium import person
from tests.web.hands import come_in, moved, pile
from tests.web.sight import sees_what_is_explained

from bigben_protocol.lesson import LESSON, said

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True}
END = "Now you know Big Ben."


def begin(page: Page) -> None:
    page.get_by_role("link", name="Learn it in 2 minutes").click()
    expect(page.locator(".coach")).to_contain_text("Big Ben is a clock of cards")


def tap(page: Page, name: str) -> None:
    """Tap the top card, as the veil lets it through."""
    place = pile(page, name)
    top = place.locator(".top")
    box = (top if top.count() else place.locator(".reach")).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def play_by_taps(page: Page) -> None:
    for number, step in enumerate(LESSON.steps):
        moved(page, number)
        sees_what_is_explained(page)
        if step.teaches in ("clock", "goal"):
            expect(page.locator(".mark.is-home")).to_have_count(0)
        source, *target = step.piles or ("",)
        match step.teaches:
            case "clock" | "goal" | "gap" | "undo":
                page.locator(".coach .go").click()
            case "home" | "waste_home":
                tap(page, source)
                tap(page, source)
            case "build" | "waste_build":
                tap(page, source)
                tap(page, target[0])
            case "refill" | "turn":
                tap(page, source)


@pytest.mark.parametrize("size", [PHONE, *tortured(WIDE)])
def test_a_stranger_plays_the_lesson_by_taps_and_needs_no_name(
    browser: Browser, address: str, size: dict[str, Any]
) -> None:
    with person(browser, address, **size) as ada:
        page = ada.page()
        begin(page)
        play_by_taps(page)
        expect(page.locator(".ending")).to_contain_text(END)
        assert not ada.frames
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Practice")


def test_the_right_card_and_its_goal_are_seen_through_the_veil(
    browser: Browser, address: str
) -> None:
    with person(browser, address, **WIDE) as ada:
        page = ada.page("#learn")
        for _ in range(2):
            page.get_by_role("button", name="Next").click()
        moved(page, 2)
        seen = page.evaluate(
            """
            () => {
              const around = (path, pile) => {
                const box = (one) => document.querySelector(one).getBoundingClientRect();
                const hole = box(`.veil .${path}`);
                const card = box(`[data-pile="${pile}"] .top`);
                return hole.left < card.left && hole.top < card.top
                  && hole.right > card.right && hole.bottom > card.bottom;
              };
              const bubble = document.querySelector(".coach").getBoundingClientRect();
              const over = (path) => {
                const { left, right, top, bottom } =
                  document.querySelector(`.veil .${path}`).getBoundingClientRect();
                return left < bubble.right && right > bubble.left
                  && top < bubble.bottom && bottom > bubble.top;
              };
              return [around("tap", "4"), around("goal", "f1"), over("tap"), over("goal")];
            }
            """
        )
        assert seen == [True, True, False, False]


def test_another_card_is_refused_gently(browser: Browser, address: str) -> None:
    with person(browser, address, **WIDE) as ada:
        page = ada.page("#learn")
        for _ in range(2):
            page.get_by_role("button", name="Next").click()
        tap(page, "6")
        expect(page.locator(".coach")).to_contain_text("Not that one yet.")
        moved(page, 2)
        tap(page, "4")
        expect(page.locator(".coach")).not_to_contain_text("Not that one yet.")
        tap(page, "f1")
        moved(page, 3)
        expect(page.locator(".coach .done")).to_have_text(said(3, "done", "en"))


def test_it_is_played_by_keys_and_heard(browser: Browser, address: str) -> None:
    with person(browser, address, **WIDE) as ada:
        page = ada.page("#learn")
        page.get_by_role("button", name="Next").press("Enter")
        page.get_by_role("button", name="Next").press("Enter")
        expect(pile(page, "4")).to_be_focused()
        expect(page.get_by_role("status").last).to_contain_text("From Fan 4 to Foundation")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        moved(page, 3)
        expect(page.get_by_role("status").last).to_contain_text("8 of clubs may follow")
        expect(pile(page, "8")).to_be_focused()


def test_one_goes_back_jumps_and_skips(browser: Browser, address: str) -> None:
    with person(browser, address, **WIDE) as ada:
        page = ada.page("#learn")
        page.get_by_role("button", name="The stock").click()
        expect(page.locator(".coach")).to_contain_text("Turn a card.")
        page.get_by_role("button", name="Back a step").click()
        expect(page.locator(".coach")).to_contain_text("Refill the fans.")
        page.get_by_role("button", name="Show me").click()
        expect(page.locator(".coach .done")).to_be_visible()
        page.get_by_role("button", name="Skip").click()
        expect(page.locator(".ending")).to_contain_text(END)
        page.get_by_role("button", name="Once more").click()
        expect(page.locator(".coach")).to_contain_text("1 of 13")


def test_the_felt_keeps_its_size_on_a_phone(browser: Browser, address: str) -> None:
    with person(browser, address, **PHONE) as ada:
        page = ada.page("#learn")
        heights = set()
        for number in range(len(LESSON.steps)):
            moved(page, number)
            box = page.locator("svg.board").bounding_box()
            assert box
            heights.add(box["height"])
            page.locator(".coach .go").click()
        assert len(heights) == 1
