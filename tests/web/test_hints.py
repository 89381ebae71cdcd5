"""The best move on the page: in practice and in the games of a closed race, and nowhere else."""

import re

from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.chromium import person
from tests.web.guests import Guest, practising
from tests.web.hands import give_up, moved, see_result, start_alone

SEED = "5e" * 32
LEGAL = ["2 f9", "4 f5", "5 f2", "7 f6", "9 5", "10 2", "12 f1", "12 1"]
WHY = re.compile(r"^(Play|Build|Turn|Refill|Exchange) ")


def marked(page: Page) -> str:
    """The move that is marked on the board, as it is typed."""
    where = [page.locator(f"svg.board .mark.is-{kind}") for kind in ("picked", "target")]
    expect(where[0]).to_have_count(1)
    return " ".join(one.get_attribute("data-mark") or "" for all_ in where for one in all_.all())


def bubble(page: Page) -> Locator:
    return page.locator("svg.board .bubble")


def test_practice_shows_the_best_move_and_why(browser: Browser, address: str) -> None:
    with practising(browser, address, seed=SEED) as page:
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
    for game, count in (("watch", 1), ("clock", 0)):
        with practising(browser, address, game=game) as page:
            best = page.get_by_role("button", name="Best move")
            expect(best.or_(page.get_by_role("button", name="What can I do?"))).to_have_count(count)
            page.keyboard.press("h")
            page.keyboard.press("Shift+H")
            expect(page.locator(".legend")).to_have_count(count)


def test_a_small_screen_hides_the_hints_again_before_it_offers_the_best_move(
    browser: Browser, address: str
) -> None:
    looks = {"viewport": {"width": 390, "height": 700}}
    with practising(browser, address, looks=looks, seed=SEED) as page:
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
    guest = Guest(address)
    race = guest.opens(limit_ms=600_000)
    with person(browser, address, token=guest.token) as ada:
        page = ada.page(f"#room={race}")
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
