"""What lies where: no board jumps, nothing scrolls that need not, and all is in one place."""

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect
from tests.support.torture import tortured
from tests.web.chromium import person
from tests.web.hands import OVER, come_in, give_up, moved, start_alone, type_move

LAPTOP, DESK, PHONE = (1280, 800), (1920, 1080), (390, 844)
HEIGHT = "document.documentElement.scrollHeight"


def viewport(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).bounding_box()
    assert found
    return found


@pytest.mark.parametrize("size", [PHONE, *tortured(LAPTOP, (768, 1024))])
def test_the_board_stays_where_it_is_when_a_game_ends(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    with person(browser, address, viewport=viewport(size)) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        type_move(page, "deal", 1)
        before = box(page, "svg.board")
        give_up(page)
        assert box(page, "svg.board") == before
        expect(page.locator(OVER)).to_be_in_viewport()


def test_an_end_is_told_beside_the_board(browser: Browser, address: str) -> None:
    with person(browser, address, viewport=viewport((844, 390))) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        page.evaluate("document.querySelector('[name=move]').value = 'resign'")
        page.evaluate("document.querySelector('form.typing').requestSubmit()")
        page.evaluate("document.querySelector('.sure .danger').click()")
        expect(page.locator(OVER)).to_be_in_viewport()
        expect(page.get_by_role("button", name="See the result")).to_be_in_viewport()


@pytest.mark.parametrize("size", [LAPTOP, *tortured(DESK)])
def test_a_race_needs_no_scrolling_on_a_laptop(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    with person(browser, address, viewport=viewport(size)) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        assert page.evaluate(HEIGHT) == size[1]
        # A browser whose letters are larger is no reason to scroll.
        page.evaluate("document.documentElement.style.fontSize = '18px'")
        assert page.evaluate(HEIGHT) == size[1]
        page.get_by_role("button", name="Give up").click()
        assert page.evaluate(HEIGHT) == size[1]
        page.get_by_role("button", name="Yes, give up").click()
        expect(page.locator(OVER)).to_be_visible()
        assert page.evaluate(HEIGHT) == size[1]


def test_a_watcher_finds_the_players_beside_the_dial(browser: Browser, address: str) -> None:
    with (
        person(browser, address, viewport=viewport(LAPTOP)) as ada,
        person(browser, address, viewport=viewport(LAPTOP)) as cy,
    ):
        hers, theirs = ada.page(), cy.page()
        come_in(hers, "Ada")
        hers.get_by_role("button", name="Open a room").click()
        link = hers.get_by_label("Send this link").input_value()
        start_alone(hers)
        theirs.goto(link)
        come_in(theirs, "Cy")
        theirs.get_by_role("button", name="Watch").click()
        expect(theirs.locator(".bars li")).to_contain_text("Ada")
        dial, title, players = (box(theirs, one) for one in (".lanes", "h1.title", ".bars"))
        assert dial["x"] + dial["width"] <= min(title["x"], players["x"])
        assert title["y"] + title["height"] <= players["y"]
        assert players["x"] + players["width"] <= LAPTOP[0]
        assert theirs.evaluate("document.documentElement.scrollWidth") == LAPTOP[0]
        give_up(hers)
        expect(theirs.locator(OVER)).to_have_text("The race is over.")


def test_the_button_that_deals_has_its_whole_word_on_a_phone(
    browser: Browser, address: str
) -> None:
    with person(browser, address, viewport=viewport(PHONE), locale="de-DE") as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Üben, mit Zurücknehmen").first.click()
        button = page.locator(".controls .deal")
        expect(button).to_be_visible()
        assert button.evaluate("it => it.scrollWidth <= it.clientWidth")
        expect(page.locator("form.typing")).to_be_hidden()
