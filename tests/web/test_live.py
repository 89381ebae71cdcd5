"""A live race in two browsers: the room, the countdown, the race, the end, the rematch."""

import json
import re

from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import Watched, person
from tests.web.hands import OVER, come_in, give_up, pile, play_greedily, see_result, start_alone
from tests.web.sight import smaller_than

CARD_BEARERS = ("snapshot", "diff", "record", "reveal")


def room_of(page: Page) -> str:
    """Open a room; the link that it is shared by."""
    come_in(page, "Ada")
    page.get_by_role("button", name="Open a room").click()
    link = page.get_by_label("Send this link")
    expect(link).to_be_visible()
    return link.input_value()


def both_ready(ada: Page, bob: Page) -> None:
    for one in (ada, bob):
        one.get_by_role("button", name="Ready", exact=True).click()
    for one in (ada, bob):
        expect(one.locator("svg.board")).to_be_visible()


def invited(bob: Page, link: str) -> None:
    """Bob has his seat: before that, a host who is ready waits."""
    bob.goto(link)
    come_in(bob, "Bob")
    bob.get_by_role("button", name="Join").click()
    expect(bob.get_by_role("button", name="Ready", exact=True)).to_be_visible()


def places(page: Page) -> list[str]:
    """The lines of the result."""
    expect(page.locator(".bars h2")).to_have_text("Result")
    return page.locator(".bars li").all_inner_texts()


def bearers_of_cards(one: Watched) -> list[dict[str, object]]:
    messages = [json.loads(frame) for frame in one.frames]
    return [message for message in messages if message["type"] in CARD_BEARERS]


def test_two_race_to_the_end_see_the_same_result_and_go_for_a_rematch(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.context.new_page()
        link = room_of(hers)
        assert link.startswith(f"{address}/#room=")
        invited(his, link)
        expect(hers.locator(".seats")).to_contain_text("Bob")
        both_ready(hers, his)

        for one in (hers, his):  # nobody has moved: both are first
            expect(one.locator(".bars .place")).to_have_text(["1", "1"])

        play_greedily(hers, 12)
        expect(his.locator(".bars li").filter(has_text="Ada")).to_contain_text("gave up")
        play_greedily(his, 6)
        assert places(hers) == places(his)

        hers.get_by_role("button", name="Rematch").click()
        his.get_by_role("link", name="Ada opened a rematch: join").click()
        expect(his.locator(".seats li")).to_have_count(2)
        expect(hers.locator(".seats li")).to_have_count(2)
        assert his.url == hers.url
        for one in (hers, his):
            expect(one.locator(".evening")).to_contain_text(re.compile("This evening1 race.*won 1"))


def test_no_card_of_a_rival_reaches_a_browser(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        invited(his, room_of(hers))
        # The page that Bob has begun with is left; what he receives counts from here.
        both_ready(hers, his)
        play_greedily(hers, 8)
        expect(his.locator(".bars li").filter(has_text="Ada")).to_contain_text("gave up")
        (snapshot,) = bearers_of_cards(bob)
        assert (snapshot["type"], snapshot["n"]) == ("snapshot", 0)
        assert {one["type"] for one in bearers_of_cards(ada)} == {"snapshot", "diff"}
        play_greedily(his, 2)
        for page, person_ in ((hers, ada), (his, bob)):
            see_result(page)
            expect(page.locator(".verdict.holds")).to_be_visible()
            told = [one["type"] for one in bearers_of_cards(person_)]
            assert {*told[told.index("reveal") :]} == {"reveal", "record"}
            assert "record" not in told[: told.index("reveal")]


def test_one_who_comes_too_late_watches(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as cy:
        hers, theirs = ada.page(), cy.page()
        link = room_of(hers)
        start_alone(hers)
        come_in(theirs, "Cy")
        theirs.get_by_label("Code or link of a room").fill(link)
        theirs.get_by_role("button", name="Join").click()
        expect(theirs.get_by_role("heading", level=1)).to_have_text(
            "This race has started without you"
        )
        theirs.get_by_role("link", name="Watch").click()
        expect(theirs.locator(".bars li")).to_contain_text("Ada")
        assert "#watch=" in theirs.url
        theirs.set_viewport_size({"width": 1920, "height": 1080})
        assert smaller_than(theirs, 16) == [], "it is read from far"
        pile(hers, "s").click()
        give_up(hers)
        expect(theirs.locator(".bars h2")).to_have_text("Result")
        expect(theirs.locator(OVER)).to_have_text("The race is over.")


def test_the_host_starts_without_those_who_are_not_ready(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        invited(his, room_of(hers))
        expect(hers.locator(".seats li")).to_have_count(2)
        hers.get_by_role("button", name="Ready", exact=True).click()
        hers.get_by_role("button", name="Not ready").click()
        hers.get_by_role("button", name="Ready", exact=True).click()
        hers.get_by_role("button", name="Start now").click()
        expect(hers.get_by_role("alertdialog")).to_contain_text("Start without Bob?")
        hers.get_by_role("button", name="Yes, start").click()
        expect(hers.locator("svg.board")).to_be_visible()
        expect(his.get_by_text("You are watching this race.")).to_be_visible()


def test_a_room_by_invitation_is_entered_by_its_link_and_has_the_chosen_rules(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        come_in(hers, "Ada")
        hers.get_by_text("Time limit, deal, who may join").click()
        hers.get_by_label("Rules", exact=True).select_option("Rules of the book")
        hers.get_by_label("Time limit").select_option("10 minutes")
        hers.get_by_label("Invite only").check()
        hers.get_by_label("Moves can be taken back").check()
        link = room_of(hers)
        expect(hers.locator(".share")).to_contain_text("Rules of the book · 10 minutes")
        code = hers.locator(".code").text_content() or ""
        assert link.startswith(f"{address}/#room={code}-")

        come_in(his, "Bob")
        his.get_by_label("Code or link of a room").fill(code)
        his.get_by_role("button", name="Join").click()
        expect(his.get_by_role("heading", level=1)).to_have_text("This room is by invitation")
        his.get_by_role("link", name="Big Ben").click()
        his.get_by_label("Code or link of a room").fill(link)
        his.get_by_role("button", name="Join").click()
        expect(his.locator(".seats li")).to_have_count(2)
        his.get_by_role("button", name="Leave").click()
        expect(hers.locator(".seats li")).to_have_count(1)
