"""Every game, at any moment: no pile is drawn over another, and every card that lies open is there.

The games say where their piles lie; the terminal has no code for any of them.
"""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.torture import examples
from tests.terminal.support import INFO, view_of

from bigben_protocol import GameInfo, Step, View
from bigben_rules import GAMES, shuffle
from bigben_terminal.display import position_text
from bigben_terminal.display.board import WIDTH, board, listed
from bigben_terminal.display.faces import Faces, spoken

EVERY_GAME = pytest.mark.parametrize("game", INFO.values(), ids=INFO)
DEALS = st.binary(min_size=32, max_size=32)
LETTERS = Faces(ascii=True)
CARD = re.compile(r"(?<![>0-9A-Z])(?:10|[2-9AJQK])[CDHS](?![a-z])")
"""A card in letters, but not the one that will complete a foundation."""
LONG = 4
"""A fan with more cards than this has a count instead of its first ones."""


def after(game: GameInfo, seed: bytes, choices: list[int]) -> tuple[View, list[Step]]:
    """What a player sees after some moves, and the steps of the last one."""
    rules = GAMES[game.name]
    position, last = rules.deal(shuffle(rules.pack, seed), rules.variants[0]), list[Step]()
    for choice in choices:
        if not (legal := position.legal_moves()):
            break
        position, steps = position.apply(legal[choice % len(legal)])
        last = [Step(*step) for step in steps]
    return view_of(position), last


def lying_open(game: GameInfo, view: View) -> Counter[str]:
    """The cards whose index can be read on a table, as often as they lie there."""
    cards: Counter[str] = Counter()
    for slot in game.slots:
        up = view.piles[slot.pile].up
        if slot.kind in ("waste", "hand") or (
            slot.kind == "foundation" and slot.goal[-1] in "CDHS"
        ):
            up = up[-1:]
        elif slot.fans == "out" and len(up) > LONG:
            up = up[-3:]
        cards.update(up)
    return cards


MOMENTS = st.lists(st.integers(0, 99), max_size=120)


@EVERY_GAME
@examples(8)
@given(DEALS, MOMENTS, st.booleans())
def test_the_picture_shows_every_open_card_once_and_fits_a_terminal(
    game: GameInfo, seed: bytes, choices: list[int], narrow: bool
) -> None:
    view, last = after(game, seed, choices)
    shown = (listed if narrow else board)(game, view, LETTERS, last).plain
    assert Counter(CARD.findall(shown)) == lying_open(game, view)
    assert max(map(len, shown.split("\n"))) <= (36 if narrow else WIDTH)


@EVERY_GAME
@examples(8)
@given(DEALS, MOMENTS)
def test_the_picture_counts_the_cards_that_lie_face_down(
    game: GameInfo, seed: bytes, choices: list[int]
) -> None:
    view, _ = after(game, seed, choices)
    stocks = {slot.pile for slot in game.slots if slot.kind == "stock"}
    down = [pile.down for name, pile in view.piles.items() if name not in stocks and pile.down]
    for picture in (board(game, view, LETTERS), listed(game, view, LETTERS)):
        assert sorted(map(int, re.findall(r"#(\d+)", picture.plain))) == sorted(down)
        assert all(f"stock {view.piles[stock].down}" in picture.plain for stock in stocks)


@EVERY_GAME
@examples(8)
@given(DEALS, MOMENTS)
def test_the_last_move_is_marked_and_told(game: GameInfo, seed: bytes, choices: list[int]) -> None:
    view, last = after(game, seed, choices)
    marks = len({step.target for step in last})
    assert board(game, view, LETTERS, last).plain.count("*") == marks
    assert listed(game, view, LETTERS, last).plain.count("*") == marks
    told = position_text.what_happened(game, "move", last, view).lower()
    assert all(spoken(step.card) in told for step in last)


@EVERY_GAME
@examples(8)
@given(DEALS, MOMENTS)
def test_the_words_name_every_open_card_and_every_move(
    game: GameInfo, seed: bytes, choices: list[int]
) -> None:
    view, _ = after(game, seed, choices)
    told = " ".join(position_text.position(game, view)).lower()
    assert all(spoken(card) in told for card in lying_open(game, view))
    assert all(move in told for move in view.legal)
    assert all(len(line) <= 78 for line in position_text.hints(game, view.legal, LETTERS))
