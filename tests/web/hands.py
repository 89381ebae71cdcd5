"""What a person does on the page, by taps and keys. No tests."""

from typing import TypeAlias

from playwright.sync_api import Frame, Locator, Page, expect

Screen: TypeAlias = Page | Frame
"""Where the game is: a frame fills the page that it is in."""

OVER = ".ended"
"""What says how the own game ended, or that the race is over."""


def name_field(page: Screen) -> Locator:
    """The field for one's name; it is behind the word Guest at the top, or on an invitation."""
    field = page.locator("#name")
    field.wait_for(state="attached")
    if not field.is_visible():
        page.locator("summary.me").click()
    return field


def come_in(page: Screen, name: str) -> None:
    """Type a name, under which the next tap plays."""
    name_field(page).fill(name)


def show_boards(page: Screen) -> None:
    """Show which boards there are; a phone hides them behind a button."""
    expect(page.locator(".filters")).to_be_visible()
    if not page.locator(".filters .segments").first.is_visible():
        page.locator(".filters .opens").click()


def choose_game(page: Screen, game: str) -> None:
    """Choose a game on the start page by its id, unless it is chosen already."""
    expect(page.locator(".games button").first).to_be_visible()
    tile = page.locator(f'.games button[data-game="{game}"]')
    if tile.count():
        tile.click()


def pile(page: Screen, name: str) -> Locator:
    return page.locator(f'svg.board [data-pile="{name}"]')


def moved(page: Screen, n: int) -> None:
    """Wait until the board shows move ``n``."""
    expect(page.locator("svg.board")).to_have_attribute("data-n", str(n))


def type_move(page: Screen, move: str, n: int) -> None:
    """Type a move, which becomes number ``n``; on a phone, where there is no field, tap to deal."""
    field = page.get_by_role("textbox", name="Type a move")
    button = page.locator(".controls .deal")
    expect(button).to_be_visible()
    if move in ("deal", "turn") and not field.is_visible():
        button.click()
    else:
        field.fill(move)
        field.press("Enter")
    moved(page, n)


def home(page: Screen) -> int:
    """How many cards are home, as the board says."""
    return int((page.locator("svg.board .home").text_content() or "").split("/")[0])


_NEXT = """
() => {
  const board = document.querySelector("svg.board");
  const taps = [];
  const tap = (pile) => {
    const { x, y, width, height } = (pile.querySelector(".top") ?? pile).getBoundingClientRect();
    taps.push([x + width / 2, y + height / 2]);
  };
  const homing = board.querySelector(".homing");
  const stock = board.querySelector(".tappable");
  if (homing) (tap(homing), tap(homing));
  else if (stock) tap(stock);
  return { n: board.dataset.n, over: Boolean(document.querySelector(".ended")), taps };
}
"""
"""Where to tap next: twice on a card that can go home, else on the stock."""


def play_greedily(page: Screen, most: int) -> None:
    """Tap cards home while one can go, else deal; give up when neither can, or after ``most``."""
    expect(page.locator("svg.board")).to_be_visible()
    if not play_on(page, most):
        give_up(page)


def play_on(page: Screen, most: int) -> bool:
    """Tap cards home while one can go, else deal, ``most`` times. Returns whether the game is over.

    Each move is answered before the next one.
    """
    mouse = page.mouse if isinstance(page, Page) else page.page.mouse
    for _ in range(most):
        seen = page.evaluate(_NEXT)
        if seen["over"]:
            return True
        if not seen["taps"]:
            break
        for x, y in seen["taps"]:
            mouse.click(x, y)
        expect(page.locator("svg.board")).not_to_have_attribute("data-n", seen["n"])
    return False


def give_up(page: Screen) -> None:
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give up").click()
    expect(page.locator(OVER)).to_be_visible()


def see_result(page: Screen) -> None:
    """Leave the board of a game that is over."""
    page.get_by_role("button", name="See the result").click()
    expect(page.locator("svg.board")).to_have_count(0)


def show_card(page: Screen) -> None:
    """Show the card to share, which is behind a button on a phone and after a daily."""
    page.get_by_role("button", name="Share it").click()


def start_alone(page: Screen) -> None:
    """Start the own room without anybody else."""
    page.get_by_role("button", name="Start now").click()
    page.get_by_role("button", name="Yes, start").click()
    expect(page.locator("svg.board")).to_be_visible()
