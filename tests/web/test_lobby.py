"""The lobby is a table: where the seats are, who is ready, what a phone shows first."""

import math

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.chromium import person
from tests.web.hands import come_in
from tests.web.sight import covered
from tests.web.test_live import invited, room_of

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LIT = """
() => (document.querySelector(".table-dial .lit").getAttribute("d").match(/M/g) ?? []).length
"""


def ready(page: Page) -> None:
    page.get_by_role("button", name="Ready", exact=True).click()


def middle(one: Locator) -> tuple[float, float]:
    box = one.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def turns(page: Page) -> dict[str, int]:
    """Of each player the degrees from twelve o'clock, clockwise round the dial."""
    x, y = middle(page.locator(".table-dial"))
    found = {}
    for seat in page.locator(".seats li").all():
        sx, sy = middle(seat.locator(".disc"))
        name = seat.locator(".name").text_content() or ""
        found[name] = round(math.degrees(math.atan2(sx - x, y - sy))) % 360
    return found


def scrolls_sideways(page: Page) -> int:
    more: int = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    return more


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_everybody_sits_at_six_and_the_others_follow_clockwise(
    browser: Browser, address: str, size: dict[str, int]
) -> None:
    with (
        person(browser, address) as ada,
        person(browser, address, viewport=size) as bob,
        person(browser, address) as cy,
    ):
        hers, his, theirs = ada.page(), bob.page(), cy.page()
        link = room_of(hers)
        for page, name in ((his, "Bob"), (theirs, "Cy")):
            page.goto(link)
            come_in(page, name)
            page.get_by_role("button", name="Join").click()
            expect(page.locator(".seats")).to_contain_text(name)
        expect(his.locator(".seats li")).to_have_count(3)
        turn = turns(his)
        assert turn["Bob"] == 180
        assert 180 < turn["Cy"] < turn["Ada"] < 360, "clockwise, in the order in which they came"
        expect(his.locator(".seats .mine .name")).to_have_text("Bob")
        expect(his.locator(".seats .mine .notes")).to_have_text("you")
        assert scrolls_sideways(his) <= 0


def test_who_is_ready_glows_and_the_rim_is_lit_by_as_many(browser: Browser, address: str) -> None:
    with person(browser, address, viewport=LAPTOP) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        invited(his, room_of(hers))
        expect(hers.locator(".seats li")).to_have_count(2)
        expect(hers.locator(".seats li.ready")).to_have_count(0)
        assert hers.evaluate(LIT) == 0
        ready(his)
        expect(hers.locator(".seats li.ready .name")).to_have_text("Bob")
        glow = hers.locator(".seats li.ready .disc").evaluate(
            "one => getComputedStyle(one).boxShadow"
        )
        assert "255, 207, 74" in glow
        expect(hers.locator(".seats li.ready .ok")).to_have_count(1)
        expect(hers.locator(".seats .middle")).to_have_text("1 of 2are ready")
        assert hers.evaluate(LIT) == 30


def test_a_phone_shows_table_code_game_and_readiness_without_scrolling(
    browser: Browser, address: str
) -> None:
    with person(browser, address, viewport=PHONE) as ada:
        page = ada.page()
        room_of(page)
        page.evaluate("() => scrollTo(0, 0)")
        button = page.get_by_role("button", name="Ready", exact=True)
        for seen in (page.locator(".table-dial"), page.locator(".code"), button):
            expect(seen).to_be_in_viewport(ratio=1)
        expect(page.locator(".terms")).to_contain_text("Big Ben · Standard rules · 60 minutes")
        assert scrolls_sideways(page) <= 0


def test_a_free_seat_sends_the_link(browser: Browser, address: str) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with person(browser, address, viewport=LAPTOP, permissions=allowed) as ada:
        page = ada.page()
        link = room_of(page)
        page.locator(".seats .free").first.click()
        expect(page.locator(".toasts")).to_contain_text("Link copied.")
        assert covered(page) == []
        assert page.evaluate("() => navigator.clipboard.readText()") == link
