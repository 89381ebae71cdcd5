"""The alternative text and the text board have the whole position of every game."""

from dataclasses import replace

import pytest
from tests.chat.positions import BIG_BEN, GAME_NAMES, after

from bigben_chat.cards import SIGNS, signed
from bigben_chat.messages.text_board import alternative, text_board
from bigben_chat.texts import say_in
from bigben_discord.interactions.components import LONGEST_ALT
from bigben_protocol import Pile

MOMENTS = [0, 1, 20, 45, 80, 120, 200]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("moves", MOMENTS)
def test_the_alternative_text_describes_the_whole_position(moves: int, language: str) -> None:
    view = after(moves).view
    text = alternative(BIG_BEN, view, say_in(language))
    assert len(text) <= LONGEST_ALT
    for hour in range(1, 13):
        for card in view.piles[str(hour)].up:
            assert card in text
        assert f"{hour}:{view.piles[f'f{hour}'].up[-1]}" in text
    assert " ".join(view.piles["w"].up) in text
    assert str(view.piles["s"].down) in text


def test_the_alternative_text_of_the_fullest_table_fits() -> None:
    view = after(0).view
    fuller = {**view.piles, "w": Pile(("10H",) * 56), "s": Pile((), 0)}
    text = alternative(BIG_BEN, replace(view, piles=fuller), say_in("de"))
    assert len(text) <= LONGEST_ALT
    assert text.endswith("Talon: 0.")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("moves", MOMENTS)
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_game_is_described_with_each_card_that_is_seen(
    game: str, moves: int, language: str
) -> None:
    seen, say = after(moves, game=game, seed=3), say_in(language)
    text = alternative(seen.game, seen.view, say)
    assert len(text) <= LONGEST_ALT
    assert say.game_text(f"game.{game}") in text
    board = text_board(seen.game, seen.view, say).text
    for slot in seen.game.slots:
        pile = seen.view.piles[slot.pile]
        covered = slot.kind in ("waste", "foundation")
        for card in pile.up[-1:] if covered else pile.up:
            assert card in text
            assert signed(card) in board
        if pile.down:
            assert f"{pile.down}" in text
    assert len(board) < 1500


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("moves", MOMENTS)
def test_the_text_board_has_every_card_and_fits_a_message(moves: int, language: str) -> None:
    view = after(moves).view
    text = text_board(BIG_BEN, view, say_in(language)).text
    assert len(text) < 1500
    lines = text.splitlines()
    assert max(len(line) for line in lines) < 80
    for hour, line in zip((12, *range(1, 12)), lines[1:-1], strict=True):
        assert line.split()[0] == str(hour)
        for card in view.piles[str(hour)].up:
            assert card[:-1] + SIGNS[card[-1]] in line
        assert line.count("··") == max(0, 3 - len(view.piles[str(hour)].up))
