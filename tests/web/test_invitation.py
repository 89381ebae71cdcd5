"""What a newcomer meets: an invitation, the lesson, the rules over a screen."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import person
from tests.web.guests import Guest
from tests.web.hands import choose_game, come_in, moved

PHONE = {"width": 390, "height": 844}


def knows(page: Page, code: str, **info: object) -> None:
    """Let the server tell this of the room, without a player."""
    told = {"race": code, "kind": "live", "phase": "open", "rules": {}, "host": "Ada", **info}
    answer = json.dumps({"players": 2, "names": ["Ada", "Bob"], **told})
    page.route(
        f"**/api/races/{code}",
        lambda route: route.fulfill(body=answer, content_type="application/json"),
    )


def test_an_invitation_says_who_invites_to_what_before_it_asks_for_a_name(
    browser: Browser, address: str
) -> None:
    code = Guest(address).opens()
    with person(browser, address, viewport=PHONE) as cy:
        page = cy.page()
        knows(page, code, rules={"limit_ms": 1_200_000})
        page.goto(f"{address}/#room={code}")
        gate = page.locator(".gate")
        expect(gate.get_by_role("heading")).to_have_text("Ada invites you to a race.")
        expect(gate).to_contain_text("Big Ben · Standard rules · 20 minutes")
        expect(gate).to_contain_text("2 players are there: Ada, Bob")
        assert not cy.frames
        come_in(page, "Cy")
        page.get_by_role("button", name="Join").click()
        expect(page.locator(".seats")).to_contain_text("Cy")


def test_one_may_learn_first_and_comes_back_to_the_invitation(
    browser: Browser, address: str
) -> None:
    code = Guest(address).opens()
    with person(browser, address) as cy:
        page = cy.page(f"#room={code}")
        page.get_by_role("link", name="New to the game?").click()
        page.get_by_role("button", name="Skip").click()
        page.get_by_role("button", name="Back to the invitation").click()
        expect(page.get_by_label("Your name")).to_be_visible()
        expect(page.get_by_role("button", name="Join")).to_be_visible()


def test_a_race_that_has_begun_says_so(browser: Browser, address: str) -> None:
    with person(browser, address) as cy:
        page = cy.page()
        knows(page, "K7QPXM", phase="running")
        page.goto(f"{address}/#room=K7QPXM-4TZ8QN")
        expect(page.locator(".gate")).to_contain_text("It has started already.")
        expect(page.get_by_role("button", name="Watch")).to_be_visible()


def test_the_first_tap_plays_todays_race_without_a_name_or_a_question(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_whoever_wants_to_learn_first_comes_back_to_todays_race(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.get_by_role("link", name="Learn it in 2 minutes").click()
        expect(page.locator(".coach")).to_contain_text("clock of cards")
        page.get_by_role("button", name="Skip").click()
        assert not [frame for frame in ada.frames if '"snapshot"' in frame]
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)


@pytest.mark.parametrize("game", ["bigben", "watch", "germanclock"])
def test_the_rules_lie_over_a_race_and_give_the_focus_back(
    browser: Browser, address: str, game: str
) -> None:
    with person(browser, address, viewport={"width": 1280, "height": 800}) as ada:
        page = ada.page()
        choose_game(page, game)
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        page.get_by_role("button", name="How to play").focus()
        page.keyboard.press("Enter")
        rules = page.get_by_role("dialog")
        expect(rules.get_by_role("img", name="The cards at the start")).to_be_visible()
        expect(rules).to_contain_text("What the marks mean")
        rules.get_by_role("button", name="Close").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("button", name="How to play")).to_be_focused()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_have_count(1)
