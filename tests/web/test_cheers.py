"""Cheers on the page: five buttons, a bubble at who calls, and a wish to be without them."""

from playwright.sync_api import Browser, expect
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.test_live import both_ready, invited, room_of


def test_players_cheer_by_taps_and_keys_and_one_who_wants_none_has_none(
    browser: Browser, address: str
) -> None:
    phone = {"width": 390, "height": 844}
    with (
        person(browser, address) as ada,
        person(browser, address, viewport=phone) as bob,
        person(browser, address) as cy,
    ):
        hers, his = ada.page(), bob.page()
        invited(his, room_of(hers))
        hers.get_by_role("button", name="Cheer", exact=True).click()
        five = hers.get_by_role("dialog", name="Call something").get_by_role("button")
        expect(five.first).to_be_focused()
        assert five.all_inner_texts()[:5] == [
            "Good luck!",
            "Well played!",
            "Wow!",
            "That was close!",
            "Thanks for the race!",
        ]
        assert faults(hers) == []
        hers.keyboard.press("Enter")
        expect(his.locator(".seats li .cheer")).to_have_text("Good luck!")
        expect(his.locator("#said")).to_have_text("Ada: Good luck!")
        expect(hers.locator("#said")).to_have_text("You: Good luck!")
        cheer = hers.get_by_role("button", name="Cheer", exact=True)
        expect(cheer).to_be_focused()
        cheer.press("Enter")
        expect(five.first).to_be_focused()
        hers.keyboard.press("Escape")
        expect(five).to_have_count(0)
        expect(cheer).to_be_focused()

        both_ready(hers, his)
        his.get_by_role("button", name="Cheer", exact=True).click()
        assert faults(his) == []
        his.get_by_role("button", name="Well played!").click()
        expect(hers.locator(".bars li .cheer")).to_have_text("Well played!")
        expect(hers.locator(".bars li .cheer")).to_have_count(0)
        theirs = cy.page()
        theirs.get_by_label("Code or link of a room").fill(hers.url)
        theirs.get_by_role("button", name="Join").click()
        theirs.get_by_role("link", name="Watch").click()
        theirs.get_by_role("button", name="Cheer", exact=True).click()
        theirs.get_by_role("button", name="Wow!").click()
        expect(theirs.locator("#said")).to_have_text("Shown to the others: Wow!")
        expect(hers.locator("#said")).to_have_text("Somebody watching: Wow!")
        his.get_by_role("button", name="Cheer", exact=True).click()
        his.get_by_role("button", name="Hide all cheers").click()
        expect(his.get_by_role("button", name="Cheer", exact=True)).to_have_count(0)

        his.reload()
        expect(his.locator("svg.board")).to_be_visible()
        expect(his.get_by_role("button", name="Cheer", exact=True)).to_have_count(0)
