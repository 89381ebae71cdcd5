"""Tables that one likes to read: the own row, medals, empty boards, and no scrolling sideways."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.boards.made import stuck, won
from tests.support.server_process import ServerProcess
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import name_field
from tests.web.past_days import days_ago, make_days, who_plays

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
LATELY = [60, 70, *[-1] * 10, 80, 90]


def row(place: int, player: str, home: int) -> dict[str, Any]:
    ms = 600_000 + 1000 * place
    state = "won" if home == 104 else "blocked"
    name = player.split(":")[1].title()
    how = {"home": home, "home_ms": ms, "ms": ms, "moves": 120, "place": place, "state": state}
    return {"player": player, "name": name, **how}


def board(page: Page, mine: int, shown: int = 10, total: int = 40) -> None:
    """Let the server answer with a board on which the player of the page has place ``mine``."""
    token = page.evaluate("() => localStorage.getItem('bigben.token')")
    me = page.evaluate("(token) => JSON.parse(atob(token.split('.')[1])).sub", token)
    rows = [row(n, f"guest:p{n}" if n != mine else me, 105 - n) for n in range(1, total + 1)]
    answer = {
        "board": "daily.2026-11-21.bigben.standard",
        "total": total,
        "rows": rows[:shown],
        "mine": rows[mine - 1],
        "form": [{"player": one["player"], "rating": 1655, "lately": LATELY} for one in rows],
        "homes": [0] * 8 + [8, 8, 8, 8, 8],
    }
    page.route("**/api/leaderboard*", lambda route: route.fulfill(body=json.dumps(answer)))


def named(page: Page) -> None:
    name = name_field(page)
    name.fill("Ada")
    name.press("Enter")
    page.wait_for_function("() => localStorage.getItem('bigben.token')")


def scrolls_sideways(page: Page) -> int:
    more: int = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    return more


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_own_row_is_marked_and_stays_in_sight(
    browser: Browser, address: str, size: dict[str, int]
) -> None:
    with person(browser, address, viewport={**size, "height": 500}) as ada:
        page = ada.page()
        named(page)
        board(page, mine=31)
        page.goto(f"{address}/#board=daily&rules=standard&date=2026-11-21")
        mine = page.locator(".leaderboard .mine")
        expect(mine).to_have_count(1)
        expect(mine).to_contain_text("you")
        expect(mine.locator(".place")).to_have_text("31")
        page.evaluate("() => scrollTo(0, 0)")
        expect(mine.locator(".player")).to_be_in_viewport(ratio=1)
        expect(page.locator(".leaderboard tbody tr")).to_have_count(11)
        expect(page.locator(".leaderboard svg.medal")).to_have_text(["1", "2", "3"])
        assert scrolls_sideways(page) <= 0
        # It lies over rows with links, and has none.
        assert faults(page) == []


def test_a_row_says_place_cards_and_time_in_columns_that_can_be_compared(
    browser: Browser, address: str
) -> None:
    with person(browser, address, viewport=LAPTOP) as ada:
        page = ada.page()
        named(page)
        board(page, mine=4)
        page.goto(f"{address}/#board=daily&rules=standard&date=2026-11-21")
        rows = page.locator(".leaderboard tbody tr")
        expect(rows.first.locator("> *")).to_have_text(
            ["1", "", "P1", "104 home", "10:01.0", "120", "1655", ""]
        )
        days = rows.first.get_by_role("img", name="The last fourteen days")
        expect(days).to_have_accessible_name(re.compile("home: 60, 70, 80, 90$"))
        bars = page.locator(".leaderboard .of-all")
        lefts = {bars.nth(n).bounding_box()["x"] for n in range(10)}  # type: ignore[index]
        assert len(lefts) == 1, "all bars begin at one x"
        expect(page.locator(".own")).to_contain_text("You are 4th")
        expect(page.locator(".own")).to_contain_text("top 10 %")
        # 101 cards home: among the best, whose column is gold and has a word.
        expect(page.locator(".own .word")).to_have_text("you")
        expect(page.get_by_role("row", name="96–104")).to_have_text("96–1048 (you)")
        expect(page.get_by_role("link", name="Replay", exact=True)).to_be_visible()
        in_line = page.locator(".head .title, .sheet > *")
        middles = in_line.evaluate_all(
            "all => all.map(e => e.getBoundingClientRect()).map(b => b.top + b.height / 2)"
        )
        assert max(middles) - min(middles) <= 8, "title and choices are one line"


def test_the_boards_of_a_phone_are_behind_one_button(browser: Browser, address: str) -> None:
    with person(browser, address, viewport=PHONE) as ada:
        page = ada.page("#board=daily&rules=standard")
        opens = page.get_by_role("button", name="Today · Everybody")
        expect(page.get_by_role("link", name="This week")).to_be_hidden()
        opens.click()
        expect(opens).to_have_attribute("aria-expanded", "true")
        assert faults(page) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name="This week")).to_be_hidden()
        opens.click()
        page.get_by_role("link", name="This week").click()
        expect(page.get_by_role("button", name="This week · Everybody")).to_be_visible()
        assert scrolls_sideways(page) <= 0


def test_an_empty_board_has_a_sentence_and_a_way_to_fill_it(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page("#board=daily&game=travellers&rules=standard")
        empty = page.locator(".leaderboard .nobody")
        expect(empty).to_contain_text("Nobody yet. Play today’s race and be the first.")
        assert faults(page) == []
        empty.get_by_role("link", name="To today’s race").click()
        expect(page.get_by_role("button", name="Play today’s race")).to_be_visible()


@pytest.fixture
def grace(browser: Browser, address: str, server: ServerProcess) -> Iterator[Page]:
    """A player on a phone who came fourth on a day, and missed the day before.

    They are days on which no other test makes results.
    """
    with person(browser, address, viewport=PHONE) as one:
        page = one.page()
        named(page)
        best = {"mikhail": won(650_000), "emmy": won(700_000), "sofia": stuck(101, 100_000)}
        days = {days_ago(11): {**best, who_plays(page): stuck(67, 1_120_000)}, days_ago(12): best}
        make_days(server, days)
        yield page


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_calendar_tells_days_by_numbers_and_one_day_with_its_best(
    grace: Page, size: dict[str, int]
) -> None:
    grace.set_viewport_size({"width": size["width"], "height": size["height"]})
    grace.goto(f"{grace.url.split('#')[0]}#archive={days_ago(11)[:7]}&rules=standard")
    day = grace.locator(".calendar").get_by_role("button", name=f"{int(days_ago(11)[-2:])} 67 4th")
    expect(day.locator(".wheel")).to_be_visible()
    day.click()
    chosen = grace.locator(".chosen")
    expect(chosen.locator(".wheel").first).to_contain_text("67of 104")
    expect(chosen.locator("svg.medal")).to_have_text(["1", "2", "3"])
    expect(chosen.locator("tr.mine .place")).to_have_text("4")
    expect(chosen.locator("tr.mine .score")).to_have_text("67")
    expect(chosen.locator("tbody tr")).to_have_count(4)
    expect(grace.locator(".sums")).to_contain_text("67 home on average")
    assert scrolls_sideways(grace) <= 0
    assert faults(grace) == []


def test_arrow_keys_go_from_day_to_day(grace: Page) -> None:
    grace.goto(f"{grace.url.split('#')[0]}#archive=2026-10&rules=standard")
    days = grace.locator(".calendar button")
    expect(days).to_have_count(31)
    days.nth(9).focus()
    grace.keyboard.press("ArrowDown")
    expect(days.nth(16)).to_be_focused()
    grace.keyboard.press("ArrowLeft")
    expect(days.nth(15)).to_be_focused()
    grace.keyboard.press("Enter")
    expect(days.nth(15)).to_have_attribute("aria-pressed", "true")


def test_statistics_without_a_result_have_a_sentence_and_a_button(grace: Page) -> None:
    grace.goto(f"{grace.url.split('#')[0]}#player=&rules=standard")
    expect(grace.locator(".band .avatar")).to_have_text("Ad")
    expect(grace.locator(".numbers")).to_contain_text("Played1")
    expect(grace.get_by_role("img", name="The last fourteen days")).to_be_visible()
    expect(grace.get_by_role("row", name="64–71")).to_have_text("64–711 (best)")
    expect(grace.locator(".clock-box")).to_contain_text("67of 104Of the last daily race.")
    past = grace.locator(".latest-box tbody tr")
    expect(past).to_have_text(re.compile(r"^4Daily race .* · of \d+6718:40\.0$"))
    assert scrolls_sideways(grace) <= 0
    assert faults(grace) == []
    grace.get_by_label("Game and rules").select_option("Travellers")
    none = grace.locator(".band .none")
    expect(none).to_contain_text("You have no result with this game and these rules yet.")
    assert faults(grace) == []
    none.get_by_role("link", name="To today’s race").click()
    expect(grace.get_by_role("button", name="Play today’s race")).to_be_visible()


def test_without_a_group_a_button_leads_to_its_name(grace: Page) -> None:
    grace.goto(f"{grace.url.split('#')[0]}#groups")
    grace.get_by_role("button", name="Make a group").click()
    expect(grace.get_by_label("Name of a new group")).to_be_focused()
    assert scrolls_sideways(grace) <= 0


@pytest.mark.parametrize("hash_", ["board=daily", "archive=", "player=", "groups"])
def test_no_table_scrolls_sideways_on_a_narrow_phone_in_german(
    browser: Browser, address: str, hash_: str
) -> None:
    narrow = {"width": 320, "height": 640}
    with person(browser, address, viewport=narrow, locale="de-DE") as ada:
        page = ada.page(f"#{hash_}&rules=standard")
        expect(page.locator("h1")).to_be_visible()
        assert scrolls_sideways(page) <= 0
