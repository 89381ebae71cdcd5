"""axe-core finds no fault of accessibility on any screen, in either colour scheme."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.torture import tortured
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, pile, type_move

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture(
    params=[
        (PHONE, "light"),
        (LAPTOP, "dark"),
        *tortured((PHONE, "dark"), (LAPTOP, "light")),
    ],
    ids=str,
)
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    size, scheme = request.param
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
    expect(page.get_by_role("link", name="All time")).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize("place", ["groups", "archive=", "player=", "group=ZZZZZZZZ"])
def test_the_screens_about_results_have_no_fault(page: Page, place: str) -> None:
    name = page.get_by_label("Your name")
    name.fill("Ada")
    name.press("Enter")
    expect(page.get_by_role("link", name="Ada")).to_be_visible()
    page.evaluate("(place) => (location.hash = place)", place)
    expect(page.get_by_role("heading", level=1)).not_to_have_text(re.compile("One deal"))
    assert faults(page) == []


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
