"""The end of a game: what its card says, to whom, and what the start page says afterwards."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.web.chromium import person
from tests.web.guests import Guest
from tests.web.hands import OVER, come_in, give_up, moved, see_result, start_alone, type_move

ALL_GAMES_MS = 1_500


def play_today(page: Page, name: str) -> None:
    come_in(page, name)
    page.get_by_role("button", name="Play today’s race").click()
    moved(page, 0)


def test_a_player_who_has_played_today_sees_the_result_and_no_invitation_to_play(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        serving(tmp_path, UNHURRIED) as server,
        person(browser, server.url.replace("ws:", "http:")) as ada,
    ):
        page = ada.page()
        play_today(page, "Ada")
        page.get_by_role("link", name="Big Ben").click()
        page.get_by_role("button", name="Continue today’s race").click()
        type_move(page, "deal", 1)
        give_up(page)
        see_result(page)
        result = page.locator(".result")
        expect(result).to_contain_text("The result is final in ")
        expect(result).not_to_contain_text("Others are still playing.")
        for _ in range(2):
            page.get_by_role("link", name="Big Ben").click()
            expect(page.locator(".hero")).to_contain_text("Today’s race is played")
            expect(page.locator(".hero")).to_contain_text("12cards home")
            assert not page.get_by_role("button", name="Play today’s race").count()
            page.reload()
        page.get_by_role("button", name="See today’s race").click()
        expect(page.locator(OVER)).to_have_text(re.compile("You gave up"))


def test_a_finished_player_sees_the_progress_of_another(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, UNHURRIED) as server:
        address = server.url.replace("ws:", "http:")
        with person(browser, address) as ada, person(browser, address) as bob:
            hers, his = ada.page(), bob.page()
            play_today(hers, "Ada")
            play_today(his, "Bob")
            give_up(hers)
            see_result(hers)
            expect(hers.locator(".result")).to_contain_text("Others are still playing.")
            give_up(his)
            expect(hers.locator(".result")).not_to_contain_text("Others are still playing.")


def test_a_game_whose_time_is_up_says_so_and_can_not_be_continued(
    browser: Browser, server: ServerProcess, address: str
) -> None:
    guest = Guest(address)
    race = guest.opens(limit_ms=ALL_GAMES_MS)
    with person(browser, address, token=guest.token) as ada:
        page = ada.page(f"#room={race}")
        start_alone(page)
        expect(page.locator(OVER)).to_have_text("Time is up.")
        expect(page.locator("svg.board .clock")).to_have_count(0)  # no card came home
        assert not page.locator("svg.board [role=button]").count()
        assert not page.get_by_role("button", name="Turn").count()
        see_result(page)
        expect(page.locator(".verdict.holds")).to_be_visible()
        page.reload()
        expect(page.locator(OVER)).to_have_text("Time is up.")
        assert server.complaints() == []
