"""axe-core finds no fault of accessibility on any screen, in either colour scheme."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests.support.torture import often
from tests.web import axe
from tests.web.chromium import person
from tests.web.hands import come_in, name_field, pile, show_boards, type_move

Scheme = Literal["light", "dark"]

PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}


pytestmark = pytest.mark.longer

LOOKS: list[tuple[ViewportSize, Scheme]] = [(LAPTOP, "dark"), (PHONE, "light")]
MORE: list[tuple[ViewportSize, Scheme]] = [(LAPTOP, "light"), (PHONE, "dark")]


def faults(page: Page) -> list[str]:
    """Of a screen in each look."""
    found = []
    for size, scheme in often(LOOKS, [*MORE, *LOOKS]):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found += axe.faults(page)
    return found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    size, scheme = LOOKS[-1]
    with person(browser, address, viewport=size, color_scheme=scheme) as ada:
        page = ada.page()
        expect(page.get_by_role("button", name="Play today's race")).to_be_visible()
        yield page


def test_the_start_page_has_no_fault(page: Page) -> None:
    assert faults(page) == []


def test_a_game_has_no_fault_while_it_is_played(page: Page) -> None:
    come_in(page, "Ada")
    page.get_by_role("button", name="Practise").click()
    board = page.locator("svg.board")
    expect(board).to_be_visible()
    assert faults(page) == []
    pile(page, "3").click()
    assert faults(page) == []
    type_move(page, "turn", 1)
    assert faults(page) == []


def test_a_lobby_has_no_fault(page: Page) -> None:
    come_in(page, "Ada")
    page.get_by_role("button", name="Open a room").click()
    expect(page.get_by_role("button", name="Ready")).to_be_visible()
    assert faults(page) == []


def test_the_leaderboards_have_no_fault(page: Page) -> None:
    come_in(page, "Ada")
    page.get_by_role("link", name="Leaderboards").click()
    show_boards(page)
    expect(page.get_by_role("link", name="All time")).to_be_visible()
    assert faults(page) == []


def test_the_screens_about_results_have_no_fault(page: Page) -> None:
    name = name_field(page)
    name.fill("Ada")
    name.press("Enter")
    expect(page.get_by_role("link", name="Ada")).to_be_visible()
    heading = page.get_by_role("heading", level=1)
    before = heading.inner_text()
    for place in ("groups", "archive=", "player=", "group=ZZZZZZZZ"):
        page.evaluate("(place) => (location.hash = place)", place)
        expect(heading).not_to_have_text(before)
        before = heading.inner_text()
        assert faults(page) == [], place


def test_the_lesson_has_no_fault(page: Page) -> None:
    page.get_by_role("link", name="Learn it in 2 minutes").click()
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    expect(page.locator(".veil")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".ending")).to_be_visible()
    assert faults(page) == []


def test_the_rules_over_a_screen_have_no_fault(page: Page) -> None:
    page.get_by_role("button", name="How to play").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []


def test_an_invitation_has_no_fault(page: Page) -> None:
    page.goto(f"{page.url.partition('#')[0]}#room=K7QPXN")
    expect(page.get_by_label("Your name")).to_be_visible()
    assert faults(page) == []


def test_a_countdown_has_no_fault(page: Page) -> None:
    come_in(page, "Ada")
    page.get_by_role("button", name="Open a room").click()
    page.get_by_role("button", name="Start now").click()
    assert faults(page) == []
    page.get_by_role("button", name="Yes, start").click()
    expect(page.get_by_role("timer")).to_be_visible()
    assert faults(page) == []
