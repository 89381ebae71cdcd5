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
from bigben_server.ops.long_work import Progress

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "pictures"
IMAGES: Final = ROOT / "docs" / "images"
DOCUMENTS: Final = {
    "browser.webp": ("race", Look((1280, 800), "light")),
    "lobby.webp": ("lobby", Look((1280, 800), "light")),
    "phone.webp": ("race-picked", Look((390, 844), "light")),
    "result.webp": ("result-first", Look((1280, 800), "light")),
    "leaderboard.webp": ("leaderboard-past", Look((1280, 800), "light")),
    "season.webp": ("season", Look((1280, 800), "light")),
}
"""The pictures of docs/ and README.md: of which screen, in which look."""


def worlds(languages: Sequence[str]) -> Iterator[Still]:
    """One after the other, a server with people who speak each of the languages."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        for language in languages:
            with (
                tempfile.TemporaryDirectory() as folder,
                still(playwright.chromium, Path(folder), language) as world,
            ):
                yield world


def take_all(names: Sequence[str], looks: Sequence[Look], languages: Sequence[str]) -> None:
    progress = Progress(sys.stderr)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for world in worlds(languages):
        for name in progress.each(f"Screens, {world.language}", names):
            page = SCREENS[name](world)
            for look in looks:
                file = FOLDER / f"{name}-{look}-{world.language}.png"
                file.write_bytes(shot(page, look))
    progress.clear()


def accept() -> None:
    """Take the references of the tests, and the pictures of the documents on the way."""
    progress = Progress(sys.stderr)
    done = 0
    for world in worlds([DEFAULT]):
        for page, some in visit(world):
            progress.show("Pictures", done, len(CHOSEN))
            for one in some:
                keep(one, taken(page, one), letters(page))
            for name, (screen, look) in DOCUMENTS.items():
                if screen == some[0].screen:
                    save(shot(page, look, whole=False), IMAGES / name)
            done += len(some)
        for name, (screen, look) in DOCUMENTS.items():
            if all(screen != one.screen for one in CHOSEN):
                save(shot(SCREENS[screen](world), look, whole=False), IMAGES / name)
    progress.clear()


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
