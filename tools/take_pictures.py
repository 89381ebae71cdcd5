"""Takes a picture of every screen of the page: five sizes, light and dark, in each language.

    make pictures ARGS="--only start race --size 390x844 --theme dark --language de"

A server of its own is played on by people whose every move is written down, on a clock that
stands: two runs differ only where the page does. The pictures are in build/pictures, with an
index.html to look through. ``--accept`` takes instead the dozen with which the tests compare the
page, and the pictures of docs/: look at what git shows as changed before you commit it.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import expect, sync_playwright
from tests.web.chromium import PATIENCE_MS, check_there
from tests.web.screens.chosen import CHOSEN, keep, letters, taken, visit
from tests.web.screens.table import SCREENS
from tests.web.shots import SIZES, THEMES, Look, shot
from tests.web.still import LOCALES, Still, still

from bigben_protocol.texts import DEFAULT

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "pictures"
IMAGES: Final = ROOT / "docs" / "images"
DOCUMENTS: Final = {
    "browser.webp": ("race", Look((1280, 800), "light")),
    "lobby.webp": ("lobby", Look((1280, 800), "light")),
    "phone.webp": ("race-picked", Look((390, 844), "light")),
    "result.webp": ("result-first", Look((1280, 800), "light")),
    "leaderboard.webp": ("leaderboard-past", Look((1280, 800), "light")),
}
"""The pictures of docs/ and README.md: of which of the chosen screens, in which look."""
BAR: Final = 30


class Progress:
    """How far it is, on one line of a terminal."""

    def __init__(self, total: int) -> None:
        self._done, self._total = 0, total

    def one(self, name: str) -> None:
        self._done += 1
        full = BAR * self._done // self._total
        bar = f"{'█' * full}{'░' * (BAR - full)} {self._done}/{self._total} {name}"
        if sys.stderr.isatty():
            print(f"\r\033[K{bar}", end="", file=sys.stderr, flush=True)
        elif self._done % 20 == 0 or self._done == self._total:
            print(bar, file=sys.stderr, flush=True)


@contextmanager
def worlds(languages: Sequence[str]) -> Iterator[Iterator[Still]]:
    """One after the other, a server with people who speak each of the languages."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:

        def each() -> Iterator[Still]:
            for language in languages:
                with (
                    tempfile.TemporaryDirectory() as folder,
                    still(playwright.chromium, Path(folder), language) as world,
                ):
                    yield world

        yield each()


def take_all(names: Sequence[str], looks: Sequence[Look], languages: Sequence[str]) -> None:
    progress = Progress(len(names) * len(looks) * len(languages))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with worlds(languages) as each:
        for world in each:
            for name in names:
                page = SCREENS[name](world)
                for look in looks:
                    file = FOLDER / f"{name}-{look}-{world.language}.png"
                    file.write_bytes(shot(page, look))
                    progress.one(f"{name} {look} {world.language}")


def accept() -> None:
    """Take the references of the tests, and the pictures of the documents on the way."""
    progress = Progress(len(CHOSEN) + len(DOCUMENTS))
    with worlds([DEFAULT]) as each:
        for world in each:
            for page, some in visit(world):
                for one in some:
                    keep(one, taken(page, one), letters(page))
                    progress.one(one.file.name)
                for name, (screen, look) in DOCUMENTS.items():
                    if screen == some[0].screen:
                        save(shot(page, look, whole=False), IMAGES / name)
                        progress.one(name)


def save(png: bytes, file: Path) -> None:
    """A small file, whose felt still shades from light to dark without steps."""
    Image.open(BytesIO(png)).convert("RGB").save(file, quality=88, method=6)


def write_index() -> Path:
    """A page with all pictures that are there, a row for each screen."""
    rows = []
    for name in SCREENS:
        files = [file.name for file in sorted(FOLDER.glob(f"{name}-[0-9]*.png"))]
        cells = [
            f'<a href="{file}"><img loading="lazy" alt="{file}" src="{file}"></a>' for file in files
        ]
        if files:
            rows.append(f'<h2 id="{name}">{name}</h2><div>{"".join(cells)}</div>')
    style = "body{font:15px sans-serif;background:#888}div{display:flex;gap:8px;overflow-x:auto}"
    head = f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{style}'
    index = FOLDER / "index.html"
    index.write_text(f"{head}img{{height:260px}}</style>{''.join(rows)}", encoding="utf-8")
    return index


def main() -> None:
    """Take the pictures that are asked for."""
    texts = {f"{width}x{height}": (width, height) for width, height in SIZES}
    options = argparse.ArgumentParser(prog="make pictures", description=__doc__)
    options.add_argument("--accept", action="store_true")
    options.add_argument("--only", nargs="+", metavar="SCREEN", default=[""])
    options.add_argument("--size", nargs="+", choices=texts, default=list(texts))
    options.add_argument("--theme", nargs="+", choices=THEMES, default=THEMES)
    options.add_argument("--language", nargs="+", choices=LOCALES, default=list(LOCALES))
    wanted = options.parse_args()
    names = [name for name in SCREENS if name.startswith(tuple(wanted.only))]
    if not names:
        options.error(f"the screens are {', '.join(SCREENS)}")
    check_there()
    if wanted.accept:
        accept()
        return
    looks = [Look(texts[size], theme) for size in wanted.size for theme in wanted.theme]
    take_all(names, looks, wanted.language)
    print(f"\n{write_index()}")


if __name__ == "__main__":
    main()
