"""Names that mean harm, languages, what is asked for in vain, screens of all sizes."""

import json
import re

import pytest
from playwright.sync_api import Browser, expect
from tests.support.torture import tortured
from tests.web.chromium import Watched, person
from tests.web.hands import come_in, give_up, moved, name_field, see_result, show_boards

HITS = """
() => [...document.querySelectorAll("svg.board [data-pile]")].map((pile) => {
  pile.scrollIntoView({ block: "center" });
  const card = (pile.querySelector(".top") ?? pile).getBoundingClientRect();
  const [x, y] = [card.x + card.width / 2, card.y + card.height / 2];
  const hit = document.elementFromPoint(x, y).closest("[data-pile]");
  return [pile.dataset.pile, card.width, card.height, hit.dataset.pile];
})
"""
"""Each pile: how large its top card is, and which pile a finger in its middle touches."""

TAP_AT_THE_ANSWER = """
globalThis.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (!data.includes('"type":"room"')) return;
      const tap = () => document.querySelector(".open-room button")?.click();
      scheduler.postTask(tap, { priority: "user-blocking" });
    });
  }
};
"""
"""Taps the button again before anything else that follows the answer, as a finger may."""

HOSTILE = "<img src=x onerror=alert(1)>"


def rooms_of(one: Watched) -> set[str]:
    """The rooms that this person's pages have received."""
    return {json.loads(frame)["race"] for frame in one.frames if '"room"' in frame}


def test_a_hostile_name_is_a_name_and_nothing_else(browser: Browser, address: str) -> None:
    with person(browser, address) as eve, person(browser, address) as bob:
        hers, his = eve.page(), bob.page()
        for page in (hers, his):
            page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        come_in(hers, HOSTILE)
        hers.get_by_role("button", name="Open a room").click()
        link = hers.get_by_label("Send this link").input_value()
        his.goto(link)
        come_in(his, "Bob")
        his.get_by_role("button", name="Join").click()
        expect(his.locator(".seats .name").first).to_have_text(HOSTILE)
        for page in (hers, his):
            page.get_by_role("button", name="Ready", exact=True).click()
        moved(his, 0)
        give_up(hers)
        expect(his.locator("#said")).to_have_text(re.compile(re.escape(f"{HOSTILE}: gave up")))
        give_up(his)
        see_result(his)
        expect(his.locator(".bars .name").filter(has_text=HOSTILE)).to_be_visible()
        his.get_by_role("link", name="Replay", exact=True).click()
        expect(his.get_by_role("link", name=HOSTILE)).to_be_visible()
        assert not his.locator("img").count()


