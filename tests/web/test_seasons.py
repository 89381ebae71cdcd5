"""A club makes a season on the page, races it, and mends it; anybody can look at its table."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.axe import faults
from tests.web.screens.club import race_week
from tests.web.still import ADDRESS, EVENING, Still, still
from tests.web.test_axe import look

FRIDAY = EVENING.replace(day=27, minute=1)
"""A minute after the first week opens; it is Saturday when the season is made."""
MONDAY = EVENING.replace(day=30, minute=1)
"""A minute after it closes."""


@pytest.fixture(scope="module")
def world(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Still]:
    with still(browser.browser_type, tmp_path_factory.mktemp("season"), "en") as one:
        yield one


def make_season(world: Still) -> str:
    """Ada's club with Bob in it, and its season of two weeks. The place of the season."""
    ada, bob = world.page("Ada"), world.page("Bob")
    ada.get_by_role("link", name="Clubs").click()
    ada.get_by_label("Name of a new group").fill("The Aces")
    ada.get_by_role("button", name="Make the group").click()
    link = ada.get_by_label("Send this link to your friends").input_value()
    world.pass_time(minutes=1)  # who is in a group longest organises it
    world.go(bob, link.removeprefix(f"{ADDRESS}/"))
    bob.get_by_role("button", name="Join the group").click()
    expect(bob.locator(".filters")).to_be_visible()

    ada.get_by_role("button", name="Make a season").click()
    expect(ada.get_by_label("Name of the season")).to_be_focused()
    ada.get_by_label("Name of the season").fill("Sunday Club")
    ada.get_by_label("Weeks").fill("2")
    first = "Week 1: Friday 27 November at 18:00 to Monday 30 November at 18:00"
    expect(ada.locator(".dates")).to_contain_text(first)
    ada.get_by_text("Times, game and points").click()
    zone = ada.get_by_label("Time zone")
    expect(zone).to_have_value("UTC")
    zone.fill("Mars")
    ada.get_by_role("button", name="Make the season").click()
    expect(zone).to_be_focused()
    expect(zone).to_have_accessible_description(re.compile("There is no time zone"))
    assert faults(ada) == []
    zone.fill("UTC")
    ada.get_by_role("button", name="Make the season").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Sunday Club")
    return ada.url.removeprefix(f"{ADDRESS}/")


def opened(page: Page, heading: str) -> Locator:
    """The part of the season's screen with this heading, unfolded."""
    part = page.locator("main > details", has=page.get_by_role("heading", name=heading))
    if part.get_attribute("open") is None:
        part.locator("summary").first.click()
    return part


def test_an_organiser_changes_a_season_and_everybody_reads_what(world: Still) -> None:
    place = make_season(world)
    ada, bob = world.page("Ada"), world.page("Bob")
    expect(ada.locator(".open-week")).to_contain_text("Week 1 opens Friday 18:00")
    organise = opened(ada, "Organise the season")
    organise.get_by_label("Weeks").fill("3")
    organise.get_by_role("button", name="Change the plan").click()
    expect(ada.locator(".terms")).to_contain_text("3 weeks")
    week = opened(ada, "Weeks and receipts").get_by_role("listitem").nth(2)
    week.get_by_text("Change week 3").click()
    opens, closes = (week.get_by_label(name).first for name in ("Opens", "Closes"))
    opens.fill("2026-12-05T10:00")
    closes.fill("2026-12-08T10:00")
    week.get_by_role("button", name="Change the week").click()
    expect(opens).to_be_focused()
    expect(opens).to_have_accessible_description(re.compile("the one before it has closed"))
    opens.fill("2026-12-12T10:00")
    closes.fill("2026-12-14T18:00")
    week.get_by_role("button", name="Change the week").click()
    expect(week).to_contain_text("Sat 12 Dec, 10:00")
    organise.get_by_role("button", name="Compare the attempts").click()
    expect(organise).to_contain_text("No two players have raced the same closed week")
    organise.get_by_role("button", name="Delete the season").click()
    expect(ada.get_by_role("alertdialog")).to_contain_text("its list of changes")
    assert look(ada) == []
    ada.get_by_role("button", name="No", exact=True).click()

    world.go(bob, place)
    changes = opened(bob, "Changes (2)")
    expect(changes).to_contain_text("Ada changed the plan.")
    expect(changes).to_contain_text("Ada changed week 3: Sat 12 Dec, 10:00 to Mon 14 Dec, 18:00.")
    expect(bob.get_by_text("Change week 3")).to_have_count(0)


def row(page: Page, player: str) -> Locator:
    return page.locator("tbody tr", has=page.get_by_role("rowheader", name=player))


def test_a_week_is_raced_and_anybody_sees_its_table(world: Still) -> None:
    place = make_season(world)
    ada = world.page("Ada")
    world.set(FRIDAY)
    expect(ada.get_by_role("link", name="Play this week")).to_be_visible()
    world.go(ada, "")
    expect(ada.locator(".still-open")).to_contain_text("Week 1 is open until Monday")
    bob = race_week(world, "Bob", place, 12)
    expect(row(bob, "Bob")).to_contain_text("12")
    ada = race_week(world, "Ada", place, 40)
    for page in (ada, bob):
        expect(page.get_by_role("columnheader", name="this week")).to_be_visible()
        expect(row(page, "Ada")).to_contain_text("12, place 1")
        expect(row(page, "Bob")).to_contain_text("10, place 2")
    assert look(ada) == []

    world.set(MONDAY)
    world.go(ada, place)
    expect(ada.locator(".open-week")).to_contain_text("Week 2 opens Friday 18:00")
    expect(ada.locator(".duel-box")).to_contain_text("You lead by 2 points.")
    # The race is closed, so that all see how far each hour came.
    expect(ada.locator(".pairs .wheel .whole")).to_have_count(0)
    week = opened(ada, "Weeks and receipts").get_by_role("listitem").first
    week.get_by_text("Change week 1").click()
    week.get_by_label("Result of").select_option(label="Ada")
    week.get_by_label("Why, for all members").fill("I had seen the cards.")
    week.get_by_role("button", name="Take the result out").click()
    expect(row(ada, "Ada")).to_contain_text("taken out: I had seen the cards.")

    visitor = world.stranger(place)
    expect(row(visitor, "Bob")).to_contain_text("12, place 1")
    visitor.get_by_label("Language").select_option("de")
    changes = opened(visitor, "Änderungen (1)")
    expect(changes).to_contain_text("Ada hat das Ergebnis von Ada aus Woche 1 herausgenommen")
    opened(visitor, "Wochen und Belege")
    assert look(visitor) == []

    week.get_by_role("button", name="Put it back").click()
    expect(row(ada, "Ada")).to_contain_text("12, place 1")
    organise = opened(ada, "Organise the season")
    organise.get_by_role("button", name="Delete the season").click()
    organise.get_by_role("button", name="Yes, delete it").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Clubs")
    world.go(visitor, place)
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Diese Saison gibt es nicht.")
