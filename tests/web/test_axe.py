"""Every screen can be used by everybody: axe-core finds no fault, nothing is cut at 400 % zoom, and
forced colours leave what matters to be seen. In English and German, in both orientations."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from tests.support.server_process import ServerProcess
from tests.support.torture import often
from tests.web import axe
from tests.web.chromium import person
from tests.web.hands import moved, name_field, show_boards
from tests.web.rooms import room_with

pytestmark = pytest.mark.longer

Scheme = Literal["light", "dark"]

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
ACROSS: ViewportSize = {"width": 844, "height": 390}
ENLARGED: ViewportSize = {"width": 320, "height": 256}
"""A screen of 1280x1024 at 400 %."""

SEED = "00" * 32
"""A deal of which cards can go home at once, and others can go on another fan."""

LOOKS: dict[str, list[tuple[ViewportSize, Scheme]]] = {
    "en": [(LAPTOP, "dark")],
    "de": [(PHONE, "light")],
}
"""One language is seen wide and dark, the other one tall and light."""
MORE: list[tuple[ViewportSize, Scheme]] = [
    *((size, scheme) for size in (LAPTOP, PHONE, ACROSS) for scheme in ("light", "dark"))
]

FITS = """
() => {
  const board = document.querySelector("main svg.board");
  return !board || Math.abs(board.viewBox.baseVal.width - board.getBoundingClientRect().width) < 1;
}
"""
CUT = """
() => {
  const within = (one, fits) =>
    Boolean(one) && (fits(getComputedStyle(one)) || within(one.parentElement, fits));
  const scrolls = ({ overflowX }) => overflowX === "auto" || overflowX === "scroll";
  const unseen = ({ clipPath }) => clipPath.startsWith("inset");
  const seen = [...document.querySelectorAll("#page *")].filter(
    (one) => one.checkVisibility() && !within(one, unseen),
  );
  const wide = seen.filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    const beyond = width && (left < -1 || right > innerWidth + 1);
    return beyond && !one.closest("svg") && !within(one.parentElement, scrolls);
  });
  const px = (one) => {
    const { a = 1, b = 0 } = one.getScreenCTM?.() ?? {};
    return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
  };
  const says = ({ childNodes }) => [...childNodes].some(({ data }) => data?.trim());
  const drawings = "svg.board, .share-card, .table-dial, .lanes, .brand";
  const small = seen.filter((one) => says(one) && px(one) < 11.9 && !one.closest(drawings));
  const more = document.documentElement.scrollWidth - innerWidth;
  const named = (one) => `${one.localName}.${one.getAttribute("class")} ${one.textContent}`;
  return [
    ...(more > 0 ? [`scrolls sideways by ${more}`] : []),
    ...wide.map((one) => `sticks out: ${named(one)}`),
    ...small.map((one) => `too small: ${named(one)}`),
  ];
}
"""
"""What is beyond the edges of the screen, and which letters are smaller than 12 px.

