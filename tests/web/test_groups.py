"""Groups of friends: made, joined by a link, with boards of their own, and left."""

from playwright.sync_api import Browser, Page, expect
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, give_up, see_result, show_boards


def make_group(page: Page, name: str) -> str:
    """The link that invites to a new group."""
    page.get_by_role("link", name="Clubs").press("Enter")  # what comes in may move it
    expect(page.locator("main")).to_contain_text("You are in no group yet.")
    page.get_by_label("Name of a new group").fill(name)
    page.get_by_role("button", name="Make the group").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.get_by_label("Send this link to your friends").input_value()


def test_friends_join_by_a_link_and_race_on_boards_of_their_own(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_label("Your name").press("Enter")
        link = make_group(page, "The Aces")
        assert faults(page) == []
        page.get_by_role("main").get_by_role("link", name="Leaderboards").click()
        expect(page.locator("main")).to_contain_text("Nobody in this group has finished")
        expect(page.get_by_role("link", name="Invite friends")).to_be_visible()

        other = bob.page(link.removeprefix(f"{address}/"))
        expect(other.get_by_role("heading", level=1)).to_have_text("You are invited to a group.")
        assert faults(other) == []
        come_in(other, "Bob")
        other.get_by_role("button", name="Join the group").click()
        show_boards(other)
        board = other.get_by_role("navigation", name="Who is ranked")
        expect(board.get_by_role("link", name="The Aces")).to_have_attribute("aria-current", "page")
        other.keyboard.press("Escape")
        other.get_by_role("link", name="To today’s race").click()
        other.get_by_role("button", name="Play today’s race").click()
        give_up(other)
        see_result(other)
        expect(other.get_by_role("list", name="Friends today")).to_contain_text("Bob")

        other.goto(address)
        expect(other.locator(".podium")).to_contain_text("Friends today")
        expect(other.locator(".podium")).to_contain_text("The Aces")
        expect(other.locator(".podium .name")).to_have_text("Bob")
        assert faults(other) == []

        page.reload()
        expect(page.get_by_role("heading", level=1)).to_contain_text("The Aces")
        expect(page.get_by_role("row").filter(has_text="Bob")).to_contain_text("12 home")
        show_boards(page)
        page.get_by_role("link", name="Everybody").click()
        expect(page.get_by_role("row").filter(has_text="Bob")).to_be_visible()


def test_a_group_is_joined_by_its_code_and_left(browser: Browser, address: str) -> None:
    with person(browser, address) as cy, person(browser, address) as dora:
        page = cy.page()
        come_in(page, "Cy")
        page.get_by_label("Your name").press("Enter")
        link = make_group(page, "The Kings")
        code = link.partition("=")[2].lower()

        other = dora.page("#groups")
        come_in(other, "Dora")
        other.get_by_label("Code or link of a group").fill(f"{code[:4]}-{code[4:]}")
        other.get_by_role("button", name="Join", exact=True).click()
        show_boards(other)
        expect(other.get_by_role("link", name="The Kings")).to_be_visible()
        other.get_by_role("main").get_by_role("link", name="Clubs").click()
        other.get_by_role("button", name="Leave the group").click()
        expect(other.get_by_role("button", name="No")).to_be_focused()
        other.get_by_role("button", name="Yes, leave").click()
        expect(other.locator("main")).to_contain_text("You are in no group yet.")


def test_a_wrong_code_is_said(browser: Browser, address: str) -> None:
    with person(browser, address) as eve:
        page = eve.page("#group=ZZZZZZZZ")
        come_in(page, "Eve")
        page.get_by_role("button", name="Join the group").click()
        expect(page.get_by_role("alert")).to_contain_text("group")
        page.goto(f"{address}/#groups")
        page.get_by_role("button", name="Make the group").click()
        expect(page.get_by_role("alert")).to_contain_text("Please type a name for the group")
