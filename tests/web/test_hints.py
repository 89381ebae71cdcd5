"""The best move on the page: in practice and in the games of a closed race, and nowhere else."""

import re

from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.chromium import person
from tests.web.hands import give_up, moved, see_result, start_alone
from tests.web.rooms import room_with

SEED = "5e" * 32
LEGAL = ["2 f9", "4 f5", "5 f2", "7 f6", "9 5", "10 2", "12 f1", "12 1"]
WHY = re.compile(r"^(Play|Build|Turn|Refill|Exchange) ")


def practising(page: Page, address: str) -> None:
    race = room_with(page, practice=True, seed=SEED)
    page.goto(f"{address}/#room={race}")
    page.reload()
    page.get_by_role("button", name="Show me the cards").click()
    expect(page.locator("svg.board")).to_have_attribute("data-n", "0")


def marked(page: Page) -> str:
    """The move that is marked on the board, as it is typed."""
    where = [page.locator(f"svg.board .mark.is-{kind}") for kind in ("picked", "target")]
    expect(where[0]).to_have_count(1)
    return " ".join(one.get_attribute("data-mark") or "" for all_ in where for one in all_.all())


def bubble(page: Page) -> Locator:
    return page.locator("svg.board .bubble")


def test_practice_shows_the_best_move_and_why(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        practising(page, address)
        page.keyboard.press("h")
        expect(bubble(page)).to_have_text(WHY)
        expect(page.locator("#said")).to_have_text(WHY)
        best = marked(page)
        assert best in [*LEGAL, "s"]
        page.keyboard.press("Escape")
        expect(bubble(page)).to_have_count(0)
        page.get_by_role("button", name="Best move").click()
        expect(bubble(page)).to_have_text(WHY)
        assert marked(page) == best, "the same as before"
        page.get_by_role("textbox", name="Type a move").fill("turn" if best == "s" else best)
        page.keyboard.press("Enter")
        moved(page, 1)
        expect(bubble(page)).to_have_count(0)


def test_a_game_without_choices_has_no_hints(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        for game, count in (("watch", 1), ("clock", 0)):
            race = room_with(page, practice=True, game=game)
            page.goto(f"{address}/#room={race}")
            page.reload()
            page.get_by_role("button", name="Show me the cards").click()
            expect(page.locator("svg.board")).to_have_attribute("data-n", "0")
            best = page.get_by_role("button", name="Best move")
            expect(best.or_(page.get_by_role("button", name="What can I do?"))).to_have_count(count)
            page.keyboard.press("h")
            page.keyboard.press("Shift+H")
            expect(page.locator(".legend")).to_have_count(count)


def test_a_small_screen_hides_the_hints_again_before_it_offers_the_best_move(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.set_viewport_size({"width": 390, "height": 700})
        practising(page, address)
        best, show, hide = (
            page.get_by_role("button", name=name)
            for name in ("Best move", "Show the hints", "Hide the hints")
        )
        expect(best).to_be_visible()
        expect(show).to_be_hidden()
        page.keyboard.press("Shift+H")
        expect(best).to_be_hidden()
        hide.click()
        expect(best).to_be_visible()
        expect(hide).to_be_hidden()


def test_a_race_that_runs_offers_none_and_its_replay_does(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        race = room_with(page, limit_ms=600_000)
        page.goto(f"{address}/#room={race}")
        page.reload()
        page.get_by_role("button", name="Ready", exact=True).click()
        start_alone(page)
        expect(page.locator("svg.board")).to_have_attribute("data-n", "0")
        expect(page.get_by_role("button", name="Best move")).to_have_count(0)
        page.keyboard.press("h")
        expect(page.get_by_role("button", name="Hide the hints")).to_be_visible()
        expect(bubble(page)).to_have_count(0)
        give_up(page)
        see_result(page)
        page.get_by_role("link", name="Watch your replay").or_(
            page.get_by_role("link", name="Replay", exact=True)
        ).first.click()
        page.get_by_role("button", name="Best move").click()
        expect(bubble(page)).to_have_text(WHY)
        page.keyboard.press("h")
        expect(page.locator("#said")).to_have_text(WHY)
