"""Two players on the page: one challenges the other, who declines, and accepts."""

import re

from playwright.sync_api import Browser, expect
from tests.server.boards.made import stuck, won
from tests.support.operator import order
from tests.support.server_process import ServerProcess
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import name_field
from tests.web.past_days import days_ago, make_days, who_plays


def test_a_player_is_challenged_on_their_profile_and_both_go_to_the_room(
    browser: Browser, address: str, server: ServerProcess
) -> None:
    phone = {"width": 390, "height": 844}
    with person(browser, address) as one, person(browser, address, viewport=phone) as other:
        ada, bob = one.page(), other.page()
        for page, name in ((ada, "Ada"), (bob, "Bob")):
            name_field(page).fill(name)
            name_field(page).press("Enter")
        adas, bobs = who_plays(ada), who_plays(bob)
        make_days(server, {days_ago(1): {adas: won(600_000), bobs: stuck(80, 500_000)}})
        for player, name in ((adas, "Ada"), (bobs, "Bob")):  # made results have other names
            order(server.data, "rename", player, name)
        ada.goto(f"{address}/#player={bobs}&game=watch&rules=standard")
        duel = ada.get_by_role("region", name="You and Bob")
        duel.get_by_role("button", name="Challenge Bob: Watch").click()
        expect(duel.get_by_role("status")).to_contain_text("You have challenged Bob: Watch.")
        assert faults(ada) == []

        notice = bob.locator(".challenge")
        expect(notice).to_contain_text("Ada challenges you to a race: Watch.")
        expect(notice).to_contain_text("So far: you 0 : 1 Ada.")
        assert faults(bob) == []
        bob.get_by_role("button", name="Practise").click()  # at a board it is silent
        expect(bob.locator("svg.board")).to_be_visible()
        expect(notice).to_have_count(0)
        bob.goto(f"{address}/#player={adas}")
        bob.get_by_role("region", name="You and Ada").get_by_role("button", name="Decline").click()
        expect(notice).to_have_count(0)
        told = ada.locator(".challenge")
        expect(told).to_contain_text("Bob has declined your challenge.")
        told.get_by_role("button", name="Close this notice").click()
        expect(told).to_have_count(0)

        bob.get_by_role("button", name="Challenge Ada: Big Ben").click()
        expect(told).to_contain_text("Bob challenges you to a race: Big Ben.")
        told.get_by_role("button", name="Accept").click()
        expect(ada.get_by_role("button", name=re.compile("^Ready"))).to_be_visible()
        expect(notice).to_contain_text("Ada has accepted your challenge. So far: you 0 : 1 Ada.")
        notice.get_by_role("button", name="Go to the room").click()
        expect(bob.get_by_role("button", name=re.compile("^Ready"))).to_be_visible()
        expect(ada.locator(".lobby")).to_contain_text("Bob")
        expect(notice).to_have_count(0)
