"""The board: examples in the files of boards/, and properties of any position."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.terminal.support import BIG_BEN, BOARDS, INFO, read, view_of

from bigben_protocol import Step
from bigben_rules import GAMES
from bigben_rules.bigben import Position
from bigben_rules.bigben.layout import FOUNDATION, HOURS
from bigben_rules.cards import PACK
from bigben_terminal.display import position_text
from bigben_terminal.display.board import board, listed
from bigben_terminal.display.faces import Faces


def drawn(header: dict[str, str]) -> list[str]:
    """The expected text of the file below its header."""
    before, game = read(header["position"]), INFO[header["position"].split()[0]]
    after, steps = before.apply(before.parse(header["move"])) if "move" in header else (before, ())
    view = view_of(after)
    last = [Step(*step) for step in steps]
    faces = Faces(ascii=header["as"] == "ascii")
    if header["as"] == "words":
        told = [position_text.what_happened(game, header["move"], last, view)] if last else []
        return [*told, *position_text.position(game, view)]
    picture = board(game, view, faces, last).plain.split("\n")
    return [
        *(line.rstrip() for line in picture),
        "",
        *position_text.hints(game, view.legal, faces),
    ]


@pytest.mark.parametrize("file", sorted(BOARDS.glob("*.txt")), ids=lambda file: file.stem)
def test_a_written_position_is_drawn_as_the_file_shows(file: Path) -> None:
    header, _, picture = file.read_text(encoding="utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in header.splitlines())
    assert drawn(fields) == picture.splitlines()


def any_position(seed: int) -> Position:
    """Cards anywhere: on foundations of any height, in fans of any length."""
    rng = Random(seed)
    home = {hour: rng.randint(1, len(FOUNDATION[hour])) for hour in HOURS}
    cards = [*PACK, *PACK]
    for hour in HOURS:
        for card in FOUNDATION[hour][: home[hour]]:
            cards.remove(card)
    rng.shuffle(cards)
    places = rng.sample(range(14), rng.randint(1, 14))
    piles: list[list[str]] = [[] for _ in range(14)]
    for card in cards:
        piles[rng.choice(places)].append(card)
    line = " ".join(
        [
            "bigben standard",
            ",".join(FOUNDATION[hour][home[hour] - 1] for hour in HOURS),
            "/".join(",".join(pile) or "-" for pile in piles[:12]),
            *(",".join(pile) or "-" for pile in piles[12:]),
        ]
    )
    position = GAMES["bigben"].read(line)
    assert isinstance(position, Position)
    return position


@given(st.integers(0, 2**32), st.booleans())
def test_no_position_is_wider_or_taller_than_a_terminal(seed: int, ascii: bool) -> None:
    position = any_position(seed)
    lines = board(BIG_BEN, view_of(position), Faces(ascii=ascii)).plain.split("\n")
    assert max(map(len, lines)) <= 78
    assert len(lines) == 17


@given(st.integers(0, 2**32))
def test_the_board_shows_every_top_and_names_no_card_of_the_stock(seed: int) -> None:
    position = any_position(seed)
    shown = board(BIG_BEN, view_of(position), Faces(ascii=True)).plain
    tops = [fan[-1] for fan in position.fans if fan] + list(position.waste[-1:])
    assert all(f"[{top}]" in shown for top in tops)
    assert f"stock {len(position.stock)}" in shown
    hidden = replace(position, stock=tuple(reversed(position.stock)))
    assert board(BIG_BEN, view_of(hidden), Faces(ascii=True)).plain == shown


@given(st.integers(0, 2**32), st.booleans())
def test_the_list_fits_a_narrow_terminal_and_shows_the_same(seed: int, ascii: bool) -> None:
    position, faces = any_position(seed), Faces(ascii=ascii)
    view = view_of(position)
    lines = listed(BIG_BEN, view, faces).plain.split("\n")
    assert max(map(len, lines)) <= 36
    assert len(lines) == 13

    def signs(text: str) -> list[str]:
        return sorted(text.replace(faces.dot, "").split())

    drawn = board(BIG_BEN, view, faces).plain
    assert signs("\n".join(lines)) == signs(drawn)


def test_the_list_marks_what_the_last_move_touched() -> None:
    view = view_of(
        read((BOARDS / "first_deal.txt").read_text().split("position: ")[1].split("\n")[0])
    )
    last = [Step("s", "3", "AC"), Step("s", "w", "AC"), Step("1", "f12", "AC")]
    first, *_, twelfth, piles = listed(BIG_BEN, view, Faces(ascii=True), last).plain.split("\n")
    assert "*" not in first
    assert twelfth.split()[1].endswith("*")
    assert "3*" in listed(BIG_BEN, view, Faces(ascii=True), last).plain
    assert "waste __" in piles


def test_ascii_means_ascii() -> None:
    for seed in range(20):
        view = view_of(any_position(seed))
        assert board(BIG_BEN, view, Faces(ascii=True)).plain.isascii()
        assert "".join(position_text.hints(BIG_BEN, view.legal, Faces(ascii=True))).isascii()


def test_the_words_name_every_card_that_lies_open() -> None:
    position = read((BOARDS / "first_deal.txt").read_text().split("position: ")[1].split("\n")[0])
    told = "\n".join(position_text.position(BIG_BEN, view_of(position)))
    assert (
        told.count(" of hearts")
        + told.count(" of spades")
        + told.count(" of clubs")
        + told.count(" of diamonds")
        == 36 + 12 * 2
    )


@pytest.mark.parametrize("file", ["refill", "watch", "grandfathers_clock"])
def test_the_pictures_in_the_documentation_are_what_is_drawn(file: str) -> None:
    _, _, picture = (BOARDS / f"{file}.txt").read_text(encoding="utf-8").partition("\n\n")
    page = BOARDS.parents[2] / "docs" / "terminal.md"
    assert picture in page.read_text(encoding="utf-8")
