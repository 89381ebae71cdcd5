"""What the operator announces: on every screen, read out, closed by the player, no markup."""

from playwright.sync_api import Browser, expect
from tests.support.operator import order
from tests.support.server_process import ServerProcess
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, type_move

TEXT = "Back at <b>20:00</b> & not before."


def test_an_announcement_is_shown_until_it_is_closed_or_withdrawn(
    browser: Browser, address: str, server: ServerProcess
) -> None:
    with person(browser, address, viewport={"width": 390, "height": 844}) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        expect(page.locator("svg.board")).to_be_visible()
        shown = page.locator("[role=status] .announced")
        order(server.data, "announce", TEXT)
        expect(shown.locator("span")).to_have_text(TEXT)
        expect(shown.locator("b")).to_have_count(0)
        assert faults(page) == []
        type_move(page, "deal", 1)

        shown.get_by_role("button", name="Close this announcement").click()
        expect(shown).to_have_count(0)
        page.reload()
        type_move(page, "deal", 2)
        expect(shown).to_have_count(0)

        order(server.data, "announce", "Soon.")
        expect(shown.locator("span")).to_have_text("Soon.")
        page.reload()
        expect(shown.locator("span")).to_have_text("Soon.")
        order(server.data, "announce", "--withdraw")
        expect(shown).to_have_count(0)


def test_a_banned_player_reads_why_and_their_page_stops_trying(
    browser: Browser, address: str, server: ServerProcess
) -> None:
    with person(browser, address) as bob:
        page = bob.page()
        come_in(page, "Bob")
        page.get_by_role("button", name="Practise").click()
        expect(page.locator("svg.board")).to_be_visible()
        token = page.evaluate("localStorage.getItem('bigben.token')")
        player = page.evaluate(
            "JSON.parse(atob(localStorage.getItem('bigben.token').split('.')[1])).sub"
        )
        order(server.data, "ban", player, "--reason", "Be kind")
        expect(page.get_by_text("You may not play here: Be kind.")).to_be_visible()
        page.get_by_role("button", name="Reload").click()
        expect(page.get_by_text("You may not play here: Be kind.")).to_be_visible()
        assert page.evaluate("localStorage.getItem('bigben.token')") == token
        order(server.data, "unban", player)
        page.reload()
        expect(page.locator("svg.board")).to_be_visible()
