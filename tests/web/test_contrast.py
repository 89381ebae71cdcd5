"""What is marked can be seen: the colours of the sheets, light and dark, against each other."""

import re
from importlib.resources import files

import pytest

STYLE = files("bigben_web").joinpath("files/style")
MARKS = ("goes-home", "goes-on", "pick", "stays", "awaited", "moved")
KINDS = {"home", "fan", "target", "picked", "focus", "deal", "stays", "awaited", "fresh"}
KINDS |= {"choice", "chosen"}
SUITS = ("black", "red", "green", "blue")
Colour = tuple[float, float, float]


def palettes() -> dict[str, dict[str, Colour]]:
    """The colours by name, of the light and of the dark page."""
    light, dark = STYLE.joinpath("colours.css").read_text().split("@media")
    return {"light": colours(light), "dark": {**colours(light), **colours(dark)}}


def colours(sheet: str) -> dict[str, Colour]:
    return {name: rgb(value) for name, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", sheet)}


def rgb(value: str) -> Colour:
    red, green, blue = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def contrast(a: Colour, b: Colour) -> float:
    """As WCAG 2 has it, from 1 to 21."""
    one, two = luminance(a) + 0.05, luminance(b) + 0.05
    return max(one, two) / min(one, two)


def luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.fixture(params=["light", "dark"])
def palette(request: pytest.FixtureRequest) -> dict[str, Colour]:
    return palettes()[request.param]


@pytest.mark.parametrize("mark", MARKS)
def test_every_mark_shows_on_its_case_and_on_the_felt(
    palette: dict[str, Colour], mark: str
) -> None:
    for ground in ("case", "felt", "felt-mid", "felt-far", "band", "felt-deep"):
        assert contrast(palette[mark], palette[ground]) >= 3, ground


def test_the_case_of_a_mark_shows_on_a_card(palette: dict[str, Colour]) -> None:
    assert contrast(palette["case"], palette["card"]) >= 3


def test_all_marks_are_painted_with_these_colours() -> None:
    sheet = STYLE.joinpath("board.css").read_text()
    used = set(re.findall(r"--mark: var\(--([\w-]+)\)", sheet))
    assert used == set(MARKS)
    kinds = set(re.findall(r"\.is-(\w+)", sheet))
    assert kinds == KINDS


@pytest.mark.parametrize("suit", SUITS)
def test_suits_are_read_on_cards_also_where_they_are_dimmed(
    palette: dict[str, Colour], suit: str
) -> None:
    assert contrast(palette[suit], palette["card"]) >= 4.5
    through = float(
        re.findall(r"\.dim \{ opacity: ([\d.]+)", STYLE.joinpath("board.css").read_text())[0]
    )

    def dimmed(colour: Colour) -> Colour:
        red, green, blue = (
            part * through + felt * (1 - through)
            for part, felt in zip(colour, palette["felt"], strict=True)
        )
        return red, green, blue

    assert contrast(dimmed(palette[suit]), dimmed(palette["card"])) >= 3


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *(("ink", one) for one in ("ground", "sheet")),
        *(("faint", one) for one in ("ground", "sheet")),
        *(("gold", one) for one in ("ground", "sheet")),
        ("on-accent", "accent"),
        *((one, two) for one in ("on-felt", "on-felt-faint") for two in ("felt", "felt-deep")),
        ("rim", "band"),
    ],
)
def test_words_are_read_on_what_they_stand_on(
    palette: dict[str, Colour], text: str, ground: str
) -> None:
    assert contrast(palette[text], palette[ground]) >= 4.5


def test_ticks_and_segments_that_are_lit_differ_from_the_others(palette: dict[str, Colour]) -> None:
    assert contrast(palette["goes-home"], rgb("#6f8a7c")) >= 2
    assert contrast(palette["goes-home"], palette["plate"]) >= 3
    assert contrast(rgb("#8fa89b"), palette["plate"]) >= 3
