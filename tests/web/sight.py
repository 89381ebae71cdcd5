"""What a player can see of a screen, and how well. No tests."""

from playwright.sync_api import Page, ViewportSize

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

_COVERED = """
() => {
  const boxes = (what) => [...document.querySelectorAll(what)]
    .map((part) => ({ part, box: part.getBoundingClientRect() })).filter(({ box }) => box.width);
  const players = ".times .now, .bars li, .seats .seat, nav a";
  const others = boxes(`${players}, button`).filter(({ part }) => !part.closest(".toasts"));
  return boxes(".toasts p").flatMap(({ part: notice, box: a }) => others
    .filter(({ box: b }) =>
      a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map(({ part }) => `${notice.textContent} over ${part.textContent}`));
}
"""
_SMALL = """
(least) => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const part = text.parentElement;
    const range = document.createRange();
    range.selectNodeContents(text);
    if (!text.textContent.trim() || range.getBoundingClientRect().width < 3) continue;
    const drawn = part.closest("svg") ? Math.abs(part.getScreenCTM().d) : 1;
    const size = parseFloat(getComputedStyle(part).fontSize) * drawn;
    if (size < least - 0.1) found.push(`${text.textContent} (${size})`);
  }
  return found;
}
"""
_BUBBLE_IS_BESIDE = """
() => {
  const bubble = document.querySelector(".coach").getBoundingClientRect();
  const holes = [...document.querySelectorAll(".veil :is(.tap, .goal)")];
  return holes.map((hole) => hole.getBoundingClientRect()).every((hole) =>
    hole.left >= bubble.right || hole.right <= bubble.left
    || hole.top >= bubble.bottom || hole.bottom <= bubble.top);
}
"""


def covered(page: Page) -> list[str]:
    """The clock, players and buttons over which a notice lies, on a laptop and a phone."""
    found: list[str] = []
    was = page.viewport_size
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)
        found += page.evaluate(_COVERED)
    if was:
        page.set_viewport_size(was)
    return found


def smaller_than(page: Page, least: int) -> list[str]:
    """The texts on the screen that are smaller than so many px."""
    small: list[str] = page.evaluate(_SMALL, least)
    return small


def sees_what_is_explained(page: Page) -> None:
    """Wait until the bubble of the lesson lies over none of the piles of which it speaks."""
    page.wait_for_function(_BUBBLE_IS_BESIDE)