def test_two_quick_taps_open_one_room(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").dblclick()
        expect(page.get_by_label("Send this link")).to_be_visible()
        assert len(rooms_of(ada)) == 1


def test_a_tap_right_after_the_answer_opens_no_second_room(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        ada.context.add_init_script(TAP_AT_THE_ANSWER)
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").click()
        expect(page.get_by_label("Send this link")).to_be_visible()
        page.get_by_role("button", name="Ready", exact=True).click()
        expect(page.get_by_role("button", name="Ready", exact=True)).to_be_hidden()
        assert len(rooms_of(ada)) == 1


@pytest.mark.parametrize(
    ("locale", "title"),
    [
        ("de-AT", "Heutiges Rennen spielen"),
        ("en-GB", "Play today’s race"),
        ("xx", "Play today’s race"),
    ],
)
def test_the_page_speaks_the_browsers_language(
    browser: Browser, address: str, locale: str, title: str
) -> None:
    with person(browser, address, locale=locale) as ada:
        page = ada.page()
        expect(page.get_by_role("button", name=title)).to_be_visible()
        page.get_by_role("combobox").last.select_option("Deutsch")
        expect(page.get_by_role("button", name="Heutiges Rennen spielen")).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == "de"
        page.reload()
        expect(page.get_by_role("button", name="Heutiges Rennen spielen")).to_be_visible()


def test_a_language_that_is_no_locale_is_good_enough_for_a_date(
    browser: Browser, address: str
) -> None:
    # So Chromium calls itself where LANG is C.
    with person(browser, address, locale="en-US@posix") as ada:
        page = ada.page()
        assert page.evaluate("navigator.language") == "en-US@posix"
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        expect(page.get_by_role("heading", level=1)).to_have_text(
            re.compile(r"^Daily race, \w+ \w+$")
        )


def test_a_tap_without_a_name_plays_as_a_guest(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        expect(page.locator("summary.me")).to_have_text("Guest")
        page.get_by_role("button", name="Practise").click()
        expect(page.locator("svg.board")).to_be_visible()
        page.goto(address)
        expect(page.locator("summary.me")).to_have_text(re.compile(r"^Guest \d{4}$"))


def test_a_guest_may_choose_a_name_in_mid_race_and_is_called_by_it(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as guest, person(browser, address) as bob:
        page = guest.page()
        page.get_by_role("button", name="Open a room").click()
        code = page.locator(".code").get_attribute("aria-label") or ""
        come_in(theirs := bob.page(f"#room={code.replace(' ', '')}"), "Bob")
        theirs.get_by_role("button", name="Join").click()
        expect(theirs.locator(".seats")).to_contain_text(re.compile(r"Guest \d{4}"))
        come_in(page, "Ada")
        page.get_by_role("button", name="Save name").click()
        expect(page.locator("header .me")).to_have_text("Ada")
        for each in (page, theirs):
            expect(each.locator(".seats")).to_contain_text("Ada")
            expect(each.locator(".seats")).not_to_contain_text("Guest")


def test_enter_in_the_name_field_takes_the_name_and_starts_no_clock(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        name_field(page).press("Enter")
        expect(page.get_by_role("alert").last).to_have_text("Please type a name first.")
        expect(name_field(page)).to_be_focused()
        expect(name_field(page)).to_have_attribute("aria-invalid", "true")
        come_in(page, "Ada")
        name_field(page).press("Enter")
        expect(page.get_by_text("You play as Ada.")).to_be_visible()
        expect(page.get_by_role("button", name="Play today’s race")).to_be_focused()
        page.keyboard.press("Enter")
        moved(page, 0)


def test_boards_and_replays_say_what_they_are_of(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        heading = page.get_by_role("heading", level=1)
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        give_up(page)
        see_result(page)
        race = heading.inner_text()
        day = race.partition(" · ")[0].removeprefix("Daily race, ")
        page.get_by_role("link", name="Watch your replay").click()
        expect(heading).to_have_text(f"{race} · replay")
        page.go_back()
        page.get_by_role("main").get_by_role("link", name="Leaderboards").click()
        expect(heading).to_have_text(re.compile(rf"^Today’s race\s+\w+, {day} · Standard rules$"))
        for period, text in (
            ("This week", r"Week \d+ of 20\d\d · Standard rules"),
            ("This month", r"\w+ 20\d\d · Standard rules"),
            ("All time", "All time · Standard rules"),
        ):
            show_boards(page)
            page.get_by_role("link", name=period).click()
            expect(heading).to_have_text(re.compile(f"^{text}$"))
        show_boards(page)
        assert not page.get_by_role("link", name="Guests").count()


def test_what_is_asked_for_in_vain_is_answered_with_a_sentence(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        alert = page.get_by_role("alert").last
        come_in(page, "x" * 40)
        assert len(page.get_by_label("Your name").input_value()) == 32
        come_in(page, "\u200b")
        page.get_by_role("button", name="Play today’s race").click()
        expect(alert).to_contain_text("choose another")
        come_in(page, "Ada")
        page.get_by_role("button", name="Join").click()
        expect(alert).to_contain_text("type the code of a room first")
        page.get_by_label("Code or link of a room").fill("K7QPXN")
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("No room has this code")
        expect(page.get_by_label("Code or link of a room")).to_have_value("K7QPXN")
        page.get_by_role("link", name="Big Ben").click()
        page.get_by_role("link", name="Leaderboards").click()
        show_boards(page)
        page.get_by_role("link", name="All time").click()
        expect(page.locator("main")).to_contain_text(re.compile("Nobody yet|Place"))


@pytest.mark.parametrize(
    "size", [(320, 640), (844, 390), *tortured((360, 740), (768, 1024), (1440, 900))]
)
def test_the_board_fits_the_screen_and_every_pile_can_be_hit(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    with person(browser, address, viewport={"width": size[0], "height": size[1]}) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        piles = page.evaluate(HITS)
        assert len(piles) == 26
        for name, width, height, hit in piles:
            assert min(width, height) >= 24, name
            assert hit == name
