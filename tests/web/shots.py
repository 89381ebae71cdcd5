"""Screenshots that leave nothing to chance: no caret, no pointer, no motion. No tests."""

from typing import Final, Literal, NamedTuple

from playwright.sync_api import Page

Theme = Literal["light", "dark"]
Size = tuple[int, int]

SIZES: Final[tuple[Size, ...]] = ((1280, 800), (1920, 1080), (1024, 768), (390, 844), (844, 390))
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")

_LAID_OUT: Final = """
() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const boards = [...document.querySelectorAll("svg.board")].filter((one) => one.viewBox.baseVal);
  resolve(boards.every((board) => {
    const { width, height } = board.getBoundingClientRect();
    const { width: w, height: h } = board.viewBox.baseVal;
    return !width || Math.abs(width / height - w / h) < 0.02;
  }));
})))
"""
"""Whether the boards have the shape of the felt that they are on."""


class Look(NamedTuple):
    size: Size
    theme: Theme

    def __str__(self) -> str:
        return f"{self.size[0]}x{self.size[1]}-{self.theme}"


def shot(page: Page, look: Look, *, whole: bool = True) -> bytes:
    """A PNG of the screen in this look; the whole of it, or what is seen without scrolling."""
    page.mouse.move(0, 0)
    page.set_viewport_size({"width": look.size[0], "height": look.size[1]})
    page.emulate_media(color_scheme=look.theme)
    page.wait_for_function(_LAID_OUT)
    page.evaluate("() => scrollTo(0, 0)")
    return page.screenshot(full_page=whole, animations="disabled", caret="hide")
