"""A daily whose deal was chosen: its grade before the close, par and the line after it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.fairness.races import BOB
from tests.support.graded_days import Graded, serving_graded
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, give_up, name_field
from tests.web.past_days import who_plays

from bigben_protocol import PlayerId, RaceId
from bigben_server.race.events import Player


class Days(NamedTuple):
    """A server after a daily that Ada, on this page, has won and Bob gave up."""

    graded: Graded
    yesterday: RaceId
    ada: Page


@pytest.fixture(scope="module")
def days(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Days]:
    with (
        serving_graded(tmp_path_factory.mktemp("graded")) as graded,
        person(browser, address_of(graded)) as one,
    ):
        page = one.page()
        name = name_field(page)
        name.fill("Ada")
        name.press("Enter")
        ada = Player(PlayerId(who_plays(page)), "Ada")
        yield Days(graded, graded.close_yesterday(ada, BOB), page)


def address_of(graded: Graded) -> str:
    return graded.server.url.replace("ws:", "http:")


def test_the_heading_has_the_grade_before_the_close(days: Days, browser: Browser) -> None:
    with person(browser, address_of(days.graded)) as cy:
        page = cy.page()
        come_in(page, "Cy")
        page.get_by_role("button", name="Play today’s race").click()
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text(re.compile(r"^Daily race, [^·]*$"))
        page.get_by_role("link", name="Big Ben").click()
        page.get_by_label("Rules", exact=True).select_option("Rules of the book")
        page.get_by_role("button", name="Play today’s race").click()
        expect(heading).to_have_text(re.compile(r"^Daily race, .* · Rules of the book · hard$"))
        assert not any('"par":' in frame for frame in cy.frames)
        assert not any('"certificate"' in frame for frame in cy.frames)


def test_the_winner_of_a_closed_daily_reads_par_beside_their_own_moves(days: Days) -> None:
    page, (par, moves) = days.ada, (days.graded.par, days.graded.moves)
    page.goto(f"{address_of(days.graded)}/#watch={days.yesterday}")
    expect(page.locator(".par")).to_have_text(f"Best known win: {par} moves; you needed {moves}.")
    expect(page.get_by_role("heading", level=1)).to_contain_text("hard")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".onfelt .next")).to_contain_text("Next daily race in")
    ways = page.locator(".what > section")
    expect(ways.locator("h3")).to_have_text(["Skill and luck", "Try again", "Race your friends"])
    boxes = [box for way in ways.all() if (box := way.bounding_box())]
    assert {(box["y"], box["height"]) for box in boxes} == {(boxes[0]["y"], boxes[0]["height"])}
    assert max(abs(box["width"] - boxes[0]["width"]) for box in boxes) < 1
    page.set_viewport_size({"width": 480, "height": 740})


def test_who_has_played_today_looks_at_yesterday_again(days: Days) -> None:
    page = days.ada
    page.goto(address_of(days.graded))
    expect(page.locator(".yesterday")).to_have_count(0)
    page.get_by_role("button", name="Play today’s race").click()
    give_up(page)
    page.goto(address_of(days.graded))
    box = page.locator(".yesterday")
    expect(box).to_contain_text("104 home, 1st of 2.")
    expect(box.get_by_role("button", name="Find the turning point")).to_be_visible()
    assert faults(page) == []
    box.get_by_role("link", name="See the result").click()
    expect(page.locator(".own-place")).to_have_text("First place")


def test_all_others_read_par_alone_and_replay_the_line_that_wins(
    days: Days, browser: Browser
) -> None:
    with person(browser, address_of(days.graded)) as cy:
        page = cy.page(f"#watch={days.yesterday}")
        come_in(page, "Cy")
        page.get_by_role("button", name="See the result").click()
        said = f"Best known win: {days.graded.par} moves"
        expect(page.locator(".par")).to_contain_text(said)
        expect(page.locator(".places")).not_to_contain_text("a line that wins")
        page.get_by_role("link", name="Replay", exact=True).click()
        page.get_by_role("link", name="A line that wins").click()
        page.get_by_role("slider").press("End")
        side = page.locator(".side")
        expect(side.locator(".name")).to_have_text("A line that wins")
        expect(side).to_contain_text(f"Move {days.graded.par} of {days.graded.par}")
        expect(side.locator(".home").first).to_have_text("104")
