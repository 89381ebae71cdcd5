"""The dozen screens of which references are kept, and these references. No tests."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Page
from tests.web import alike
from tests.web.screens.table import SCREENS
from tests.web.shots import Look, Theme, shot
from tests.web.still import Still

FOLDER: Final = Path(__file__).parents[1] / "pictures"
COLOURS: Final = 256
ACCEPT: Final = "make pictures ARGS=--accept"

_LETTERS: Final = """
() => {
  const pen = document.createElement("canvas").getContext("2d");
  const width = (family) => {
    pen.font = `40px ${family}`;
    return Math.round(pen.measureText("Grandfather's Clock 0123456789").width);
  };
  return ["system-ui", "ui-serif, Georgia, serif", "ui-monospace, monospace"].map(width).join(" ");
}
"""
"""How wide this machine's fonts are."""


class Chosen(NamedTuple):
    screen: str
    width: int
    height: int
    theme: Theme

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.screen}-{self.width}x{self.height}-{self.theme}.png"

    @property
    def look(self) -> Look:
        return Look((self.width, self.height), self.theme)


CHOSEN: Final = (
    Chosen("start", 1280, 800, "light"),
    Chosen("start", 390, 844, "dark"),
    Chosen("lesson-home", 1280, 800, "light"),
    Chosen("lobby", 1280, 800, "dark"),
    Chosen("countdown", 390, 844, "light"),
    Chosen("race", 1280, 800, "light"),
    Chosen("race-picked", 390, 844, "dark"),
    Chosen("watcher", 1280, 800, "light"),
    Chosen("result-first", 1280, 800, "light"),
    Chosen("grandfathersclock-late", 844, 390, "dark"),
    Chosen("leaderboard-past", 1280, 800, "dark"),
    Chosen("calendar", 390, 844, "light"),
)
"""In the order of the walk: each screen once, all its looks together."""


def visit(still: Still) -> Iterator[tuple[Page, list[Chosen]]]:
    """Walk to each of these screens: its page, and which pictures of it are wanted."""
    for screen, some in groupby(CHOSEN, lambda one: one.screen):
        yield SCREENS[screen](still), list(some)


def taken(page: Page, one: Chosen) -> Image.Image:
    """The picture as references are kept."""
    return alike.small(shot(page, one.look))


def letters(page: Page) -> str:
    """The fonts of this machine, so that references of another one are recognised."""
    found: str = page.evaluate(_LETTERS)
    return found


def keep(one: Chosen, picture: Image.Image, drawn_with: str) -> None:
    """Keep a picture as the reference, and with which fonts it was drawn."""
    FOLDER.mkdir(exist_ok=True)
    info = PngInfo()
    info.add_text("letters", drawn_with)
    few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(one.file, "PNG", optimize=True, pnginfo=info)


def reference(one: Chosen) -> Image.Image:
    """Raises FileNotFoundError."""
    with Image.open(one.file) as kept:
        kept.load()
        return kept
