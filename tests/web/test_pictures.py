"""A dozen screens look as they did when somebody last looked at them: a change is a decision."""

from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image
from playwright.sync_api import Browser
from tests.web.alike import alike, beside
from tests.web.screens.chosen import ACCEPT, CHOSEN, Chosen, letters, reference, taken, visit
from tests.web.still import still

from bigben_protocol.texts import DEFAULT

CHANGED = Path(__file__).parents[2] / "build" / "pictures" / "changed"
FONTS = "This machine has other fonts than the references: install fonts-dejavu-core, or "
PLANTED = {
    "a box four pixels to the right": ".podium { transform: translateX(4px) }",
    "a button of a lighter green": ".friends .primary { background: #2d6b5e }",
    "letters one pixel larger": ".hero .lead { font-size: 19px }",
}


pytestmark = pytest.mark.timeout(600)
"""The first test makes the pictures of all: a whole evening, on cores that others use too."""


class Gallery(NamedTuple):
    pictures: dict[Chosen, Image.Image]
    letters: str
    planted: dict[str, Image.Image]
    """The start page with each of the faults."""


@pytest.fixture(scope="module")
def gallery(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Gallery:
    with still(browser.browser_type, tmp_path_factory.mktemp("still"), DEFAULT) as world:
        pictures = {one: taken(page, one) for page, some in visit(world) for one in some}
        page = world.stranger()
        planted = {}
        for fault, style in PLANTED.items():
            plant = "(style) => document.adoptedStyleSheets[0].replaceSync(style)"
            page.evaluate("() => (document.adoptedStyleSheets = [new CSSStyleSheet()])")
            page.evaluate(plant, style)
            planted[fault] = taken(page, CHOSEN[0])
        return Gallery(pictures, letters(page), planted)


@pytest.mark.parametrize("one", CHOSEN, ids=lambda one: one.file.stem)
def test_a_screen_looks_as_it_did(gallery: Gallery, one: Chosen) -> None:
    now = gallery.pictures[one]
    before = reference(one)
    if alike(before, now):
        return
    CHANGED.mkdir(parents=True, exist_ok=True)
    now.save(CHANGED / one.file.name)
    beside(before, now).save(CHANGED / f"{one.file.stem}-beside.png")
    other_fonts = before.info.get("letters") != gallery.letters
    pytest.fail(
        f"{one.file.stem} has changed: see {CHANGED}/{one.file.stem}-beside.png (before, now, and "
        f"red where they differ). {FONTS if other_fonts else 'If it is meant, '}run {ACCEPT}."
    )


@pytest.mark.parametrize("fault", PLANTED)
def test_a_small_fault_is_noticed(gallery: Gallery, fault: str) -> None:
    assert not alike(gallery.pictures[CHOSEN[0]], gallery.planted[fault])