Not those of drawings whose words stand beside them."""


def look(page: Page) -> list[str]:
    """What is wrong with a screen in the looks of its language, across, and at 400 %."""
    language: str = page.evaluate("document.documentElement.lang")
    found = []
    for size, scheme in often(LOOKS[language], MORE):
        resize(page, size)
        page.emulate_media(color_scheme=scheme)
        found += axe.faults(page)
    for size in (ACROSS, ENLARGED):
        resize(page, size)
        found += [f"{size['width']} wide: {one}" for one in page.evaluate(CUT)]
    resize(page, LOOKS[language][0][0])
    return found


def resize(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.wait_for_function(FITS)


ARC = "() => document.querySelector('.runs-down')?.getAttribute('stroke-dashoffset')"
"""How far the arc of a countdown has run down; null once it is over."""


@contextmanager
def forced(page: Page) -> Iterator[None]:
    """As somebody sees it whose system has colours of its own."""
    page.emulate_media(forced_colors="active")
    yield
    page.emulate_media(forced_colors="none")


def style(one: Locator, name: str) -> str:
    value: str = one.first.evaluate("(one, name) => getComputedStyle(one)[name]", name)
    return value


class Two(NamedTuple):
    ada: Page
    """In English."""
    bob: Page
    """In German."""


@pytest.fixture(scope="module")
def two(browser: Browser, server: ServerProcess) -> Iterator[Two]:
    """Two without a name, whose browsers stay open for all tests of this file."""
    address = server.url.replace("ws:", "http:")
    with (
        person(browser, address, viewport=LAPTOP, locale="en-GB") as ada,
        person(browser, address, viewport=PHONE, locale="de-DE") as bob,
    ):
        yield Two(ada.page(), bob.page())


@pytest.fixture
def named(two: Two) -> Two:
    for page, name in zip(two, ("Ada", "Bob"), strict=True):
        show(page)
        if not page.evaluate("() => localStorage.getItem('bigben.token')"):
            field = name_field(page)
            field.fill(name)
            field.press("Enter")
        expect(page.locator("a.me")).to_have_text(name)
    return two


def show(page: Page, place: str = "") -> None:
    """Go to a place of the page, loaded anew."""
    page.goto(f"{page.url.partition('#')[0]}#{place}")
    page.reload()
    expect(page.locator("#page h1").first).to_be_attached()


def test_before_the_first_race_no_screen_has_a_fault(two: Two) -> None:
    for page in two:
        expect(page.locator(".hero .start")).to_be_visible()
        page.locator(".open-room summary").click()
        assert look(page) == []
        naming = page.locator("summary.me")
        naming.click()
        assert look(page) == []
        page.keyboard.press("Escape")
        expect(naming).to_be_focused()
        expect(page.locator("#name")).to_be_hidden()
        question = page.locator("header .help")
        question.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert look(page) == []
        page.keyboard.press("Escape")
        expect(question).to_be_focused()
        show(page, "room=K7QPXN")
        expect(page.locator("#name")).to_be_visible()
        assert look(page) == []


def test_the_lesson_has_no_fault(two: Two) -> None:
    for page in two:
        show(page, "learn")
        for _ in range(2):
            page.locator(".coach > .row button:last-child").click()
        expect(page.locator(".veil")).to_be_visible()
        assert look(page) == []
        page.locator(".coach > .row button:not(.back)").first.click()
        expect(page.locator(".ending")).to_be_visible()
        assert look(page) == []


PLACES = [
    "",
    "board=daily",
    "groups",
    "group=ZZZZZZZZ",
    "season=ZZZZZZZZ",
    "archive=",
    "player=",
    "room=K7QPXN",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_screen_with_an_address_has_no_fault_and_leads_on(named: Two, place: str) -> None:
    for page, boards in zip(named, ("Leaderboards", "Bestenlisten"), strict=True):
        show(page, place)
        if place.startswith("board"):
            show_boards(page)
        assert look(page) == []
        for way in ("Big Ben", boards):
            expect(page.locator("header").get_by_role("link", name=way)).to_be_visible()


def test_a_practice_game_has_no_fault_and_forced_colours_show_its_marks(named: Two) -> None:
    for page in named:
        show(page, f"room={room_with(page, practice=True, seed=SEED)}")
        page.locator(".primary.large").click()
        moved(page, 0)
        assert look(page) == []
        gap = page.locator("svg.board .gap")
        with forced(page):
            home = page.locator(".mark.is-home .line")
            assert style(home, "strokeWidth") == "5px"
            gold = style(home, "stroke")
            assert gold != style(gap, "stroke")
        page.locator("svg.board .movable:not(.tappable, .homing)").first.press("Enter")
        target = page.locator(".mark.is-target .line")
        expect(target).not_to_have_count(0)
        assert look(page) == []
        with forced(page):
            assert style(target, "strokeDasharray") != "none"
            assert style(target, "stroke") != gold
        page.keyboard.press("Escape")


def test_a_race_has_no_fault_from_its_lobby_to_its_watchers(
    named: Two, browser: Browser, address: str
) -> None:
    ada, bob = named
    ada.get_by_role("button", name="Open a room").first.click()
    expect(ada.locator(".seats li")).to_have_count(1)
    assert look(ada) == []
    show(bob, ada.url.partition("#")[2])
    expect(ada.locator(".seats li")).to_have_count(2)
    starts = ada.get_by_role("button", name="Start now")
    starts.click()
    expect(ada.get_by_role("alertdialog")).to_be_visible()
    assert look(ada) == []
    ada.keyboard.press("Escape")
    expect(starts).to_be_focused()
    bob.locator(".ready-do").click()
    expect(bob.locator(".seats li.ready")).to_have_count(1)
    assert look(bob) == []
    ada.locator(".ready-do").click()
    expect(ada.get_by_role("timer")).to_be_visible()
    arc = ada.evaluate(ARC)
    assert arc in (None, "0.00", "0.33", "0.67"), "it jumps by seconds, where less motion is wanted"
    assert axe.faults(ada) == []
    for page in named:
        moved(page, 0)
        assert look(page) == []
    with forced(ada):
        mine, other = (ada.locator(f".bars {one}") for one in (".mine", "li:not(.mine)"))
        assert style(mine, "borderTopColor") != style(other, "borderTopColor")
    bob.locator(".controls .cheers").click()
    assert look(bob) == []
    race = ada.url.partition("#room=")[2]
    with person(browser, address, viewport=PHONE, locale="de-DE") as cy:
        watcher = cy.page(f"#watch={race}")
        watcher.locator("#name").press("Enter")
        expect(watcher.locator(".lanes .bubble")).to_have_count(2)
        assert look(watcher) == []


def test_the_end_of_a_race_its_result_and_its_replay_have_no_fault(named: Two) -> None:
    ada, bob = named
    ada.get_by_role("button", name="Open a room").first.click()
    expect(ada.locator(".seats li")).to_have_count(1)
    race = ada.url.partition("#room=")[2]
    show(bob, f"room={race}")
    expect(ada.locator(".seats li")).to_have_count(2)
    for page in named:
        page.locator(".ready-do").click()
    for page in named:
        moved(page, 0)
        page.locator(".controls button:has([data-icon=resign])").click()
        expect(page.get_by_role("alertdialog")).to_be_visible()
        assert look(page) == []
        page.locator(".sure .danger").click()
        expect(page.locator(".ended")).to_be_visible()
    assert look(ada) == []
    for page in named:
        page.locator(".summary .primary").click()
        expect(page.locator(".places li")).to_have_count(2)
        assert look(page) == []
    check_forced_result(ada)
    for page in named:
        show(page, f"replay={race}&player=")
        expect(page.locator(".side").first).to_be_visible()
        assert look(page) == []


def check_forced_result(page: Page) -> None:
    """The own row and the wheels are still told apart."""
    with forced(page):
        mine, other = (page.locator(f".places {one}") for one in (".mine", "li:not(.mine)"))
        assert style(mine, "borderTopWidth") == "2px"
        assert style(other, "borderTopWidth") != "2px"
        there, to_come = (page.locator(f".places .is-{kind}") for kind in ("part", "none"))
        assert style(there, "fill") != style(to_come, "fill")
