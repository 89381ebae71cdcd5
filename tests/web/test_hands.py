"""All the ways to move a card: taps, dragging, keys, typed moves. And what is said of it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.chromium import person
from tests.web.guests import EARLY_KINGS, TO_LAST_KING, Guest, practising
from tests.web.hands import OVER, give_up, home, moved, name_field, pile, see_result, type_move

# The deal of docs/protocol.md. On top: 1 8C, 2 3C, 3 AS, 4 JC, 5 8H, 9 7H, 10 2C, 12 7C.
# Legal: 2 f9, 4 f5, 5 f2, 7 f6, 9 5, 10 2, 12 f1, 12 1, turn.
SEED = "5e" * 32


@pytest.fixture
def table(browser: Browser, address: str) -> Iterator[Page]:
    """The table of a practice game whose cards are known."""
    with practising(browser, address, seed=SEED) as page:
        yield page


def said(page: Page) -> Locator:
    return page.locator("#said")


def test_a_card_is_tapped_and_then_where_it_goes(table: Page) -> None:
    pile(table, "12").click()
    lit = table.locator("svg.board .target").evaluate_all("all => all.map(p => p.dataset.pile)")
    assert sorted(lit) == ["1", "f1"]
    expect(said(table)).to_have_text("Fan 12: A♦︎ 10♦︎ 7♣︎ picked. Where to?")
    pile(table, "1").click()
    moved(table, 1)
    expect(said(table)).to_have_text("7 of clubs from Fan 12 to Fan 1.")
    expect(pile(table, "1")).to_have_attribute("aria-label", "Fan 1: 7 of clubs on top, 4 cards")


def test_a_card_that_is_tapped_twice_goes_home(table: Page) -> None:
    pile(table, "12").dblclick()
    moved(table, 1)
    expect(said(table)).to_have_text("7 of clubs from Fan 12 home to Foundation 1. 13 home.")
    assert home(table) == 13


TWO_TAPS = """
(pile) => {
  for (let i = 0; i < 2; i++)
    pile.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}
