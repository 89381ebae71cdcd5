"""The result: the place first, then how far and how fast, then who, how, and what is next."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.support.server_process import ServerProcess
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, give_up, moved, play_greedily, see_result, start_alone
from tests.web.rooms import crowd

HREFS = "(all) => all.map((face) => face.getAttribute('href'))"
GAINED = """
async () => {
  const { Profiles } = await import("/records/profiles.js");
  const both = { game: "bigben", rules: "standard" };
  const profile = (best_ms) => ({ player: "ada", tallies: [{ ...both, best_ms }] });
  const told = [0, 672_000, 600_000].map(profile);
  const session = { me: { player: "ada" }, tried: async () => told.shift() };
  const profiles = new Profiles({ session, redraw: () => {} });
  const gained = [];
  while (told.length) {
    await profiles.load();
    gained.push(profiles.gained(both));
  }
  return gained;
}
"""
RATED = """
async () => {
  const { Ratings } = await import("/result/ratings.js");
  const before = { ada: 1600, bob: 1700 };
  const boards = [before, before, { ada: 1612, bob: 1690, eve: 1586 }];
  const asked = [];
  const tried = async ({ only }) => {
    asked.push(only.join());
    const ranked = Object.entries(boards.shift()).map(([player, rating]) => ({ player, rating }));
    return { ranked };
  };
  const ratings = new Ratings({ redraw: () => {}, session: { tried } });
  const seats = ["ada", "bob", "eve", "bot:tick"].map((player) => ({ player }));
  const room = (phase) => ({ race: "K7QPXM", kind: "live", phase, seats, rules: {} });
  for (const phase of ["countdown", "running", "running", "closed", "closed"])
    await ratings.update({ race: "K7QPXM", game: { decides: true }, room: room(phase) });
  return { asked, of: seats.map(({ player }) => Object.values(ratings.of("K7QPXM", player))) };
}
"""
LAPTOP, PHONE = (1280, 800), (390, 844)


class Evening(NamedTuple):
    """The pages of a winner and of a guest without a name, at the result of their race."""

    winner: Page
    guest: Page


@pytest.fixture(scope="module")
def evening(browser: Browser, server: ServerProcess) -> Iterator[Evening]:
    address = server.url.replace("ws:", "http:")
    size = {"width": LAPTOP[0], "height": LAPTOP[1]}
    with (
        person(browser, address, viewport=size) as ada,
        person(browser, address, viewport=size, locale="de-DE") as other,
    ):
        hers, theirs = ada.page(), other.page()
        come_in(hers, "Ada")
        hers.get_by_role("button", name="Open a room").click()
        expect(hers.locator(".seats li")).to_have_count(1)
        theirs.goto(hers.url)
        theirs.get_by_role("button", name="Mitmachen").click()
        expect(hers.locator(".seats li")).to_have_count(2)
        hers.get_by_role("button", name="Ready").click()
        theirs.get_by_role("button", name="Bereit").click()
        moved(theirs, 0)
        play_greedily(hers, 6)
        theirs.get_by_role("button", name="Aufgeben").click()
        theirs.get_by_role("button", name="Ja, aufgeben").click()
        see_result(hers)
        theirs.get_by_role("button", name="Zum Ergebnis").click()
        for page in (hers, theirs):
            expect(page.locator(".places li")).to_have_count(2)
        yield Evening(hers, theirs)


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=str)
def test_the_place_comes_first_and_how_the_game_ended_is_a_note(
    evening: Evening, size: tuple[int, int]
) -> None:
    page = evening.winner
    page.set_viewport_size({"width": size[0], "height": size[1]})
    headline = page.locator(".result h2").first
    expect(headline).to_have_text("First place")
    ended = page.locator(".ended")
    expect(ended).to_contain_text("You gave up.")
    assert ended.evaluate("(note) => note.tagName") == "P"
    order = [headline, page.locator(".result .figures"), page.locator(".result .ways")]
    order += [page.locator(".places"), page.locator(".course").first]
    tops = [top(part) for part in order]
    assert tops[:4] == sorted(tops[:4])
    assert tops[4] >= tops[3]
    for part in order[:4]:
        expect(part).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_the_places_have_medals_wheels_and_cards_home(evening: Evening) -> None:
    rows = evening.winner.locator(".places li")
    expect(rows.first).to_contain_text("Ada")
    expect(rows.first).to_have_class(re.compile("mine"))
    for at, row in enumerate(rows.all()):
        expect(row.locator(".medal")).to_have_text(str(at + 1))
        expect(row.locator(".wheel")).to_be_visible()
        expect(row.locator(".home")).to_have_text(re.compile(r"^\d+$"))
    expect(rows.first.locator(".rating")).to_have_text(re.compile("Rating 1586"))


def test_the_names_stand_at_the_ends_of_their_lines(evening: Evening) -> None:
    page = evening.winner
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    ends, names = page.locator(".chart .end"), page.locator(".chart .name")
    expect(names).to_have_count(2)
    boxes = [box for name in names.all() if (box := name.bounding_box())]
    for end, name in zip(ends.all(), boxes, strict=True):
        at = end.bounding_box()
        assert at
        assert at["x"] + at["width"] < name["x"]
    assert boxes[1]["y"] - boxes[0]["y"] >= boxes[0]["height"]


def test_a_guest_is_told_in_their_language_and_signs_the_result(evening: Evening) -> None:
    page = evening.guest
    expect(page.get_by_role("heading", name="Zweiter Platz", exact=True)).to_be_visible()
    page.get_by_label("Dein Name").fill("Linus")
    page.get_by_role("button", name="Namen speichern").click()
    expect(page.locator("header .me")).to_have_text("Linus")
    expect(page.get_by_label("Dein Name")).to_have_count(0)
    expect(page.locator(".places .mine .name a")).to_have_text("Linus")


def test_of_many_places_those_near_the_own_one_are_shown(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").click()
        code = page.locator(".code").get_attribute("aria-label") or ""
        crowd(page, code.replace(" ", ""), 7)
        page.get_by_role("button", name="Ready", exact=True).click()
        give_up(page)
        see_result(page)
        rows = page.locator(".places li")
        expect(rows).to_have_count(5)
        expect(page.locator(".places .mine")).to_have_count(1)
        page.get_by_role("button", name="All 8 places").click()
        expect(rows).to_have_count(8)
        assert faults(page) == []


def test_a_race_has_changed_the_ratings_of_those_who_had_one(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        told = ada.page().evaluate(RATED)
    assert told["of"] == [[1612, 12], [1690, -10], [1586, 0], [0, 0]]
    # One request for all: before, and after it until it is rated.
    assert told["asked"] == ["ada,bob,eve,bot:tick"] * 3


def test_a_faster_win_says_by_how_much(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        assert ada.page().evaluate(GAINED) == [0, 0, 72_000]


def test_a_loss_offers_the_turning_point_and_the_same_cards_unranked(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").click()
        start_alone(page)
        faces = page.locator("svg.board .tableau use.face")
        cards = faces.evaluate_all(HREFS)
        assert len(cards) > 12
        give_up(page)
        see_result(page)
        expect(page.locator(".result h2").first).to_have_text("12 home")
        what = page.locator(".what")
        expect(what.get_by_role("button", name="Analyse")).to_be_visible()
        what.get_by_role("button", name="Try again, unranked").click()
        moved(page, 0)
        expect(page.get_by_role("heading", level=1)).to_contain_text("Practice")
        assert faces.evaluate_all(HREFS) == cards
