"""A host adds house players in the lobby, and everybody sees that they are programs."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.support.torture import long
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, give_up

SETTINGS = {**UNHURRIED, "BIGBEN_HOUSE": "1", "BIGBEN_HOUSE_PACE": "0"}
WHOLE = """
(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const text = range.getBoundingClientRect();
  for (let one = element; one; one = one.parentElement) {
    const { left, right } = one.getBoundingClientRect();
    const cuts = getComputedStyle(one).overflowX !== "visible";
    if (cuts && (text.left < left - 1 || text.right > right + 1)) return false;
  }
  return true;
}
"""
"""Whether nothing of the text of an element is cut."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), SETTINGS) as one:
        yield one


def test_a_host_races_house_players_and_each_is_marked_as_a_bot(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").click()
        lines = page.locator(".seats > ul li")
        for name, line in (("Pip", 1), ("Tick", 2)):
            page.get_by_role("button", name=f"Add {name}").click()
            expect(lines.nth(line).locator(".name")).to_have_text(name)
            expect(lines.nth(line).locator(".notes")).to_have_text("bot")
        page.get_by_role("button", name="Remove Tick").click()
        expect(lines).to_have_count(2)
        expect(lines.nth(1)).to_contain_text("Ready", ignore_case=True)
        page.get_by_role("button", name="Ready", exact=True).click()
        expect(page.locator("svg.board")).to_be_visible()
        give_up(page)
        expect(page.locator(".bars h2")).to_have_text("Result")
        expect(page.locator(".bars li", has_text="Pip")).to_contain_text("bot")


@pytest.mark.parametrize(
    ("size", "locale", "named"),
    [
        ((390, 844), "de-DE", "Quartz (Haus)"),
        long((1280, 800), "en-GB", "Quartz (house)"),
        long((844, 390), "de-DE", "Quartz (Haus)"),
        long((390, 844), "en-GB", "Quartz (house)"),
    ],
    ids=str,
)
def test_their_names_are_whole_and_no_screen_has_a_fault(
    browser: Browser, address: str, size: tuple[int, int], locale: str, named: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with person(browser, address, viewport=viewport, locale=locale) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.locator(".friends .open-room > button").click()
        ready = page.locator(".seats > ul .ready")
        for name in ("Pip", "Tick", "Quartz"):
            page.locator(".house li", has_text=name).get_by_role("button").click()
            expect(ready.filter(has_text=name)).to_be_visible()
        assert faults(page) == []
        page.locator(".ready-do").click()
        expect(page.locator("svg.board")).to_be_visible()
        names = page.locator(".rail .bars .name")
        for name in ("Pip", "Tick", "Quartz"):
            row = names.filter(has_text=name)
            expect(row).to_have_text(re.compile(rf"^{name}\s*bot$", re.IGNORECASE))
            assert row.evaluate(WHOLE)
        page.locator(".controls button:has([data-icon=resign])").click()
        page.locator(".sure .danger").click()
        page.locator(".summary .primary").click()
        expect(page.locator(".places .name")).to_have_count(4)
        assert faults(page) == []
        page.evaluate("location.hash = location.hash.replace('room', 'replay')")
        expect(page.locator(".replay-head .whose")).to_contain_text(named)
        assert faults(page) == []


def test_only_the_host_is_offered_them(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.context.new_page()
        come_in(hers, "Ada")
        hers.get_by_role("button", name="Open a room").click()
        link = hers.get_by_label("Send this link")
        expect(link).to_be_visible()
        his.goto(link.input_value())
        come_in(his, "Bob")
        his.get_by_role("button", name="Join").click()
        expect(his.get_by_role("button", name="Ready", exact=True)).to_be_visible()
        expect(hers.get_by_text("Add a house player")).to_be_visible()
        expect(his.get_by_text("Add a house player")).to_have_count(0)


def test_names_keep_their_letters_together_on_a_phone(browser: Browser, address: str) -> None:
    with person(browser, address, viewport={"width": 390, "height": 844}) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").click()
        names = page.locator(".house .name")
        expect(names).to_have_count(5)
        tall = page.locator(".seats > ul .name").bounding_box()
        assert tall
        for name in names.all():
            box = name.bounding_box()
            assert box
            assert box["height"] == tall["height"]
