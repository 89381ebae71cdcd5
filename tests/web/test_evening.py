"""A race with friends: who waits, who watches, whose ghost races along, what was played."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.torture import long
from tests.web.chromium import person
from tests.web.hands import (
    come_in,
    give_up,
    moved,
    play_greedily,
    see_result,
    start_alone,
    type_move,
)

LAPTOP = {"width": 1280, "height": 800}


def room_of(page: Page, name: str) -> str:
    """The link to a new room."""
    come_in(page, name)
    page.get_by_role("button", name="Open a room").click()
    return page.get_by_label("Send this link").input_value()


def joins(page: Page, link: str, name: str) -> None:
    page.goto(link)
    come_in(page, name)
    page.get_by_role("button", name="Join").click()


def ready(page: Page) -> None:
    page.get_by_role("button", name="Ready", exact=True).click()


def test_a_lone_player_waits_and_the_host_is_asked_before_a_lone_start(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        room_of(page, "Ada")
        ready(page)
        expect(page.locator(".waits")).to_contain_text("waits until somebody else has joined")
        page.get_by_role("button", name="Start now").click()
        expect(page.get_by_role("alertdialog")).to_contain_text("Start alone?")
        page.get_by_role("button", name="No, wait").click()
        start_alone(page)


def test_a_room_says_for_whom_it_waits(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        joins(his, room_of(hers, "Ada"), "Bob")
        ready(his)
        expect(his.locator(".waits")).to_have_text("Waiting for Ada.")
        expect(hers.locator(".waits")).to_contain_text("wait for you")


def test_a_watcher_sees_who_brings_cards_home_and_never_a_card(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address, viewport=LAPTOP) as cy:
        hers, theirs = ada.page(), cy.page()
        link = room_of(hers, "Ada")
        start_alone(hers)
        theirs.goto(link)
        come_in(theirs, "Cy")
        theirs.get_by_role("button", name="Watch").click()
        expect(theirs.locator(".lanes .bubble")).to_have_count(1)
        play_greedily(hers, 4)
        expect(theirs.get_by_role("heading", name="The race is over.")).to_be_visible()
        theirs.get_by_role("link", name="Replay", exact=True).click()
        expect(theirs.locator(".side .board")).to_have_count(1)
        told = {json.loads(frame)["type"] for frame in cy.frames}
        before = [json.loads(frame)["type"] for frame in cy.frames]
        assert "snapshot" not in told
        assert "diff" not in told
        assert before.index("reveal") < before.index("record")


@pytest.mark.parametrize(("size", "boards"), [((1280, 800), 2), long((390, 844), 1)])
def test_all_games_are_seen_again_on_one_clock(
    browser: Browser, address: str, size: tuple[int, int], boards: int
) -> None:
    view = {"width": size[0], "height": size[1]}
    with person(browser, address, viewport=view) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        joins(his, room_of(hers, "Ada"), "Bob")
        expect(hers.locator(".seats li")).to_have_count(2)
        ready(hers)
        ready(his)
        moved(his, 0)
        play_greedily(his, 3)
        play_greedily(hers, 2)
        see_result(hers)
        expect(hers.locator(".places .wheel")).to_have_count(2)
        his_name = hers.locator(".places").get_by_role("link", name="Bob")
        expect(his_name).to_have_attribute("href", re.compile("#player=guest"))
        shared = re.compile(r"^Big Ben \w{6} · \d+/104 · .* of 2\n[■◕◑◔]{12}$")
        expect(hers.get_by_label("The card as text")).to_have_value(shared)
        hers.get_by_role("link", name="Replay", exact=True).click()
        expect(hers.locator(".side .board")).to_have_count(boards)
        expect(hers.locator(".side .name").first).to_have_text("Ada")
        hers.get_by_role("slider", name="Time").press("End")
        last = re.compile("Move (\\d+) of \\1:")
        expect(hers.locator(".side .hint")).to_have_text([last] * boards)
        hers.get_by_role("button", name="Speed: 4×").click()
        expect(hers.get_by_role("button", name="Speed: 16×")).to_be_visible()
        if boards == 1:
            hers.get_by_role("link", name="Bob").click()
        else:
            hers.get_by_label("Board 1").select_option("Bob")
        expect(hers.locator(".side .name").first).to_have_text("Bob")


def test_a_finisher_has_a_place_so_far_and_opens_the_one_rematch(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        joins(his, room_of(hers, "Ada"), "Bob")
        expect(hers.locator(".seats li")).to_have_count(2)
        ready(hers)
        ready(his)
        moved(his, 0)
        type_move(hers, "deal", 1)
        give_up(hers)
        expect(hers.locator(".own-place")).to_have_text(re.compile("(1st|2nd) so far"))
        hers.get_by_role("button", name="Rematch").click()
        expect(hers.locator(".seats li")).to_have_count(1)
        expect(his.locator(".news")).to_contain_text("rematch")
        give_up(his)
        his.get_by_role("link", name="Ada opened a rematch: join").click()
        expect(his.locator(".seats li")).to_have_count(2)
        assert his.url == hers.url
        # She has left the race before it was over.
        expect(hers.locator(".evening")).to_contain_text("won 1")


def test_a_player_whose_browser_is_gone_is_away_and_the_end_is_said_before(
    browser: Browser, address: str
) -> None:
    with person(browser, address, viewport=LAPTOP) as ada:
        hers = ada.page()
        link = room_of(hers, "Ada")
        with person(browser, address) as bob:
            his = bob.page()
            joins(his, link, "Bob")
            expect(hers.locator(".seats li")).to_have_count(2)
            ready(hers)
            ready(his)
            moved(his, 0)
            moved(hers, 0)
        expect(hers.locator(".bars .away .state")).to_contain_text("away")
        expect(hers.locator(".news")).to_contain_text("Bob is away.")
        give_up(hers)
        expect(hers.locator(".news")).to_contain_text("Bob’s game ends in")


def test_a_ghost_races_along_on_the_own_clock(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address, viewport=LAPTOP) as bob:
        hers, his = ada.page(), bob.page()
        come_in(hers, "Ada")
        hers.get_by_text("Time limit, deal, who may join").click()
        hers.get_by_label("Start", exact=True).select_option(
            "Each on their own clock for three days"
        )
        hers.get_by_role("button", name="Open a room").click()
        expect(hers.get_by_text("Open until")).to_be_visible()
        link = hers.get_by_label("Send this link").input_value()
        hers.get_by_role("button", name="Show me the cards").click()
        play_greedily(hers, 5)
        joins(his, link, "Bob")
        his.get_by_role("button", name="Show me the cards").click()
        ghost = his.locator(".bars .ghost")
        expect(ghost.locator(".name")).to_have_text("Ada")
        expect(ghost.locator(".state")).to_contain_text("ghost")
