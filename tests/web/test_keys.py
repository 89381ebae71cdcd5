"""Keys that play from anywhere on the screen, and the position in words."""

import re

from playwright.sync_api import Browser, expect
from tests.web.guests import practising
from tests.web.hands import moved

SEED = "5e" * 32
"""The deal of docs/protocol.md: 12 goes to f1 at first, and 9 on 5."""


def test_a_move_takes_two_keys_at_most(browser: Browser, address: str) -> None:
    with practising(browser, address, seed=SEED) as page:
        page.keyboard.press("9")
        page.keyboard.press("5")
        moved(page, 1)
        page.keyboard.press("u")
        moved(page, 2)
        page.keyboard.press("Shift+Digit2")
        page.keyboard.press("Shift+Digit2")
        moved(page, 3)
        page.keyboard.press("Space")
        moved(page, 4)
        page.keyboard.press("p")
        words = page.get_by_role("dialog", name="The position in words")
        expect(words.get_by_text("Fan 9, from the top: 7 of hearts, 9 of hearts")).to_be_visible()
        expect(words.get_by_text(re.compile("Stock: 5. cards face down."))).to_be_visible()
        page.keyboard.press("Escape")
        expect(words).to_have_count(0)


def test_the_systems_own_colours_are_those_of_the_felt_and_buttons_have_edges(
    browser: Browser, address: str
) -> None:
    with practising(browser, address, looks={"forced_colors": "active"}, seed=SEED) as page:
        felt = "getComputedStyle(document.querySelector('svg.board')).backgroundImage"
        assert set(re.findall(r"rgb\(.*?\)", page.evaluate(felt))) == {"rgb(255, 255, 255)"}
        edge = "(button) => parseFloat(getComputedStyle(button).borderTopWidth)"
        buttons = page.locator(".controls button:visible").all()
        assert buttons
        assert min(button.evaluate(edge) for button in buttons) >= 1
