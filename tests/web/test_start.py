"""The start page of somebody who has races that go on."""

from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.support.server_process import UNHURRIED, serving
from tests.web.chromium import person
from tests.web.hands import come_in, give_up, moved, type_move
from tests.web.rooms import room_with


def test_a_race_that_goes_on_shows_its_clock_and_the_way_back(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        type_move(page, "deal", 1)
        page.get_by_role("link", name="Big Ben").click()
        expect(page.get_by_role("img", name="Your clock: Practice")).to_be_visible()
        page.get_by_role("link", name="Continue Practice · 12 home").click()
        moved(page, 1)


def test_a_room_that_waits_is_one_tap_away(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        code = room_with(page)
        page.reload()
        page.get_by_role("link", name=f"Back to {code}").click()
        expect(page.locator(".seats")).to_contain_text("Ada")


def test_the_podium_shows_who_has_played_today(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, UNHURRIED) as server,
        person(browser, address := server.url.replace("ws:", "http:")) as ada,
        person(browser, address) as bob,
    ):
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today's race").click()
        moved(page, 0)
        give_up(page)
        page = bob.page()
        expect(page.locator(".podium")).to_contain_text("Ada")
        expect(page.locator(".podium")).to_contain_text("1 has played")
        assert not bob.frames


def test_an_invitation_comes_from_the_server(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as cy:
        code = room_with(ada.page(), rules="book")
        page = cy.page(f"#room={code}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Ada invites you to a race.")
        expect(page.locator(".gate")).to_contain_text("Big Ben · Rules of the book")
