"""Statistics, past dailies, and the days in a row on the start page."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.boards.made import stuck, won
from tests.support.server_process import ServerProcess
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import give_up, name_field, see_result
from tests.web.past_days import days_ago, make_days, who_plays

WEEKS = [
    {"week": "2026-W44", "played": 7, "won": 1, "home": 512},
    {"week": "2026-W46", "played": 2, "won": 0, "home": 131},
    {"week": "2026-W47", "played": 5, "won": 2, "home": 388},
]

RATED = {
    "rating": 1655,
    "rated": 14,
    "uncertainty": 100,
    "ratings": [{"week": "2026-W46", "rating": 1640}, {"week": "2026-W47", "rating": 1655}],
    "homes": [3, 0, 4, 5, 0, 2, *[0] * 7],
    "lately": [-1] * 14,
}


@pytest.fixture
def ada(browser: Browser, address: str, server: ServerProcess) -> Iterator[Page]:
    """A player with results of some days: yesterday, the day before, and not three days ago."""
    with person(browser, address, viewport={"width": 390, "height": 844}) as one:
        page = one.page()
        name = name_field(page)
        name.fill("Ada")
        name.press("Enter")
        me = who_plays(page)
        others = {"mikhail": won(650_000), "grace": stuck(33, 100_000)}
        days = {
            days_ago(1): {**others, me: stuck(87, 372_400)},
            days_ago(2): {**others, me: won(600_000, moves=211)},
            days_ago(3): others,
        }
        make_days(server, days)
        yield page


def test_the_start_page_counts_the_days_in_a_row(ada: Page) -> None:
    ada.reload()
    tile = ada.locator(".next")
    expect(tile).to_contain_text("2 days in a row. Play today to keep it.")
    expect(tile.get_by_role("timer")).to_have_text(re.compile(r"^\d+:\d\d(:\d\d)?$"))
    expect(tile.get_by_role("listitem")).to_have_count(7)
    expect(tile.locator("li.now")).to_have_count(1)


def test_a_missed_daily_is_found_and_its_board_read(ada: Page) -> None:
    ada.get_by_role("link", name="Past daily races").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Past daily races")
    month, missed = days_ago(3)[:7], days_ago(3)
    ada.goto(f"{ada.url.split('#')[0]}#archive={month}&rules=standard")
    day = ada.locator(".calendar").get_by_role("button", name=re.compile(rf"\b{int(missed[-2:])}:"))
    expect(day).to_have_accessible_name(re.compile("You did not play this one"))
    day.click()
    chosen = ada.locator(".chosen")
    expect(chosen).to_contain_text("You did not play this one.")
    expect(chosen.get_by_role("button", name="Play it unranked")).to_be_visible()
    assert faults(ada) == []
    chosen.get_by_role("link", name="Leaderboard of the day").click()
    expect(ada.get_by_role("row").filter(has_text="Mikhail")).to_contain_text("10:50.0")
    expect(ada.locator("tr.mine")).to_have_count(0)
    ada.get_by_role("navigation", name="Days").get_by_role("link", name="›").click()
    expect(ada.locator("tr.mine")).to_contain_text("10:00.0")


def test_a_missed_daily_is_played_unranked(ada: Page) -> None:
    ada.goto(f"{ada.url.split('#')[0]}#archive={days_ago(1)[:7]}&game=watch&rules=standard")
    day = int(days_ago(1)[-2:])
    ada.locator(".calendar").get_by_role("button", name=re.compile(rf"\b{day}:")).click()
    ada.get_by_role("button", name="Play it unranked").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"^Practice: daily race, .* · Watch$")
    )
    give_up(ada)
    see_result(ada)
    text = ada.get_by_label("The card as text").input_value()
    assert text.startswith(f"Watch {days_ago(1)}, unranked · ")


def test_statistics_say_what_was_played_and_won(ada: Page) -> None:
    ada.get_by_role("link", name="Ada").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Statistics: Ada")
    expect(ada.get_by_role("img", name="Cards home in")).to_be_visible()
    numbers = ada.locator(".numbers")
    expect(numbers).to_contain_text("Played2")
    expect(numbers).to_contain_text("Won1 (50 %)")
    expect(numbers).to_contain_text("Days in a row2")
    expect(numbers).to_contain_text("Best time10:00.0")
    expect(numbers).to_contain_text("Fewest moves211")
    assert faults(ada) == []
    ada.get_by_label("Game and rules").select_option("Watch")
    expect(ada.locator("main")).to_contain_text("You have no result with this game")
    assert "game=watch" in ada.url


def test_a_name_on_a_board_leads_to_the_comparison(ada: Page) -> None:
    ada.goto(f"{ada.url.split('#')[0]}#board=daily&date={days_ago(2)}")
    ada.get_by_role("link", name="Mikhail").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Statistics: Mikhail")
    expect(ada.locator("main")).to_contain_text("You and Mikhail")
    expect(ada.locator("main")).to_contain_text("You ahead: 1 · Mikhail ahead: 1 · level: 0")
    assert faults(ada) == []


def test_weeks_are_bars_and_a_table(browser: Browser, address: str) -> None:
    tally = {"game": "bigben", "rules": "standard", "played": 14, "won": 3, **RATED}
    profile = {"player": "guest:bob", "name": "Bob", "tallies": [tally], "weeks": WEEKS}
    with person(browser, address) as one:
        page = one.page()
        body = json.dumps(profile)
        page.route("**/api/players/*?form=true", lambda route: route.fulfill(body=body))
        page.goto(f"{address}/#player=guest%3Abob")
        plot = page.get_by_role("img", name="Cards home in 4 weeks; the most in a week were 512.")
        expect(plot.locator(".bar")).to_have_count(4)
        page.get_by_text("As a table").click()
        rows = page.locator(".weeks").get_by_role("row")
        expect(rows.nth(1)).to_have_text("Nov 16, 202652388")
        expect(rows.nth(3)).to_have_text("Nov 2, 2026000")
        rating = page.locator(".rating-box")
        expect(rating).to_contain_text("The real strength is almost surely between 1655 and 1855.")
        expect(rating.get_by_role("img")).to_have_accessible_name(re.compile("week: 1640, 1655"))
        expect(page.get_by_role("row", name="40–47")).to_have_text("40–472 (best)")
        expect(page.locator(".clock-box")).to_have_count(0)
        assert faults(page) == []


@pytest.mark.parametrize("hash_", ["archive=", "archive=2026-13", "archive=never&game=whist"])
def test_an_archive_of_no_month_shows_this_month(
    browser: Browser, address: str, hash_: str
) -> None:
    with person(browser, address) as one:
        page = one.page(f"#{hash_}")
        today = page.locator(".calendar").get_by_role("button", name="Today’s race")
        expect(today).to_have_attribute("aria-pressed", "true")


def test_a_board_of_no_day_is_refused(browser: Browser, address: str) -> None:
    with person(browser, address) as one:
        page = one.page("#board=daily&date=2026-11-99&rules=standard")
        expect(page.get_by_role("alert")).to_contain_text("2026-11-99")
        # The browser itself says so too, each time.
        one.wrong[:] = [said for said in one.wrong if "404" not in said]
