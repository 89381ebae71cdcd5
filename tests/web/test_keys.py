"""Keys that play from anywhere on the screen, and the position in words."""

import re

from playwright.sync_api import Browser, expect
from tests.web.chromium import person
from tests.web.hands import moved
from tests.web.rooms import play_moves, room_with

SEED = "5e" * 32
"""The deal of docs/protocol.md: 12 goes to f1 at first, and 9 on 5."""


def test_a_move_takes_two_keys_at_most(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        race = room_with(page, practice=True, seed=SEED)
        play_moves(page, race, ())
        page.goto(f"{address}/#room={race}")
        page.reload()
        moved(page, 0)
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


def test_the_systems_own_colours_leave_the_cards_as_they_are(
    browser: Browser, address: str
) -> None:
    felt = "getComputedStyle(document.querySelector('svg.board')).backgroundImage"
    card = "getComputedStyle(document.querySelector('svg.board .card rect, svg.board rect')).fill"
    seen = []
    for colours in ("none", "active"):
        with person(browser, address, forced_colors=colours) as ada:
            page = ada.page()
            race = room_with(page, practice=True, seed=SEED)
            play_moves(page, race, ())
            page.goto(f"{address}/#room={race}")
            page.reload()
            moved(page, 0)
            seen.append([page.evaluate(felt), page.evaluate(card)])
            edge = "(button) => parseFloat(getComputedStyle(button).borderTopWidth)"
            widths = [one.evaluate(edge) for one in page.locator(".controls button:visible").all()]
            assert colours == "none" or (widths and min(widths) >= 1)
    assert seen[0] == seen[1]
