"""Today's race in a browser, from the first tap to the leaderboard."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.support.server_process import serving
from tests.web.chromium import person
from tests.web.hands import (
    OVER,
    choose_game,
    come_in,
    give_up,
    home,
    play_greedily,
    see_result,
    show_boards,
)


def test_the_daily_is_one_tap_away_and_ends_on_the_leaderboard(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        play_greedily(page, 12)
        cards = home(page)
        expect(page.locator(OVER)).to_have_text(re.compile("No moves|All cards home|You gave up"))
        see_result(page)
        page.get_by_role("main").get_by_role("link", name="Leaderboards").click()
        row = page.locator("tr.mine")
        expect(row).to_contain_text("you")
        expect(row).to_contain_text(f"{cards} home" if cards < 104 else ":")


def test_a_reload_and_the_way_back_find_the_same_game(browser: Browser, address: str) -> None:
    with person(browser, address) as bob:
        page = bob.page()
        come_in(page, "Bob")
        page.get_by_role("button", name="Play today’s race").click()
        page.get_by_role("textbox", name="Type a move").fill("deal")
        page.keyboard.press("Enter")
        expect(page.locator('svg.board[data-n="1"]')).to_be_visible()
        page.reload()
        expect(page.locator('svg.board[data-n="1"]')).to_be_visible()
        page.get_by_role("link", name="Big Ben").click()
        page.get_by_role("button", name="Continue today’s race").click()
        expect(page.locator('svg.board[data-n="1"]')).to_be_visible()


def test_one_may_practise_more_often_than_races_can_be_followed(
    browser: Browser, tmp_path: Path
) -> None:
    settings = {"BIGBEN_RACES_PER_CONNECTION": "2"}
    with (
        serving(tmp_path, settings) as server,
        person(browser, server.url.replace("ws:", "http:")) as cy,
    ):
        page = cy.page()
        come_in(page, "Cy")
        for _ in range(4):
            page.get_by_role("button", name="Practise").click()
            expect(page.locator("svg.board")).to_be_visible()
            page.get_by_role("link", name="Big Ben").click()


def test_guests_find_the_board_of_guests_where_they_are_ranked_apart(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        serving(tmp_path, {"BIGBEN_RANKED": "verified"}) as server,
        person(browser, server.url.replace("ws:", "http:")) as ada,
    ):
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        give_up(page)
        see_result(page)
        page.get_by_role("main").get_by_role("link", name="Leaderboards").click()
        expect(page.locator("main")).to_contain_text("Nobody yet")
        show_boards(page)
        page.get_by_role("link", name="Guests").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Standard rules · Guests")
        expect(page.get_by_role("row").filter(has_text="Ada")).to_contain_text("you")


def test_every_game_has_its_daily_and_its_leaderboard(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        choose_game(page, "clock")
        expect(page.locator(".hero")).to_contain_text("There is nothing to decide in Clock")
        choose_game(page, "germanclock")
        page.get_by_label("Rules", exact=True).select_option("One redeal")
        page.get_by_role("button", name="Play today’s race").click()
        named = re.compile(r"^Daily race, .* · German Clock · One redeal$")
        expect(page.get_by_role("heading", level=1)).to_have_text(named)
        give_up(page)
        see_result(page)
        page.get_by_role("main").get_by_role("link", name="Leaderboards").click()
        expect(page.get_by_role("row").filter(has_text="Ada")).to_contain_text("0 home")
        show_boards(page)
        page.get_by_label("Game and rules").select_option("Watch")
        expect(page.get_by_role("heading", level=1)).to_have_text(
            re.compile(r"^Today’s race .* · Watch · Standard rules$")
        )
        expect(page.locator("main")).to_contain_text("Nobody yet")
        page.get_by_role("link", name="Big Ben").first.click()
        expect(page.locator(".hero")).to_contain_text(
            re.compile("Today’s race is played.*0cards home")
        )
        choose_game(page, "bigben")
        expect(page.get_by_role("button", name="Play today’s race")).to_be_visible()