"""


def test_a_stock_that_is_tapped_twice_in_a_hurry_turns_one_card(table: Page) -> None:
    # Both before the answer to the first, however fast the server and slow the browser are.
    pile(table, "s").evaluate(TWO_TAPS)
    moved(table, 1)
    expect(pile(table, "s")).to_have_attribute("aria-label", re.compile("55 cards face down"))
    expect(said(table)).to_have_text(re.compile("turned to the waste"))


def test_a_pile_that_is_tapped_twice_in_a_hurry_is_exchanged_once(
    browser: Browser, address: str
) -> None:
    guest = Guest(address)
    race = guest.opens(practice=True, **EARLY_KINGS)
    n = guest.plays(race, TO_LAST_KING)
    with person(browser, address, token=guest.token) as ada:
        page = ada.page(f"#room={race}")
        moved(page, n)
        pile(page, "12").evaluate(TWO_TAPS)  # it has one card, so a tap is enough
        moved(page, n + 1)
        type_move(page, "turn", n + 2)
        assert sum('"type":"refused"' in frame for frame in ada.frames) == 0


def marked(page: Page, kind: str) -> list[str]:
    """The piles that have a mark of this kind."""
    marks = page.locator(f"svg.board .mark.is-{kind}")
    found: list[str] = marks.evaluate_all("all => all.map(one => one.dataset.mark)")
    return sorted(found)


def test_a_card_that_can_not_move_says_why_and_what_it_waits_for(table: Page) -> None:
    pile(table, "3").click()
    bubble = table.locator("svg.board .bubble")
    expect(bubble).to_have_text(re.compile("^A♠︎ can’t move yet. A♠︎ goes on K♠︎ at"))
    words = "^ace of spades can’t move yet. ace of spades goes on king of spades at "
    expect(said(table)).to_have_text(re.compile(words))
    assert marked(table, "stays") == ["3"]
    pile(table, "12").dblclick()
    moved(table, 1)
    expect(bubble).to_have_count(0)
    assert marked(table, "stays") == []


def test_a_card_that_is_put_in_a_wrong_place_says_why(table: Page) -> None:
    bubble = table.locator("svg.board .bubble")
    pile(table, "12").click()
    pile(table, "3").click()
    expect(bubble).to_contain_text("7♣︎ does not go on A♠︎; fan 3 wants K♠︎.")
    table.keyboard.press("Escape")
    expect(bubble).to_have_count(0)
    drag(table, "12", "f11")
    expect(bubble).to_contain_text("The foundation at 11 wants 5♠︎, not 7♣︎.")
    expect(pile(table, "12").locator(".top")).to_be_visible()


def test_hints_mark_all_that_can_be_done_until_they_are_hidden(table: Page) -> None:
    assert marked(table, "home") == ["12", "2", "4", "5", "7"]
    assert marked(table, "fan") == []
    table.keyboard.press("Shift+H")
    assert marked(table, "fan") == ["10", "9"]
    assert marked(table, "deal") == ["s"]
    expect(pile(table, "3")).to_have_class(re.compile(r"\bdim\b"))
    expect(table.get_by_role("button", name="Hide the hints")).to_be_visible()
    table.reload()
    expect(table.locator("svg.board .mark.is-deal")).to_have_count(1)
    table.get_by_role("button", name="Hide the hints").click()
    expect(table.locator("svg.board .mark.is-deal")).to_have_count(0)
    table.get_by_role("textbox", name="Type a move").press("h")
    expect(table.locator("svg.board .mark.is-deal")).to_have_count(0)


def test_a_picked_card_marks_where_it_goes_and_dims_the_rest(table: Page) -> None:
    pile(table, "12").click()
    assert marked(table, "picked") == ["12"]
    assert marked(table, "target") == ["1", "f1"]
    assert marked(table, "home") == []
    lit = table.locator("svg.board .pile:not(.dim)")
    assert sorted(lit.evaluate_all("all => all.map(p => p.dataset.pile)")) == ["1", "12", "f1"]


def test_a_card_is_dragged_to_where_it_goes(table: Page) -> None:
    drag(table, "12", "f1")
    moved(table, 1)
    assert home(table) == 13


def test_a_card_that_is_let_go_elsewhere_is_not_moved(table: Page) -> None:
    drag(table, "12", "6")
    expect(table.locator("svg.board .air > *")).to_have_count(0)
    expect(pile(table, "12").locator(".top")).to_be_visible()
    pile(table, "s").click()
    moved(table, 1)


def drag(page: Page, source: str, target: str) -> None:
    start = pile(page, source).locator(".top").bounding_box()
    end = pile(page, target).locator(".top").bounding_box()
    assert start
    assert end
    middle = [box["x"] + box["width"] / 2 for box in (start, end)]
    height = [box["y"] + box["height"] / 2 for box in (start, end)]
    page.mouse.move(middle[0], height[0])
    page.mouse.down()
    page.mouse.move((middle[0] + middle[1]) / 2, (height[0] + height[1]) / 2, steps=3)
    expect(page.locator("svg.board .air .held")).to_be_visible()
    expect(page.locator("svg.board .target")).not_to_have_count(0)
    page.mouse.move(middle[1], height[1], steps=3)
    page.mouse.up()


def test_a_whole_game_from_the_start_page_to_its_end_is_played_with_keys(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        keys = page.keyboard
        name_field(page).focus()
        keys.type("Ada")
        tab_to(page, page.get_by_role("button", name="Practise"))
        keys.press("Enter")
        moved(page, 0)
        tab_to(page, pile(page, "12"))
        for n in range(1, 13):
            homing = page.locator("svg.board .tableau.homing")
            if homing.count():
                walk(page, homing.first, "ArrowRight")
                keys.press("Enter")
                keys.press("Enter")
            else:
                walk(page, pile(page, "12"), "ArrowRight")
                for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "Enter"):
                    keys.press(key)
            moved(page, n)
            if pile(page, "s").evaluate("it => it === document.activeElement"):
                for key in ("ArrowUp", "ArrowUp"):
                    keys.press(key)
        tab_to(page, page.get_by_role("button", name="Give up"))
        keys.press("Enter")
        expect(page.get_by_role("button", name="No, keep playing")).to_be_focused()
        keys.press("Shift+Tab")
        keys.press("Enter")
        expect(page.locator(OVER)).to_have_text(re.compile("You gave up\\."))


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(40):
        if wanted.evaluate("it => it === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead there")


def walk(page: Page, wanted: Locator, key: str) -> None:
    """Press a key until this pile has the focus."""
    for _ in range(12):
        if wanted.evaluate("it => it === document.activeElement"):
            return
        page.keyboard.press(key)
    expect(wanted).to_be_focused()


def test_the_whole_board_is_played_with_keys(table: Page) -> None:
    table.locator('svg.board [tabindex="0"]').focus()
    expect(pile(table, "12")).to_be_focused()
    table.keyboard.press("Enter")
    expect(pile(table, "12")).to_have_attribute("aria-pressed", "true")
    table.keyboard.press("Escape")
    expect(pile(table, "12")).to_have_attribute("aria-pressed", "false")
    table.keyboard.press("Enter")
    table.keyboard.press("ArrowRight")
    expect(pile(table, "1")).to_be_focused()
    table.keyboard.press("Enter")
    moved(table, 1)
    expect(pile(table, "1")).to_be_focused()
    for key, to in (
        ("ArrowLeft", "12"),
        ("ArrowDown", "f12"),
        ("ArrowLeft", "f11"),
        ("ArrowDown", "s"),
        ("ArrowRight", "w"),
        ("ArrowLeft", "s"),
    ):
        table.keyboard.press(key)
        expect(pile(table, to)).to_be_focused()
    table.keyboard.press("Space")
    moved(table, 2)
    expect(said(table)).to_have_text("1 card dealt to the fans.")


def test_a_whole_game_is_typed(table: Page) -> None:
    field = table.get_by_role("textbox", name="Type a move")
    moves = ("12fdn", "undo", "12f", "undo", "12 f", "undo", "9 5", "deal", "DEAL")
    for n, move in enumerate(moves, 1):
        type_move(table, move, n)
        expect(field).to_be_focused()
        expect(field).to_have_value("")
    field.fill("3 fdn")
    field.press("Enter")
    expect(table.get_by_role("alert").last).to_have_text("AS fits no foundation now.")
    field.fill("9FDN")
    field.press("Enter")
    expect(table.get_by_role("alert").last).to_contain_text("fits no foundation now.")
    field.fill("abracadabra")
    field.press("Enter")
    expect(table.get_by_role("alert").last).to_contain_text("abracadabra")
    for help_ in ("?", "help"):
        field.fill(help_)
        field.press("Enter")
        expect(table.get_by_role("alert").last).to_contain_text("Type moves like these: 3 fdn")
    field.fill("resign")
    field.press("Enter")
    table.get_by_role("button", name="No, keep playing").click()
    field.fill("resign")
    field.press("Enter")
    table.get_by_role("button", name="Yes, give up").click()
    expect(table.locator(OVER)).to_have_text(re.compile("You gave up\\."))


def test_undo_has_a_button_where_it_is_allowed(table: Page) -> None:
    undo = table.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    pile(table, "12").dblclick()
    moved(table, 1)
    undo.click()
    moved(table, 2)
    expect(said(table)).to_have_text("Taken back: 7 of clubs from Foundation 1 to Fan 12.")
    expect(undo).to_be_disabled()


def test_every_pile_is_a_button_with_a_name(table: Page) -> None:
    names = table.locator("svg.board [role=button]").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    assert len(names) == 26
    assert "Fan 3: ace of spades on top, 3 cards" in names
    assert "Foundation 9: 2 of clubs" in names
    assert "Waste: empty" in names
    assert "Stock: 56 cards face down, Turn" in names


def test_the_game_is_shown_again_move_by_move(table: Page) -> None:
    type_move(table, "12 fdn", 1)
    type_move(table, "deal", 2)
    give_up(table)
    see_result(table)
    table.get_by_role("link", name="Replay", exact=True).click()
    expect(table.get_by_text("The deal")).to_be_visible()
    assert home(table) == 12
    table.get_by_role("button", name="Next").click()
    expect(table.get_by_text("Move 1 of 3: 12 f1")).to_be_visible()
    assert home(table) == 13
    table.get_by_role("slider", name="Time").press("End")
    expect(table.get_by_text("Move 3 of 3: resign")).to_be_visible()
    table.get_by_role("button", name="Back").click()
    expect(pile(table, "s")).to_have_attribute("aria-label", re.compile("55 cards"))
    assert table.locator("svg.board [role=button]").count() == 0
