"""What a person does on the page, by taps and keys. No tests."""

from playwright.sync_api import Locator, Page, expect

OVER = ".result h2"


def come_in(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)


def pile(page: Page, name: str) -> Locator:
    return page.locator(f'svg.board [data-pile="{name}"]')


def moved(page: Page, n: int) -> None:
    """Wait until the board shows move ``n``."""
    expect(page.locator("svg.board")).to_have_attribute("data-n", str(n))


def type_move(page: Page, move: str, n: int) -> None:
    """Type a move, which becomes number ``n``."""
    field = page.get_by_role("textbox", name="Type a move")
    field.fill(move)
    field.press("Enter")
    moved(page, n)


def home(page: Page) -> int:
    """How many cards are home, as the board says."""
    return int((page.locator("svg.board .home").text_content() or "").split("/")[0])


def play_greedily(page: Page, most: int = 400) -> None:
    """Tap cards home while one can go, else deal, until the game is over. Taps alone.

    Each tap is answered before the next one.
    """
    expect(page.locator("svg.board")).to_be_visible()
    for _ in range(most):
        seen = page.locator("svg.board").get_attribute("data-n")
        if page.locator(OVER).count():
            return
        homing = page.locator("svg.board .homing")
        if homing.count():
            name = homing.first.get_attribute("data-pile")
            assert name
            pile(page, name).click()
            pile(page, name).click()
        elif page.locator("svg.board .stock.movable").count():
            pile(page, "s").click()
        else:
            source = page.locator("svg.board .movable").first
            source.click()
            page.locator("svg.board .target").first.click()
        expect(page.locator(f'svg.board:not([data-n="{seen}"])')).to_be_visible()
    give_up(page)


def give_up(page: Page) -> None:
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give up").click()
    expect(page.locator(OVER)).to_be_visible()
