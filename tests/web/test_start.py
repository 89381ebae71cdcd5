"""The start page: one tap plays, what matters is above the fold, one sees one's own day."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.support.server_process import UNHURRIED, serving
from tests.web.chromium import person
from tests.web.guests import Guest
from tests.web.hands import come_in, give_up, home, moved, name_field, play_on, type_move

LAPTOP, PHONE = (1280, 800), (390, 844)
BOTTOM = "(element) => element.getBoundingClientRect().bottom"
WORDS = {
    "en-GB": ("Play today’s race", "Learn it in 2 minutes", "Practise", "Open a room", "Join"),
    "de-DE": ("Heutiges Rennen spielen", "In 2 Minuten lernen", "Üben", "Raum öffnen", "Mitmachen"),
}

TURNED = """
async () => {
  const { yesterday } = await import("/start/yesterday_view.js");
  const { textsFor } = await import("/words.js");
  const { draw } = await import("/draw.js");
  const points = [
    { n: 1, chance: 6600, expected: 0, home: 1 },
    { n: 3, chance: 4100, expected: 0, home: 2 },
  ];
  const costly = [{ n: 2, move: "4 f8", better: "4 2", cost: 2500, cards: 200 }];
  const found = { seats: [{ player: "ada", points, costly }] };
  const box = document.createElement("div");
  draw(box, yesterday({
    say: (await textsFor("en")).say,
    analyses: { of: () => found },
    choosing: { both: { game: "bigben", rules: "standard" }, game: { total: 104 } },
    days: { of: () => ({ mine: { home: 2 }, total: 2 }) },
    session: { me: { player: "ada" } },
    today: { day: "2026-11-22" },
  }));
  return [box.querySelector("p").textContent, box.querySelector(".row").textContent];
}
"""
"""A day that was analysed."""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=str)
@pytest.mark.parametrize("locale", WORDS)
def test_all_that_matters_is_above_the_fold(
    browser: Browser, address: str, size: tuple[int, int], locale: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with person(browser, address, viewport=viewport, locale=locale) as ada:
        page = ada.page()
        for name in WORDS[locale]:
            way = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
            expect(way).to_be_in_viewport(ratio=1)
        expect(page.locator("#code")).to_be_in_viewport(ratio=1)
        expect(page.locator("summary.me")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        if size == LAPTOP:
            for box in page.locator(".tiles > section").all():
                assert box.evaluate(BOTTOM) <= size[1]


def test_the_first_tap_plays_and_a_name_given_later_stands_on_the_board(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        give_up(page)
        page.goto(address)
        expect(page.locator("summary.me")).to_have_text(re.compile(r"^Guest \d{4}$"))
        guest = page.locator("summary.me").inner_text()
        name_field(page).fill("Latecomer")
        page.get_by_role("button", name="Save name").click()
        expect(page.locator("header .me")).to_have_text("Latecomer")
        page.get_by_role("link", name="Leaderboards").first.click()
        expect(page.locator("main")).to_contain_text("Latecomer")
        expect(page.locator("main")).not_to_contain_text(guest)


def test_a_returning_player_sees_their_day(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, UNHURRIED) as server,
        person(browser, address := server.url.replace("ws:", "http:")) as ada,
        person(browser, address) as bob,
    ):
        hers, page = ada.page(), bob.page()
        for tab, name in ((hers, "Ada"), (page, "Bob")):
            come_in(tab, name)
            tab.get_by_role("button", name="Play today’s race").click()
            moved(tab, 0)
        while home(hers) == 12:
            play_on(hers, 1)
        give_up(page)
        page.goto(address)
        hero = page.locator(".hero")
        expect(hero.get_by_role("heading", level=1)).to_have_text("The first result today")
        give_up(hers)
        page.reload()
        expect(hero.get_by_role("heading", level=1)).to_have_text("2nd of 2 today")
        expect(hero.get_by_role("img", name="Your result: 12 of 104 cards home")).to_be_visible()
        expect(hero.locator("path[fill='#f2c55a']")).to_have_count(12)
        expect(hero.locator(".next")).to_contain_text("1 day in a row.")
        expect(page.locator(".still-open li")).to_contain_text(["Grandfather’s Clock"])
        hero.get_by_role("button", name="Open a room").click()
        code = page.locator(".code").get_attribute("aria-label") or ""
        page.goto(address)
        waiting = page.locator(".still-open li").first
        expect(waiting).to_contain_text(f"Race {code.replace(' ', '')}")
        waiting.get_by_role("link", name="Go back").click()
        expect(page.locator(".code")).to_be_visible()


def test_yesterday_is_told_with_the_move_at_which_it_turned(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        said, ways = ada.page().evaluate(TURNED)
        assert said == "2 home. From 66 % to 41 % with move 2, 4 f8; 4 2 would have been better."
        assert ways == "See move 2Skill and luck"


def test_a_code_is_typed_into_its_boxes_and_a_link_is_pasted_whole(
    browser: Browser, address: str
) -> None:
    code = Guest(address).opens()
    with person(browser, address) as bob:
        page = bob.page()
        field = page.get_by_label("Code or link of a room")
        field.fill(code.lower())
        expect(page.locator(".letters.long")).to_have_count(0)
        field.fill(f"{address}/#room={code}")
        expect(page.locator(".letters.long")).to_have_count(1)
        page.get_by_role("button", name="Join").click()
        expect(page.locator(".seats")).to_contain_text("Ada")


def test_a_race_that_goes_on_shows_its_clock_and_the_way_back(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        type_move(page, "deal", 1)
        page.get_by_role("link", name="Big Ben").click()
        expect(page.get_by_role("img", name="Your clock: Practice")).to_be_visible()
        page.get_by_role("link", name="Continue Practice · 12 home").click()
        moved(page, 1)


def test_a_room_that_waits_is_one_tap_away(browser: Browser, address: str) -> None:
    guest = Guest(address)
    code = guest.opens()
    with person(browser, address, token=guest.token) as ada:
        page = ada.page()
        page.get_by_role("link", name=f"Back to {code}").click()
        expect(page.locator(".seats")).to_contain_text("Ada")


def test_the_podium_shows_who_has_played_today(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, UNHURRIED) as server,
        person(browser, address := server.url.replace("ws:", "http:")) as ada,
        person(browser, address) as bob,
    ):
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        give_up(page)
        page = bob.page()
        expect(page.locator(".podium")).to_contain_text("Ada")
        expect(page.locator(".podium")).to_contain_text("1 has played")
        assert not bob.frames


def test_an_invitation_comes_from_the_server(browser: Browser, address: str) -> None:
    code = Guest(address).opens(rules="book")
    with person(browser, address) as cy:
        page = cy.page(f"#room={code}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Ada invites you to a race.")
        expect(page.locator(".gate")).to_contain_text("Big Ben · Rules of the book")
